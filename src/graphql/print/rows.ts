/** Writes the rows of a plan as a root field: its arguments and its selection (contract: prints). */
import type { Table } from '../../catalogue/table.ts';
import { type Path, pathsRead } from '../../plan/paths.ts';
import { type AggregateColumn, isAggregateColumn, type Plan } from '../../plan/plan.ts';
import type { RelationsOf } from '../../query/relation-names.ts';
import { refuse, relationOf } from '../../query/write/conditions.ts';
import { requestedOrder } from '../../query/write/rows.ts';
import { bounds } from '../document/limits.ts';
import { camelCase, groupsName } from '../schema/names.ts';
import { writtenFilter } from './filter.ts';
import { nested, relationFields } from './literals.ts';
import { aliased, WrittenSelection } from './selection.ts';

/** A root field, and what its answer lacks in comparison with that of the address, a sentence each. */
export interface WrittenField {
  readonly field: string;
  readonly notes: readonly string[];
}

/** The columns that a column of the plan reads: its own, that of a related row, or those of a function. An aggregate has a field of its own. */
const pathsOf = (name: string, { relatedColumns = [] }: Plan): readonly Path[] => {
  const related = relatedColumns.find((each) => each.name === name);
  if (related && isAggregateColumn(related)) return [];
  return related ? pathsRead<Path>(related) : [{ via: [], column: name }];
};

/** Adds the connection of an aggregate: its `totalCount`, or its only group. */
const addAggregate = (
  { via, aggregate, ...step }: AggregateColumn,
  nodes: WrittenSelection,
  { name, table, relationsOf }: { readonly name: string; readonly table: string; readonly relationsOf: RelationsOf },
): void => {
  const selection = nodes.at(relationFields(table, via, relationsOf));
  const relation = relationOf(via.at(-1)?.target ?? table, step, relationsOf);
  const key = selection.free(camelCase(name));
  const filter = aggregate.where ? [`filter: ${writtenFilter(aggregate.where, step.target, relationsOf)}`] : [];
  if (aggregate.is === 'count') {
    selection.add(key, `${aliased(key, relation.name, [...filter, 'first: 1'])} { totalCount }`);
    return;
  }
  if ('call' in aggregate) refuse('GraphQL has no such aggregate of related rows');
  const percent = aggregate.is === 'percentile' ? [`percent: ${aggregate.percent}`] : [];
  const value = `${aliased(aggregate.is, aggregate.is, percent)} { ${camelCase((aggregate as Path).column)} }`;
  selection.add(key, `${aliased(key, groupsName(relation.name), [...filter, 'first: 1'])} { groups { ${value} } }`);
};

const writtenOrder = (plan: Plan, table: Table, relationsOf: RelationsOf): readonly string[] =>
  requestedOrder(plan, table).map(({ column, isDescending }) => {
    const related = plan.relatedColumns?.find(({ name }) => name === column);
    if (related && 'call' in related) refuse('GraphQL has no order by a function of columns');
    if (related && isAggregateColumn(related)) refuse('GraphQL has no order by an aggregate of related rows');
    const { via, column: name } = related && 'via' in related ? related : { via: [], column };
    return nested([...relationFields(table.name, via, relationsOf), camelCase(name)], isDescending ? 'DESC' : 'ASC');
  });

/** The root field of a plan for rows. `nameOf` gives the name of a column in the answer. Throws `Unwritable` if GraphQL cannot say a part of the plan. */
export const rowsField = (plan: Plan, table: Table, relationsOf: RelationsOf, nameOf: (name: string) => string): WrittenField => {
  const nodes = new WrittenSelection();
  for (const { via, column } of plan.columns.flatMap((name) => pathsOf(name, plan)))
    nodes.at(relationFields(table.name, via, relationsOf)).add(camelCase(column));
  for (const column of plan.relatedColumns?.filter(isAggregateColumn) ?? [])
    addAggregate(column, nodes, { name: nameOf(column.name), table: table.name, relationsOf });
  const order = writtenOrder(plan, table, relationsOf);
  const { max } = bounds.first;
  const args = [
    ...(plan.where ? [`filter: ${writtenFilter(plan.where, table.name, relationsOf)}`] : []),
    ...(order.length > 0 ? [`orderBy: [${order.join(', ')}]`] : []),
    `first: ${Math.min(plan.limit, max)}`,
    ...(plan.offset > 0 ? [`offset: ${plan.offset}`] : []),
  ];
  const hasFunctions = plan.columns.some((name) => plan.relatedColumns?.some((each) => each.name === name && 'call' in each));
  return {
    field: `${aliased(camelCase(table.name), camelCase(table.name), args)} { totalCount nodes ${nodes} }`,
    notes: [
      ...(plan.limit > max ? [`A page has at most ${max} rows. The next one begins after \`pageInfo.endCursor\`.`] : []),
      ...(plan.after ? ['The page begins at the first row.'] : []),
      ...(hasFunctions ? ['Rows of GraphQL have no functions. The document selects the columns that they read.'] : []),
    ],
  };
};
