/**
 * The DDL of one customer's schema, made from the catalogue: raw tables as the source delivers them, category tables as
 * they are served, and the indexes that filters, relations and joins need.
 */
import type { Catalogue } from '../catalogue/index.ts';
import { type KindMeaning, kinds } from '../catalogue/kinds.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { RawTable } from '../catalogue/raw-table.ts';
import type { Table } from '../catalogue/table.ts';
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

/** Columns that need an index: those of relations by themselves, filters behind those that have to be there with them. */
const indexedColumns = (catalogue: Catalogue, table: Table): readonly (readonly string[])[] => {
  const { key, unique, requiredFilters, withoutIndex } = table;
  const related = (catalogue.relations.get(table.name) ?? []).map((relation) => relation.column);
  const filters = table.filters.filter((column) => !(column in withoutIndex));
  const single = [...new Set([...filters, ...related])].filter((column) => column !== key && !unique.includes(column));
  const behind = single.flatMap((column) => {
    if (related.includes(column)) return [[column]];
    return requiredFilters.includes(column) ? [] : [[...requiredFilters, column]];
  });
  return [...(requiredFilters.length > 0 ? [requiredFilters] : []), ...behind];
};

/** Whether rows can be read in the order of a column without being sorted. */
export const isIndexed = (catalogue: Catalogue, table: Table, column: string): boolean =>
  [table.key, ...table.unique, table.sort[0], ...indexedColumns(catalogue, table).flat()].includes(column);

/** The indexes of a category table: each leads with what is filtered by and ends with the sort key. */
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

/** The indexes by which a changed raw row finds the rows of other raw tables that are published with it. */
export const createJoinIndexes = (catalogue: Catalogue, schema: string): readonly string[] => {
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
    const covered = table.key === column || table.unique.some(([first]) => first === column);
    return covered ? [] : [`create index if not exists ${quote(`ix_${name}_${column}`)} on ${qualify(schema, name)} (${quote(column)})`];
  });
};

/** What a column of a category table is derived by. */
export const expressionOf = ({ source, columns }: Table, name: string): string => {
  const column = columns[name]!;
  const { from = name } = column;
  const expression = /^\w+$/.test(from) ? `${source.as}.${quote(from)}` : from;
  const { shown }: KindMeaning = kinds[column.kind];
  // What is required is there to be shown: a value that callers would get as null is none.
  return column.required && shown ? shown(expression) : expression;
};

/** Where a raw table's rows stand, qualified. */
export type Place = (raw: string) => string;

/** The raw tables that a category table is derived from, as a FROM clause: one row for each row of the driving table. */
export const sourceOf = (place: Place, { source }: Table): string => {
  const joins = source.joins.map(
    ({ table, as, column, equals }) => `left join ${place(table)} ${as} on ${as}.${quote(column)} = ${equals}`,
  );
  return [`from ${place(source.table)} ${source.as}`, ...joins].join('\n');
};

/** The statement that derives a category table from the raw tables. */
export const projection = (place: Place, table: Table): string => {
  const columns = Object.keys(table.columns).map((name) => `${expressionOf(table, name)} as ${quote(name)}`);
  return `select\n  ${columns.join(',\n  ')}\n${sourceOf(place, table)}`;
};

/** Everything of a customer's schema as text, for people: `estate print ddl` and the golden under review. */
export const printSchema = (catalogue: Catalogue, schema: string): string => {
  const raw = Object.entries(rawTables).map(([name, table]) => createRawTable(schema, name, table));
  const category = [...catalogue.tables.values()].flatMap((table) => [
    createCategoryTable(schema, table),
    ...createCategoryIndexes(catalogue, schema, table),
    `-- published as\n${projection((raw) => qualify(schema, raw), table).replaceAll(/^/gm, '-- ')}`,
  ]);
  return [`create schema ${quote(schema)}`, ...raw, ...createJoinIndexes(catalogue, schema), ...category]
    .map((statement) => `${statement}${statement.startsWith('--') ? '' : ';'}\n`)
    .join('\n');
};
