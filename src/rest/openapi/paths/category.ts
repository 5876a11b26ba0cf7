/**
 * Category endpoints, described: one path for each table, and one under `/v1` where it has passed review (contract: versioned
 * paths).
 */
import { readableFilters } from '../../../catalogue/data-scope.ts';
import { cursorColumn, pathOfTable, type Table } from '../../../catalogue/table.ts';
import { categories } from '../../../catalogue/tiers.ts';
import { filterParameters, kindSchema, requestedRowSchema, rowSchema } from '../columns.ts';
import { type DocumentPart, type Example, type OpenApiOperation, type ReferenceObject, type Response, ref } from '../document.ts';
import { exampleRow } from '../examples.ts';
import { pageHeaderDescriptions } from '../headers.ts';
import { operation, pageParameters, pascalCase, textContent } from '../operation.ts';
import { missingFiltersResponse } from '../problems.ts';
import type { DescribedScope } from '../scope.ts';
import { deltaOperation, deltaParameters, exampleDeltas } from './deltas.ts';

const filterKey = (table: Table, column: string): string => `${table.name}.${column}`;

const deltaKey = ({ name }: Table): string => `${name}.deltas`;

/** The page and the deltas of a table stand side by side: compression finds the row of one in the other. */
const examplesOf = (table: Table): readonly (readonly [string, Example])[] => {
  const row = exampleRow(table);
  return [
    [table.name, { value: [row] }],
    [deltaKey(table), { value: exampleDeltas(row) }],
  ];
};

/** A page of rows, or of the columns that the request lists. */
const pageResponse = (table: Table): Response => ({
  description: `Rows of ${table.name}.`,
  headers: pageHeaderDescriptions({ hasOffset: true, hasCursor: cursorColumn(table) !== undefined }),
  content: {
    'application/json': {
      schema: { type: 'array', items: { anyOf: [ref('schemas', table.name), ref('schemas', 'RequestedRow')] } },
      examples: { row: ref('examples', table.name) },
    },
    ...textContent,
  },
});

/** Page parameters, one filter for each filterable column, then the lists. A table without a cursor column takes no cursor. */
const parametersOf = (table: Table): ReferenceObject[] => [
  ref('parameters', 'limit'),
  ref('parameters', 'offset'),
  ...(cursorColumn(table) ? [ref('parameters', 'cursor')] : []),
  ...readableFilters(table).map((column) => ref('parameters', filterKey(table, column))),
  ...['where', 'order', 'columns', 'format'].map((name) => ref('parameters', name)),
  ref('parameters', 'ifNoneMatch'),
  ref('parameters', 'prefer'),
];

const orderOf = ({ sort }: Table): string => (sort.length > 0 ? `ordered by ${sort.join(', ')}` : 'in physical order');

const tableOperation = (table: Table, path: string, isV1: boolean): OpenApiOperation =>
  operation({
    tag: table.category,
    operationId: `list${pascalCase(table.name)}${isV1 ? 'V1' : ''}`,
    summary: table.purpose.replace(/\.$/, ''),
    description: `A row is ${table.grain}; rows are ${orderOf(table)}. Tier ${categories[table.category]}.`,
    parameters: parametersOf(table),
    ok: ref('responses', table.name),
    problems: {
      304: 'NotModified',
      ...(table.requiredFilters.length > 0 ? { 400: missingFiltersResponse(path, table.requiredFilters) } : {}),
      404: 'NotFound',
      422: 'InvalidParameter',
      503: 'Busy',
    },
  });

const tableDeltas = (table: Table): OpenApiOperation =>
  deltaOperation({
    tag: table.category,
    operationId: `list${pascalCase(table.name)}Deltas`,
    summary: `Changes of ${table.name} since a version`,
    row: ref('schemas', table.name),
    key: kindSchema(table.columns[table.key]?.kind ?? 'string'),
    examples: { row: ref('examples', deltaKey(table)) },
  });

/** The category endpoints of a scope with their parameters, pages and row schemas. */
export const categoryPart = (scope: DescribedScope): DocumentPart => {
  const { tables } = scope;
  const parameters = tables.flatMap((table) =>
    filterParameters(scope, table, readableFilters(table)).map((parameter) => [filterKey(table, parameter.name), parameter] as const),
  );
  const paths = [
    ...tables.map((table) => ({ table, path: pathOfTable(table), isV1: false })),
    ...tables.filter(({ v1 }) => v1).map((table) => ({ table, path: `/v1${pathOfTable(table)}`, isV1: true })),
  ];
  return {
    paths: Object.fromEntries([
      ...paths.map(({ table, path, isV1 }) => [path, { get: tableOperation(table, path, isV1) }] as const),
      ...tables.map((table) => [`${pathOfTable(table)}/deltas`, { get: tableDeltas(table) }] as const),
    ]),
    components: {
      parameters: { ...pageParameters, ...deltaParameters, ...Object.fromEntries(parameters) },
      responses: Object.fromEntries(tables.map((table) => [table.name, pageResponse(table)])),
      examples: Object.fromEntries(tables.flatMap(examplesOf)),
      schemas: { ...Object.fromEntries(tables.map((table) => [table.name, rowSchema(scope, table)])), RequestedRow: requestedRowSchema },
    },
  };
};
