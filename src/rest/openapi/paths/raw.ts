/** Raw endpoints, described; a customer may have raw tables beside those that are shown (contract: raw tables). */
import { rawPage, rawRow, rawTable } from '../../../answers/raw.ts';
import { isNarrowed } from '../../../catalogue/data-scope.ts';
import { answerRef, inlineSchema } from '../answers.ts';
import { type DocumentPart, type Example, type Examples, type OpenApiOperation, type ParameterObject, ref } from '../document.ts';
import { exampleState, type RawExample } from '../examples.ts';
import { headersOf, pageHeaderDescriptions } from '../headers.ts';
import { operation, pageParameters, textContent } from '../operation.ts';
import type { DescribedScope } from '../scope.ts';
import { deltaOperation, deltaParameters, exampleDeltas, exampleSinceVersion } from './deltas.ts';

export const rawTag = { name: 'raw', description: 'Unfiltered source data for bulk sync and export, paged by cursor.' };

/** An example about the raw table that examples show; the summary is the path of the request. */
const exampleOf = ({ rawExample }: DescribedScope, show: (example: RawExample) => Example): { examples?: Examples } =>
  rawExample ? { examples: { row: show(rawExample) } } : {};

const list = (scope: DescribedScope): OpenApiOperation =>
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
          schema: { type: 'array', items: answerRef(rawTable) },
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

const rawTableParameter = ({ rawTables }: DescribedScope): ParameterObject => ({
  name: 'table_name',
  in: 'path',
  required: true,
  description: 'The name of a raw table from /raw/tables.',
  schema: { type: 'string' },
  examples: Object.fromEntries([...rawTables].map(([value, { purpose }]) => [value, { summary: purpose, value }])),
});

const read = (scope: DescribedScope): OpenApiOperation =>
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
          schema: answerRef(rawPage),
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

const deltas = (scope: DescribedScope): OpenApiOperation =>
  deltaOperation({
    tag: rawTag.name,
    operationId: 'readRawTableDeltas',
    summary: 'Changes of a raw table since a version',
    path: ref('parameters', 'rawTable'),
    row: inlineSchema(rawRow),
    key: { type: 'integer' },
    ...exampleOf(scope, ({ name, row }) => ({
      summary: `/raw/${name}/deltas?since_version=${exampleSinceVersion}`,
      value: exampleDeltas(row),
    })),
  });

export const rawPart = (scope: DescribedScope): DocumentPart => ({
  paths: {
    '/raw/tables': { get: list(scope) },
    '/raw/{table_name}': { get: read(scope) },
    '/raw/{table_name}/deltas': { get: deltas(scope) },
  },
  components: { parameters: { ...pageParameters, ...deltaParameters, rawTable: rawTableParameter(scope) } },
});
