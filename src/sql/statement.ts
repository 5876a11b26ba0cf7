/** Statements by shape. The SQL text is built once for all plans that differ only in values. A request only binds values. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { shapeOfCondition } from '../plan/condition.ts';
import type { Groups } from '../plan/groups/groups.ts';
import { isAggregateColumn, type OtherColumn, type Plan } from '../plan/plan.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import type { Binding, BoundValue } from './bindings.ts';
import { buildQuery, minDeepOffset } from './query.ts';
import { statementShape } from './tables.ts';

/** A statement for `pg`. With a name, the server plans it once per connection; without a name, each time. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
  /** The query that it answers. Its customer determines whose time slice the rows use. */
  readonly planQuery?: PlanQuery;
}

interface Shape {
  readonly text: string;
  readonly name: string;
  readonly places: readonly BoundValue[];
}

const mebibyte = 2 ** 20;
/** Longer texts have no name, because a named statement takes a multiple of its text in every backend. */
const longestNamed = 8_192;
const shapes = new LRUCache<string, Shape>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

/** Occurs in no database name and in no JSON text. */
const separator = '\0';

/** The bound values of groups are those of conditions and bands, and numbers of periods. */
const shapeOfGroups = ({ keys, computed = [], having, values, ...groups }: Groups) => ({
  ...groups,
  keys: keys.map(({ band, series, ...key }) => ({ ...key, band: band?.is, series: series?.validity })),
  computed: computed.map(({ along, ...value }) => (along ? { ...value, along: [along.name, along.kind, along.period] } : value)),
  having: having && shapeOfCondition(having),
  values: values.map((value) => ('where' in value && value.where ? { ...value, where: shapeOfCondition(value.where) } : value)),
});

const shapeOfOther = (column: OtherColumn) => {
  if (!isAggregateColumn(column) || !column.aggregate.where) return column;
  return { ...column, aggregate: { ...column.aggregate, where: shapeOfCondition(column.aggregate.where) } };
};

/** A plan without its values, except the limit and which keyset values are null. Lists start with their length. */
const shapeOfPlan = ({
  source,
  columns,
  where: condition,
  order,
  relatedColumns,
  after,
  isBackward,
  offset,
  joinedRows,
  groups,
}: Plan): string =>
  [
    source.schema,
    source.kind,
    statementShape(source.scope),
    source.name,
    source.cursor?.column,
    columns.length,
    ...columns,
    condition && JSON.stringify(shapeOfCondition(condition)),
    order.length,
    ...order.flatMap((each) => [each.column, each.isDescending, each.isNullable]),
    relatedColumns && JSON.stringify(relatedColumns.map(shapeOfOther)),
    after && JSON.stringify(after.map((value) => value === null)),
    isBackward,
    Math.sign(offset) + Number(offset >= minDeepOffset),
    joinedRows.length,
    ...joinedRows.flatMap(({ on, link, plan }) => [on, link.column, shapeOfPlan(plan)]),
    groups && JSON.stringify(shapeOfGroups(groups)),
  ].join(separator);

/** The name of a statement is a hash of its text, so that the server plans each text once per connection; empty if it has no name. */
const statementName = (text: string): string =>
  text.length > longestNamed ? '' : `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;

const shapeOf = (planQuery: PlanQuery): Shape => {
  const { queryKind, plan, limit, parents, changes } = planQuery;
  const key = [queryKind, limit, parents?.link.column, parents?.link.isUnique, changes?.key.column, shapeOfPlan(plan)].join(separator);
  const known = shapes.get(key);
  if (known) return known;
  const { sql: text, parameters } = buildQuery(planQuery).compile();
  const shape = { text, name: statementName(text), places: parameters.map((parameter) => (parameter as Binding).value) };
  shapes.set(key, shape);
  return shape;
};

/** The statement for a query on a plan. */
export const statementFor = (planQuery: PlanQuery): BoundStatement => {
  const { text, name, places } = shapeOf(planQuery);
  return { text, name, values: places.map((place) => place(planQuery)), planQuery };
};
