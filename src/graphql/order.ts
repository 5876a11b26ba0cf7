/** Orders: by columns, and by those of the rows that to-one relations lead to; nulls last either way (contract: GraphQL order). */
import type { Column } from '../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../catalogue/index.ts';
import type { Table } from '../catalogue/table.ts';
import { isIndexed } from '../database/ddl.ts';
import { type Step, stepOf } from '../read/paths.ts';
import { type FarColumn, type OrderTerm, orderBy, orderTerm } from '../read/plan.ts';
import type { InputEnum, InputRef, SchemaBuilder } from './builder.ts';
import { columnsByField, relationOf } from './filters.ts';
import { camelCase, typeName } from './names.ts';

export const directionEnum = (builder: SchemaBuilder): InputEnum =>
  builder.enumType('Direction', {
    description: 'Which end comes first; nulls are last in either direction.',
    values: { ASC: { description: 'Smallest first.' }, DESC: { description: 'Largest first.' } },
  });

/** Numbers, dates and times are ordered by whether they are found by an index or not. */
const isAmountOrDate = ({ kind }: Column): boolean => kind !== 'string' && kind !== 'boolean';

/** Columns that a table can be ordered by. */
export const orderable = (table: Table): readonly string[] =>
  Object.keys(table.columns).filter((name) => name === table.key || table.filters.includes(name) || isAmountOrDate(table.columns[name]!));

export const orderRef = (builder: SchemaBuilder, { name }: Table): InputRef => builder.inputRef(`${typeName(name)}OrderBy`);

/** What the order of a table is made of: the relations that it shows, and the orders of the tables that they lead to. */
export interface OrderParts {
  readonly direction: InputEnum;
  readonly relations: readonly ResolvedRelation[];
  readonly orderOf: (table: string) => InputRef;
}

/** Makes the input type of one step of an order, such as `OrderOrderBy`: one column and its direction. */
export const addTableOrder = (builder: SchemaBuilder, table: Table, { direction, relations, orderOf }: OrderParts): void => {
  builder.inputType(orderOf(table.name), {
    description: `One step of an order of ${table.name}: exactly one column.`,
    isOneOf: true,
    fields: (t) => ({
      ...Object.fromEntries(
        orderable(table).map((column) => [camelCase(column), t.field({ type: direction, description: table.columns[column]!.meaning })]),
      ),
      ...Object.fromEntries(
        relations
          .filter(({ kind }) => kind === 'to-one')
          .map(({ name, target }) => [name, t.field({ type: orderOf(target), description: `By a column of its ${target}.` })]),
      ),
    }),
  });
};

type StepInput = Readonly<Record<string, unknown>>;

/** An order as a plan takes it, and those of its columns that no index holds in order, as the schema names them. */
export interface Order {
  readonly order: readonly OrderTerm[];
  readonly far: readonly FarColumn[];
  readonly unindexed: readonly string[];
}

/** Follows one step of an order along its relations to its column. */
const follow = (catalogue: Catalogue, start: Table, input: StepInput) => {
  let [table, value, path]: [Table, unknown, readonly string[]] = [start, input, []];
  const via: Step[] = [];
  for (;;) {
    const [[name, inner] = ['', undefined]] = Object.entries(value as StepInput);
    path = [...path, name];
    const column = columnsByField(table).get(name);
    if (column !== undefined) return { table, via, column, path: path.join('.'), isDescending: inner === 'DESC' };
    const relation = relationOf(catalogue, table, name);
    via.push(stepOf(relation));
    [table, value] = [catalogue.tables.get(relation.target)!, inner];
  }
};

/** The order that an argument asks for, made unique. */
export const orderOf = (catalogue: Catalogue, table: Table, argument: unknown): Order => {
  const far: FarColumn[] = [];
  const unindexed: string[] = [];
  const terms = ((argument ?? []) as readonly StepInput[]).map((input): OrderTerm => {
    const { table: there, via, column, path, isDescending } = follow(catalogue, table, input);
    const own = orderTerm(there, column, isDescending);
    if (via.length > 0 || !isIndexed(catalogue, table, column)) unindexed.push(`${camelCase(table.name)}.${path}`);
    if (via.length === 0) return own;
    // A space keeps the name apart from those of columns.
    const name = `far ${far.length}`;
    far.push({ name, via, column });
    return { ...own, column: name, isNullable: true };
  });
  return { order: orderBy(table, terms), far, unindexed };
};
