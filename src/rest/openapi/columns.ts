/** Columns of the catalogue as JSON Schema and as filter parameters (contract: row values; filters). */
import type { Column, Kind } from '../../catalogue/column.ts';
import { type KindMeaning, kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Parameter, Schema } from './document.ts';
import type { Scope } from './scope.ts';

/** `table.column` that a value refers to, as far as the document's reader may read that table. */
const targetOf = (scope: Scope, table: Table, name: string): string | undefined => {
  const relation = Object.values(table.relations).find(({ kind, column }) => kind === 'to-one' && column === name);
  const target = relation?.to ?? table.columns[name]?.references;
  const owner = target?.split('.')[0] ?? '';
  if (scope.tables.some((candidate) => candidate.name === owner)) return target;
  return scope.includes('raw') && scope.rawTables.has(owner) ? `${target} (raw)` : undefined;
};

/** The column's meaning, where it leads and where its codes are listed. */
const describe = (scope: Scope, table: Table, name: string, { meaning, lookup }: Column): string => {
  const target = targetOf(scope, table, name);
  const references = target ? `; references ${target}` : '';
  return `${meaning}${references}${lookup ? `; codes of the list ${lookup}, see /meta/${table.name}/values/${name}` : ''}`;
};

/** What a value of this kind looks like. */
export const kindSchema = (kind: Kind): Schema => kinds[kind].schema;

const columnSchema = (scope: Scope, table: Table, name: string, column: Column): Schema => {
  const { type, ...format }: KindMeaning['schema'] = kinds[column.kind].schema;
  return {
    type: column.required ? type : [type, 'null'],
    ...format,
    description: describe(scope, table, name, column),
    ...(column.example === undefined ? {} : { examples: [column.example] }),
  };
};

/** A row: every column in catalogue order, all of them always there. */
export const rowSchema = (scope: Scope, table: Table): Schema => ({
  type: 'object',
  description: `${table.purpose} A row is ${table.grain}.`,
  required: Object.keys(table.columns),
  properties: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, columnSchema(scope, table, name, column)])),
});

/** A row of a request with `columns`, whatever they are (contract: conditions, order and columns of rows). */
export const requestedRowSchema: Schema = {
  type: 'object',
  description:
    'A row of a request with `columns`: these columns in their order, under their names in the request. A column has the type of the row of its table. One behind a relation is null without a related row. A function is a number or null.',
  minProperties: 1,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

/** A filter: text that is read as the column's kind. */
export const filterParameter = (scope: Scope, table: Table, name: string): Parameter => {
  const column = table.columns[name] as Column;
  return {
    name,
    in: 'query',
    ...(table.requiredFilters.includes(name) ? { required: true } : {}),
    description: `Only rows whose ${name} (${column.kind}) equals this: ${describe(scope, table, name, column)}`,
    schema: { type: 'string' },
    ...(column.example === undefined ? {} : { example: String(column.example) }),
  };
};
