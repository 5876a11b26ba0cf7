/** Raw endpoints, described; a customer may have raw tables beside those that are shown (contract: raw tables). */
import { isNarrowed } from '../../catalogue/data-scope.ts';
import { deltaOperation, deltaParameters, exampleDeltas, exampleSinceVersion } from './deltas.ts';
import {
  type Example,
  type Examples,
  type OpenApiOperation,
  type Parameter,
  type Part,
  ref,
  rowCountSchema,
  type Schema,
} from './document.ts';
import { exampleState, type RawExample } from './examples.ts';
import { headersOf, pageHeaderDescriptions } from './headers.ts';
import { operation, pageParameters, textContent } from './operation.ts';
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

/** An example about the raw table that examples show; the summary is the path of the request. */
const exampleOf = ({ rawExample }: Scope, show: (example: RawExample) => Example): { examples?: Examples } =>
  rawExample ? { examples: { row: show(rawExample) } } : {};

const list = (scope: Scope): OpenApiOperation =>
  operation({
    tag: rawTag.name,
    operationId: 'listRawTables',
    summary: 'Raw tables that the key may read',
    description: 'Every raw table of the customer within the tier of the key.',
    ok: {
      description: 'The raw tables.',
      headers: headersOf(),
      content: {
        'application/json': {
          schema: { type: 'array', items: ref('schemas', 'RawTable') },
          ...exampleOf(scope, ({ name, key }) => ({
            summary: '/raw/tables',
            value: [
              {
                table: name,
                endpoint_url: `/raw/${name}`,
                key,
                row_count: isNarrowed(scope.dataScope, 'raw', name) ? null : exampleState.row_count,
                snapshot_at: exampleState.synced_at.toISOString(),
              },
            ],
          })),
        },
      },
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

const read = (scope: Scope): OpenApiOperation =>
  operation({
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
      headers: pageHeaderDescriptions({ hasOffset: false, hasCursor: true }),
      content: {
        'application/json': {
          schema: ref('schemas', 'RawPage'),
          ...exampleOf(scope, ({ name, row }) => ({
            summary: `/raw/${name}`,
            value: { data: [row], count: 1, next_cursor: null, total_rows: 1 },
          })),
        },
        ...textContent,
      },
    },
    problems: { 304: 'NotModified', 404: 'NotFound', 422: 'InvalidRawParameter', 503: 'Busy' },
  });

const deltas = (scope: Scope): OpenApiOperation =>
  deltaOperation({
    tag: rawTag.name,
    operationId: 'readRawTableDeltas',
    summary: 'Changes of a raw table since a version',
    path: ref('parameters', 'rawTable'),
    row: rawRow,
    key: { type: 'integer' },
    ...exampleOf(scope, ({ name, row }) => ({
      summary: `/raw/${name}/deltas?since_version=${exampleSinceVersion}`,
      value: exampleDeltas(row),
    })),
  });

export const rawPart = (scope: Scope): Part => ({
  paths: {
    '/raw/tables': { get: list(scope) },
    '/raw/{table_name}': { get: read(scope) },
    '/raw/{table_name}/deltas': { get: deltas(scope) },
  },
  components: { parameters: { ...pageParameters, ...deltaParameters, rawTable: rawTable(scope) }, schemas },
});
