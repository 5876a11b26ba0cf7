/** Orders: by columns of a table, and by columns of its to-one relations. Nulls are last in both directions (contract: GraphQL order). */
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import type { Table } from '../../catalogue/table.ts';
import { isIndexed } from '../../database/ddl.ts';
import { type RelationStep, relationStep } from '../../plan/paths.ts';
import { type OrderTerm, orderBy, orderTerm, type RelatedColumn, relatedName } from '../../plan/plan.ts';
import type { InputEnum, InputRef, SchemaBuilder } from './builder.ts';
import { columnsByField, filterRelationOf } from './filter-conditions.ts';
import { camelCase, rowTypeName } from './names.ts';

export const directionEnum = (builder: SchemaBuilder): InputEnum =>
  builder.enumType('Direction', {
    description: 'The sort direction. Nulls are always last.',
    values: { ASC: { description: 'Smallest first.' }, DESC: { description: 'Largest first.' } },
  });

export const orderRef = (builder: SchemaBuilder, { name }: Table): InputRef => builder.inputRef(`${rowTypeName(name)}OrderBy`);

/** The parts of a table's order: its visible relations, and the orders of their targets. */
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
        Object.entries(table.columns).map(([column, { meaning }]) => [
          camelCase(column),
          t.field({ type: direction, description: meaning }),
        ]),
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

/** The order of a plan. `unindexed` names the columns that have no index for it, with their names in the schema. */
export interface OrderInput {
  readonly order: readonly OrderTerm[];
  readonly relatedColumns: readonly RelatedColumn[];
  readonly unindexed: readonly string[];
}

/** Follows the relations of one step of an order to its column. */
const follow = (catalogue: Catalogue, start: Table, input: StepInput) => {
  let [table, value, path]: [Table, unknown, readonly string[]] = [start, input, []];
  const via: RelationStep[] = [];
  for (;;) {
    const [[name, inner] = ['', undefined]] = Object.entries(value as StepInput);
    path = [...path, name];
    const column = columnsByField(table).get(name);
    if (column !== undefined) return { table, via, column, path: path.join('.'), isDescending: inner === 'DESC' };
    const relation = filterRelationOf(catalogue, table, name);
    via.push(relationStep(relation));
    [table, value] = [catalogue.tables.get(relation.target)!, inner];
  }
};

/** The order of an argument, with further columns that make it unique. */
export const orderOfArgument = (catalogue: Catalogue, table: Table, argument: unknown): OrderInput => {
  const relatedColumns: RelatedColumn[] = [];
  const unindexed: string[] = [];
  const terms = ((argument ?? []) as readonly StepInput[]).map((input): OrderTerm => {
    const { table: target, via, column, path, isDescending } = follow(catalogue, table, input);
    const own = orderTerm(target, column, isDescending);
    if (via.length > 0 || !isIndexed(catalogue, table, column)) unindexed.push(`${camelCase(table.name)}.${path}`);
    if (via.length === 0) return own;
    const name = relatedName(relatedColumns.length);
    relatedColumns.push({ name, via, column });
    return { ...own, column: name, isNullable: true };
  });
  return { order: orderBy(table, terms), relatedColumns, unindexed };
};
