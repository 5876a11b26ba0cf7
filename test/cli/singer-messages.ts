/**
 * The rules of the Singer specification for the messages of a tap and its catalogue, as JSON Schemas.
 *
 * The tap writes these messages from the configuration of `estate print singer`: a SCHEMA for each stream, then a RECORD for each row.
 */
const typeName = { enum: ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] };
const name = { type: 'string', minLength: 1 };

/** The schema of a stream: an object whose properties have types. Times are texts with the format of RFC 3339. */
const streamSchema = {
  type: 'object',
  required: ['type', 'properties'],
  properties: {
    type: { const: 'object' },
    properties: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
          format: { enum: ['date-time', 'date', 'int32', 'int64'] },
          description: { type: 'string' },
        },
      },
    },
  },
};

/** A SCHEMA message. Its key properties are names of properties at the top level, which the test checks. */
export const schemaMessage = {
  type: 'object',
  required: ['type', 'stream', 'schema', 'key_properties'],
  additionalProperties: false,
  properties: {
    type: { const: 'SCHEMA' },
    stream: name,
    schema: streamSchema,
    key_properties: { type: 'array', items: name, minItems: 1, uniqueItems: true },
    bookmark_properties: { type: 'array', items: name },
  },
};

/** The catalogue that the discovery of a tap writes. */
export const catalogueOfTap = {
  type: 'object',
  required: ['streams'],
  properties: {
    streams: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['stream', 'tap_stream_id', 'schema'],
        properties: {
          stream: name,
          tap_stream_id: name,
          schema: streamSchema,
          metadata: {
            type: 'array',
            items: {
              type: 'object',
              required: ['breadcrumb', 'metadata'],
              properties: { breadcrumb: { type: 'array', items: { type: 'string' } }, metadata: { type: 'object' } },
            },
          },
        },
      },
    },
  },
};
