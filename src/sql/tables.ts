/**
 * Where tables become SQL. A request with a data scope reads a derived table instead: hidden columns are null, and rows outside of the
 * property set are missing. PostgreSQL merges it into the statement, so conditions and joins use the indexes of the table.
 */
import { type AliasableExpression, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type DataScope, hidesColumn, includesTable, type PropertySet, propertyPathOf, propertyTable } from '../catalogue/data-scope.ts';
import { catalogue } from '../catalogue/index.ts';
import { kinds } from '../catalogue/kinds.ts';
import { shared } from '../catalogue/property-path.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../catalogue/raw-table.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import type { Plan, PlanSource } from '../plan/plan.ts';
import { binding, column } from './bindings.ts';

type Rows = AliasableExpression<unknown>;

const tableNamed = (schema: string, name: string) => sql.table(`${schema}.${name}`);

const known = rawTables as Readonly<Record<string, RawTable>>;

/** The SQL type of a column, which a null in its place needs. A raw column that the catalogue does not have counts as text. */
const typeOf = (kind: DatasetKind, table: string, name: string): string => {
  if (kind === 'category') return kinds[catalogue.tables.get(table)!.columns[name]!.kind].type;
  const column = known[table]?.columns[name];
  return column ? partsOf(column).type : 'text';
};

/** The columns that a plan may read. Throws for a category table that is not in the catalogue, because its personal columns are unknown. */
const columnsOf = ({ kind }: PlanSource, name: string, requested: readonly string[]): readonly string[] =>
  kind === 'category' ? Object.keys(catalogue.tables.get(name)!.columns) : requested;

/** The bound values of the scope of a statement. Every plan of a statement has the same scope (`execute/reader.ts`). */
const inList = (value: Expression<unknown>, list: (scope: DataScope) => unknown, type: string) =>
  sql<SqlBool>`${value} = any(${binding(({ plan }) => list(plan.source.scope!), `${type}[]`)})`;

/** The ids of a list up to this length are bound one by one. */
const maxSpelledOut = 8;
/** A list above this length is searched in a hash table. */
const maxScanned = 250;

/**
 * How a statement compares with a list of ids. The server plans a statement once for all lists. It knows the length of a short list from the
 * text, expects about ten ids in an array, and does not search an array faster than its length. A hash table suits long lists: each row is
 * compared once, in the order of the page.
 */
const comparisonOf = ({ ids = [] }: PropertySet): number | 'array' | 'hash table' =>
  ids.length <= maxSpelledOut ? ids.length : ids.length <= maxScanned ? 'array' : 'hash table';

/** What statements of one text have in common in their scope. */
export const statementShape = (scope: DataScope | undefined): string | undefined =>
  scope?.properties?.ids ? `${scope.shape} ${comparisonOf(scope.properties)}` : scope?.shape;

const idAt = (index: number) => binding(({ plan }) => plan.source.scope!.properties!.ids![index], 'integer');

/** Whether an id is in the list of the scope. */
const isListed = (id: Expression<unknown>, set: PropertySet): RawBuilder<SqlBool> => {
  const comparison = comparisonOf(set);
  if (comparison === 'array') return inList(id, (scope) => scope.properties!.ids, 'integer');
  if (comparison !== 'hash table') return sql`${id} = any(array[${sql.join(Array.from({ length: comparison }, (_, at) => idAt(at)))}])`;
  // Without `is true`, the server would join the list and sort the rows of all its ids for each page.
  return sql`(${id} in (select unnest(${binding(({ plan }) => plan.source.scope!.properties!.ids, 'integer[]')}))) is true`;
};

/** Whether a property id is in the set. */
const isInSet = ({ schema, kind }: PlanSource, { properties }: DataScope, id: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const { ids, companies, federal_states } = properties!;
  const facts = [
    ...(companies ? [inList(column('company_number', 'h'), (scope) => scope.properties!.companies, 'text')] : []),
    ...(federal_states ? [inList(column('federal_state', 'h'), (scope) => scope.properties!.federal_states, 'text')] : []),
  ];
  const found = sql`select h.property_id from ${tableNamed(schema, propertyTable[kind])} as h where ${sql.join(facts, sql` and `)}`;
  const parts = [...(ids ? [isListed(id, properties!)] : []), ...(facts.length > 0 ? [sql<SqlBool>`${id} in (${found})`] : [])];
  return sql`${sql.join(parts, sql` and `)}`;
};

/** The condition on the rows `s` of a table; undefined if the scope includes all of them. */
const conditionOf = (source: PlanSource, scope: DataScope, name: string): RawBuilder<SqlBool> | undefined => {
  const path = scope.properties && propertyPathOf(source.kind, name);
  if (!path || path === shared) return undefined;
  const { via, column: id, isSharedWithout } = path;
  if (via.length === 0) {
    const holds = isInSet(source, scope, column(id, 's'));
    return isSharedWithout ? sql`(${column(id, 's')} is null or (${holds}))` : holds;
  }
  const steps = via.map(({ target, targetColumn, column: on }, index) => ({
    rows: sql`${tableNamed(source.schema, target)} as ${sql.id(`p${index}`)}`,
    link: sql`${column(targetColumn, `p${index}`)} = ${column(on, index === 0 ? 's' : `p${index - 1}`)}`,
  }));
  const holds = isInSet(source, scope, column(id, `p${via.length - 1}`));
  const links = sql.join(
    steps.map(({ link }) => link),
    sql` and `,
  );
  return sql`exists (select 1 from ${sql.join(steps.map(({ rows }) => rows))} where ${links} and ${holds})`;
};

/** The rows of a table of the source's customer, as far as the scope includes them. `requested` are the columns of a raw table. */
export const rowsIn = (source: PlanSource, name: string, requested: readonly string[] = []): Rows => {
  const { schema, scope, kind } = source;
  if (!scope) return tableNamed(schema, name) as unknown as Rows;
  if (!includesTable(scope, kind, name)) throw new Error(`The scope does not include the table ${name}`);
  const columns = columnsOf(source, name, requested).map((each) =>
    hidesColumn(scope, kind, name, each) ? sql`null::${sql.raw(typeOf(kind, name, each))} as ${sql.id(each)}` : column(each, 's'),
  );
  const condition = conditionOf(source, scope, name);
  // Tables without a sort key are paged by `ctid`.
  return sql`(select ${sql.join(columns)}, s.ctid from ${tableNamed(schema, name)} as s${condition ? sql` where ${condition}` : sql``})`;
};

/** The rows of a plan's own table. */
export const tableSql = ({ source, columns }: Plan): Rows => rowsIn(source, source.name, columns);
