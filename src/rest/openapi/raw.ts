/** Raw endpoints, described; a customer may have raw tables beside those that are shown (contract: raw tables). */
import { deltaOperation, deltaParameters } from './deltas.ts';
import { type Operation, type Parameter, type Part, ref, rowCountSchema, type Schema } from './document.ts';
import { headersOf } from './headers.ts';
import { operation, pageParameters } from './operation.ts';
import type { Scope } from './scope.ts';

export const rawTag = { name: 'raw', description: 'Unfiltered source data for bulk sync and export, paged by cursor.' };

const rawRow: Schema = { type: 'object', description: 'a row of the source', additionalProperties: true };
const count: Schema = { type: 'integer', minimum: 0 };

const schemas: Record<string, Schema> = {
  RawPage: {
    type: 'object',
    required: ['data', 'count', 'next_cursor', 'total_rows'],
    properties: {
      data: { type: 'array', items: rawRow },
      count: { ...count, description: 'rows in this page' },
      next_cursor: { type: ['string', 'null'], description: 'cursor for the next page; null when all rows have been fetched' },
      total_rows: { ...count, description: 'rows in the whole table' },
    },
  },
  RawTable: {
    type: 'object',
    required: ['table', 'endpoint_url', 'key', 'row_count', 'snapshot_at'],
    properties: {
      table: { type: 'string', description: 'name of the raw table' },
      endpoint_url: { type: 'string', description: 'the path of the table' },
      key: { type: 'string', description: 'integer column that the table pages by' },
      row_count: rowCountSchema,
      snapshot_at: { type: ['string', 'null'], format: 'date-time', description: 'time of the last successful sync' },
    },
  },
};

const list: Operation = operation({
  tag: rawTag.name,
  operationId: 'listRawTables',
  summary: 'Raw tables that the key may read',
  description: 'Every raw table of the customer within the tier of the key.',
  ok: {
    description: 'The raw tables.',
    headers: headersOf(),
    content: { 'application/json': { schema: { type: 'array', items: ref('schemas', 'RawTable') } } },
  },
});

const rawTable = ({ rawTables }: Scope): Parameter => ({
  name: 'table_name',
  in: 'path',
  required: true,
  description: 'The name of a raw table from /raw/tables.',
  schema: { type: 'string' },
  examples: Object.fromEntries([...rawTables].map(([value, { purpose }]) => [value, { summary: purpose, value }])),
});

const read: Operation = operation({
  tag: rawTag.name,
  operationId: 'readRawTable',
  summary: 'Rows of a raw table',
  description:
    'Follow `next_cursor` until it is null. Cursors are stable under concurrent writes: rows added or removed during an export cause no duplicates or gaps.',
  parameters: [
    ref('parameters', 'rawTable'),
    ref('parameters', 'limit'),
    ref('parameters', 'rawCursor'),
    ref('parameters', 'format'),
    ref('parameters', 'ifNoneMatch'),
  ],
  ok: {
    description: 'A page of rows in its envelope. CSV has the rows only, with the total and the cursor in headers.',
    headers: headersOf(
      'X-Total-Count',
      'X-Has-More',
      'X-Next-Cursor',
      'X-Snapshot-At',
      'X-Data-Version',
      'ETag',
      'Link',
      'Content-Disposition',
    ),
    content: { 'application/json': { schema: ref('schemas', 'RawPage') }, 'text/csv': { schema: { type: 'string' } } },
  },
  problems: { 304: 'NotModified', 404: 'NotFound', 422: 'InvalidRawParameter', 503: 'Busy' },
});

const deltas: Operation = deltaOperation({
  tag: rawTag.name,
  operationId: 'readRawTableDeltas',
  summary: 'Changes of a raw table since a version',
  path: ref('parameters', 'rawTable'),
  row: rawRow,
  key: { type: 'integer' },
});

export const rawPart = (scope: Scope): Part => ({
  paths: { '/raw/tables': { get: list }, '/raw/{table_name}': { get: read }, '/raw/{table_name}/deltas': { get: deltas } },
  components: { parameters: { ...pageParameters, ...deltaParameters, rawTable: rawTable(scope) }, schemas },
});
