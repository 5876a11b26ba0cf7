/** Columns of the catalogue as JSON Schema and as filter parameters (contract: row values; filters). */
import type { Kind } from '../../catalogue/column.ts';
import { type KindMeaning, kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { type ColumnDescription, describeTable } from '../../query/describe-table.ts';
import type { ParameterObject, Schema } from './document.ts';
import type { DescribedScope } from './scope.ts';

/** `table.column` that a value refers to, as far as the document's reader may read that table. */
const targetOf = (scope: DescribedScope, { targets }: ColumnDescription): string | undefined => {
  const target = targets.find(({ isOne }) => isOne);
  if (!target) return undefined;
  const path = `${target.table}.${target.column}`;
  if (!target.isRaw) return path;
  return scope.includes('raw') && scope.rawTables.has(target.table) ? `${path} (raw)` : undefined;
};

/** The column's meaning, where it leads and where its codes are listed. */
const describe = (scope: DescribedScope, table: Table, column: ColumnDescription): string => {
  const { name, meaning, lookup } = column;
  const target = targetOf(scope, column);
  const references = target ? `; references ${target}` : '';
  return `${meaning}${references}${lookup ? `; codes of the list ${lookup}, see /meta/${table.name}/values/${name}` : ''}`;
};

const columnsOf = (scope: DescribedScope, table: Table): readonly ColumnDescription[] =>
  describeTable(table, { tables: new Set(scope.tables.map(({ name }) => name)), relationsOf: scope.relations }).columns;

/** What a value of this kind looks like. */
export const kindSchema = (kind: Kind): Schema => kinds[kind].schema;

const columnSchema = (scope: DescribedScope, table: Table, column: ColumnDescription): Schema => {
  const { type, ...format }: KindMeaning['schema'] = kinds[column.kind].schema;
  return {
    type: column.isNullable ? [type, 'null'] : type,
    ...format,
    description: describe(scope, table, column),
    ...(column.example === undefined ? {} : { examples: [column.example] }),
  };
};

/** A row: every column in catalogue order, all of them always there. */
export const rowSchema = (scope: DescribedScope, table: Table): Schema => ({
  type: 'object',
  description: `${table.purpose} A row is ${table.grain}.`,
  required: Object.keys(table.columns),
  properties: Object.fromEntries(columnsOf(scope, table).map((column) => [column.name, columnSchema(scope, table, column)])),
});

/** A row of a request with `columns`, whatever they are (contract: conditions, order and columns of rows). */
export const requestedRowSchema: Schema = {
  type: 'object',
  description:
    'A row of a request with `columns`: these columns in their order, under their names in the request. A column has the type of the row of its table. One behind a relation is null without a related row. A function is a number or null.',
  minProperties: 1,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

/** The filters of a table that are named, each as text that is read as the column's kind. */
export const filterParameters = (scope: DescribedScope, table: Table, names: readonly string[]): readonly ParameterObject[] => {
  const columns = new Map(columnsOf(scope, table).map((column) => [column.name, column]));
  return names.map((name) => {
    const column = columns.get(name)!;
    return {
      name,
      in: 'query',
      ...(column.filter === 'required' ? { required: true } : {}),
      description: `Only rows whose ${name} (${column.kind}) equals this: ${describe(scope, table, column)}`,
      schema: { type: 'string' },
      ...(column.example === undefined ? {} : { example: String(column.example) }),
    };
  });
};
