/**
 * The DDL of a customer's schema, derived from the catalogue: raw tables, category tables, and the indexes for filters, relations and
 * joins. The tables of its state are in `control/state-tables.ts`.
 */
import type { Catalogue } from '../catalogue/index.ts';
import { type KindMeaning, kinds } from '../catalogue/kinds.ts';
import { shared } from '../catalogue/property-path.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { RawTable } from '../catalogue/raw-table.ts';
import type { Table } from '../catalogue/table.ts';
import { createStateTables } from './control/state-tables.ts';
import { qualify, quote } from './identifier.ts';

const list = (names: readonly string[]) => names.map(quote).join(', ');

export const createRawTable = (schema: string, name: string, table: RawTable): string => {
  const columns = Object.entries(table.columns).map(([column, type]) => `${quote(column)} ${type}`);
  const keys = [`primary key (${quote(table.key)})`, ...table.unique.map((unique) => `unique (${list(unique)})`)];
  return `create table ${qualify(schema, name)} (\n  ${[...columns, ...keys].join(',\n  ')}\n)`;
};

export const createCategoryTable = (schema: string, table: Table): string => {
  const columns = Object.entries(table.columns).map(
    ([name, column]) => `${quote(name)} ${kinds[column.kind].ddl(column.digits)}${column.required ? ' not null' : ''}`,
  );
  return `create table ${qualify(schema, table.name)} (\n  ${[...columns, `primary key (${quote(table.key)})`].join(',\n  ')}\n)`;
};

/** The column with a row's own property. Keys with a property set read a table by it. */
const propertyColumn = ({ property }: Pick<Table, 'property'>): string | undefined =>
  property && property !== shared && property.via.length === 0 ? property.column : undefined;

/** The columns to index. Relation columns are indexed alone, optional filters and the property after the required filters. */
const indexedColumns = (catalogue: Catalogue, table: Table): readonly (readonly string[])[] => {
  const { key, unique, requiredFilters, withoutIndex } = table;
  const related = (catalogue.relations.get(table.name) ?? []).map((relation) => relation.column);
  const filters = table.filters.filter((column) => !(column in withoutIndex));
  const single = [...new Set([...filters, ...related])].filter((column) => column !== key && !unique.includes(column));
  const behind = single.flatMap((column) => {
    if (related.includes(column)) return [[column]];
    return requiredFilters.includes(column) ? [] : [[...requiredFilters, column]];
  });
  const property = propertyColumn(table);
  const byProperty = property && requiredFilters.length > 0 && !requiredFilters.includes(property) ? [[...requiredFilters, property]] : [];
  return [...(requiredFilters.length > 0 ? [requiredFilters] : []), ...behind, ...byProperty];
};

/** Whether an index returns rows in the order of this column, without a sort. */
export const isIndexed = (catalogue: Catalogue, table: Table, column: string): boolean =>
  [table.key, ...table.unique, table.sort[0], ...indexedColumns(catalogue, table).flat()].includes(column);

/** The indexes of a category table. Each starts with the filter columns and ends with the sort key. */
export const createCategoryIndexes = (catalogue: Catalogue, schema: string, table: Table): readonly string[] => {
  const name = (columns: readonly string[]) => quote(`ix_${table.name}_${columns.join('_')}`.slice(0, 63));
  const on = qualify(schema, table.name);
  const sortIndex = table.sort.length > 1 ? [`create unique index if not exists ${name(['sort'])} on ${on} (${list(table.sort)})`] : [];
  const unique = table.unique.map((column) => `create unique index if not exists ${name([column])} on ${on} (${quote(column)})`);
  const plain = indexedColumns(catalogue, table).map((columns) => {
    const ordered = [...new Set([...columns, ...table.sort])];
    return `create index if not exists ${name(columns)} on ${on} (${list(ordered)})`;
  });
  return [...sortIndex, ...unique, ...plain];
};

/** The indexes of raw tables: those that find the dependent rows of a changed row, and those by property. */
export const createRawIndexes = (
  catalogue: Catalogue,
  schema: string,
  tables: readonly string[] = Object.keys(rawTables),
): readonly string[] =>
  [...joinIndexes(catalogue), ...propertyIndexes()]
    .filter(({ table }) => tables.includes(table))
    .map(({ name, table, columns }) => `create index if not exists ${quote(name)} on ${qualify(schema, table)} (${list(columns)})`);

interface RawIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** The indexes by which keys with a property set read pages of raw tables. */
const propertyIndexes = (): readonly RawIndex[] =>
  Object.entries<RawTable>(rawTables).flatMap(([name, table]) => {
    const column = propertyColumn(table);
    return column && column !== table.key ? [{ name: `ix_${name}_property`, table: name, columns: [column, table.key] }] : [];
  });

const joinIndexes = (catalogue: Catalogue): readonly RawIndex[] => {
  const columns = new Set<string>();
  for (const { source } of catalogue.tables.values()) {
    const byAlias = new Map([[source.as, source.table as string], ...source.joins.map(({ as, table }) => [as, table] as const)]);
    for (const { equals } of source.joins) {
      const [alias = '', column = ''] = equals.split('.');
      columns.add(`${byAlias.get(alias)}.${column}`);
    }
  }
  return [...columns].sort().flatMap((path) => {
    const [name = '', column = ''] = path.split('.');
    const table: RawTable = rawTables[name as keyof typeof rawTables];
    const covered = table.key === column || propertyColumn(table) === column || table.unique.some(([first]) => first === column);
    return covered ? [] : [{ name: `ix_${name}_${column}`, table: name, columns: [column] }];
  });
};

/** The SQL expression that derives a column of a category table. */
export const expressionOf = ({ source, columns }: Table, name: string): string => {
  const column = columns[name]!;
  const { from = name } = column;
  const expression = /^\w+$/.test(from) ? `${source.as}.${quote(from)}` : from;
  const { finite }: KindMeaning = kinds[column.kind];
  // A value that responses show as null is null in the table (contract: values that are not finite).
  return finite ? finite.join(expression) : expression;
};

/** The qualified name of a raw table. */
export type ColumnPosition = (raw: string) => string;

/** The FROM clause of a category table: one row for each row of the driving raw table. */
export const sourceOf = (place: ColumnPosition, { source }: Table): string => {
  const joins = source.joins.map(
    ({ table, as, column, equals }) => `left join ${place(table)} ${as} on ${as}.${quote(column)} = ${equals}`,
  );
  return [`from ${place(source.table)} ${source.as}`, ...joins].join('\n');
};

/** The statement that derives a category table from raw tables. */
export const projection = (place: ColumnPosition, table: Table): string => {
  const columns = Object.keys(table.columns).map((name) => `${expressionOf(table, name)} as ${quote(name)}`);
  return `select\n  ${columns.join(',\n  ')}\n${sourceOf(place, table)}`;
};

/** The DDL of a customer's schema as text, for `estate print ddl` and the golden file. */
export const printSchema = (catalogue: Catalogue, schema: string): string => {
  const raw = Object.entries(rawTables).map(([name, table]) => createRawTable(schema, name, table));
  const category = [...catalogue.tables.values()].flatMap((table) => [
    createCategoryTable(schema, table),
    ...createCategoryIndexes(catalogue, schema, table),
    `-- published as\n${projection((raw) => qualify(schema, raw), table).replaceAll(/^/gm, '-- ')}`,
  ]);
  return [`create schema ${quote(schema)}`, ...createStateTables(schema), ...raw, ...createRawIndexes(catalogue, schema), ...category]
    .map((statement) => `${statement}${statement.startsWith('--') ? '' : ';'}\n`)
    .join('\n');
};
