/**
 * The source of a plan's rows as Kysely expressions: its table, or its groups as a derived table. A query can use either in the same way.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { isSeriesDay } from '../catalogue/measures/measure-formula.ts';
import {
  countName,
  type Formula,
  formulaPaths,
  type GroupKey,
  type Groups,
  type GroupValue,
  othersOf,
  otherTableOf,
  pathsOver,
  type SumOnce,
  totalName,
} from '../plan/groups/groups.ts';
import type { Plan, PlanSource } from '../plan/plan.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import type { Bucket } from '../plan/vocabulary/keys.ts';
import { aggregateSql } from './aggregates.ts';
import { bandOf, filled, labelled, mergedValue, seriesDays } from './bands.ts';
import { type Any, column } from './bindings.ts';
import { withComputed } from './computed.ts';
import { onceParts, relatedOnce, sumOfRelated } from './once.ts';
import { finiteOf, type Reach } from './row-values.ts';
import { joinPaths, rowsFrom } from './rows.ts';
import { conditionSql, db, keysetPredicate, type RowsQuery, rowsMatching, seriesDay, validOnDay, where } from './select.ts';
import { rowsIn } from './tables.ts';

type Conditions = readonly Expression<SqlBool>[];

/** The start of a value's bucket. For points in time it is in UTC (contract: buckets). */
const bucketOf = (value: Expression<Any>, kind: GroupKey['kind'], bucket: Bucket) =>
  kind === 'date' ? sql`date_trunc(${sql.lit(bucket)}, ${value}::timestamp)::date` : sql`date_trunc(${sql.lit(bucket)}, ${value}, 'UTC')`;

const keyOf = (reach: Reach, key: GroupKey) => {
  if (key.series) return seriesDay;
  const value = finiteOf(reach(key), key.kind);
  if (key.band) return bandOf(value, key);
  return key.bucket ? bucketOf(value, key.kind, key.bucket) : value;
};

const partOf = (reach: Reach, part: Formula[number]): Expression<Any> => {
  if (typeof part === 'string') return sql.raw(part);
  return isSeriesDay(part) ? seriesDay : reach(part);
};

const formulaOf = (reach: Reach, formula: Formula) =>
  sql.join(
    formula.map((part) => partOf(reach, part)),
    sql.raw(''),
  );

const figureOf = (reach: Reach, value: GroupValue, only: (aggregate: Expression<Any>) => Expression<Any>): Expression<Any> => {
  if (value.is === 'measure') return finiteOf(formulaOf(reach, value.formula), 'number');
  if (value.is !== 'sum_once') return aggregateSql(reach, value, only);
  // The sum of whole numbers is one, too, and cannot be compared with NaN.
  return value.kind === 'number' ? finiteOf(sumOfRelated(value), 'number') : sumOfRelated(value);
};

/** Limits the aggregate of a value to the rows that meet its condition. */
const onlyOf =
  (source: PlanSource, value: GroupValue, index: number) =>
  (aggregate: Expression<Any>): Expression<Any> => {
    const condition = conditionOfValue(source, value, index);
    return condition ? sql`${aggregate} filter (where ${condition})` : aggregate;
  };

/** The condition of the value at an index on the rows that count. */
const conditionOfValue = (source: PlanSource, value: GroupValue, index: number): Expression<SqlBool> | undefined => {
  if (value.is === 'measure' || !value.where) return undefined;
  const at = ({ plan }: PlanQuery) => (plan.groups!.values[index] as Exclude<GroupValue, { is: 'measure' }>).where;
  return conditionSql(value.where, at, { source, alias: 't' });
};

/** Each row once for each day of the series on which it is valid. */
const inSeries = (rows: RowsQuery, { keys }: Groups): RowsQuery => {
  const key = keys.find(({ series }) => series);
  if (!key) return rows;
  const [from, to] = key.series!.validity.map((name) => column(name));
  const days = sql`unnest(${seriesDays(key.name)})`.as<'series'>(sql`series(day)`);
  return rows.innerJoin(days, (join) => join.on(validOnDay(from!, to!))) as unknown as RowsQuery;
};

/** Rows that form groups, the paths from them, their keys, and the values that are computed from them. */
interface Part {
  readonly rows: RowsQuery;
  readonly reach: Reach;
  readonly keyOf: (key: GroupKey) => Expression<Any>;
  readonly has: (value: GroupValue) => boolean;
}

/** The rows of the plan's table within the groups. */
const membersOf = (plan: Plan, groups: Groups, among: Conditions): RowsQuery =>
  where(inSeries(rowsFrom(plan), groups), [...among, ...rowsMatching(plan)]);

const ownPart = (plan: Plan, groups: Groups, among: Conditions): Part => {
  const { keys, values } = groups;
  const has = (value: GroupValue) => value.is !== 'sum_once' && otherTableOf(value) === undefined;
  const [rows, reach] = joinPaths(membersOf(plan, groups, among), plan.source, [
    ...keys,
    ...values.filter(has).flatMap(pathsOver),
    ...formulaPaths(values),
  ]);
  return { rows, reach, keyOf: (key) => keyOf(reach, key), has };
};

/** The related rows of groups, each once in each group. */
const oncePart = (plan: Plan, groups: Groups, among: Conditions, sums: readonly SumOnce[]): Part => {
  const { keys, values } = groups;
  // Sums of one part have the same condition or none.
  const only = conditionOfValue(plan.source, sums[0]!, values.indexOf(sums[0]!));
  const members = where(membersOf(plan, groups, among), only ? [only] : []);
  const [joined, reach] = joinPaths(members, plan.source, [...keys, ...sums]);
  const rows = relatedOnce(
    joined,
    keys.map((key) => [key.name, keyOf(reach, key)]),
    sums,
    reach,
  );
  const has = (value: GroupValue) => value.is === 'sum_once' && sums.includes(value);
  return { rows, reach, keyOf: ({ name }) => column(name), has };
};

/** The rows of another table that form groups. Keys and conditions are the same for both tables. */
const otherPart = (plan: Plan, { keys }: Groups, among: Conditions, other: ReturnType<typeof othersOf>[number]): Part => {
  const members = where(db.selectFrom(rowsIn(plan.source, other.table).as('t')) as RowsQuery, [...among, ...rowsMatching(plan)]);
  const [joined, reach] = joinPaths(members, plan.source, [...keys, ...other.paths]);
  const rows = where(joined, [sql<SqlBool>`${formulaOf(reach, other.where)}`]);
  return { rows, reach, keyOf: (key) => keyOf(reach, key), has: (value) => otherTableOf(value) === other.table };
};

/** The rows of a part by their keys. The first part counts its rows, and gives values of other parts a type. */
const putTogether = (plan: Plan, { keys, values }: Groups, part: Part, at: number): RowsQuery => {
  const figure = (value: GroupValue, index: number) => {
    if (part.has(value)) return figureOf(part.reach, value, onlyOf(plan.source, value, index));
    return at === 0 ? sql`null::numeric` : sql`null`;
  };
  const put = part.rows.select([
    ...keys.map((key) => sql`${part.keyOf(key)}`.as(key.name)),
    sql`${at === 0 ? sql`count(*)` : sql`0`}`.as(countName),
    ...values.map((value, index) => sql`${figure(value, index)}`.as(value.name)),
  ]);
  // Bands by position, because equal expressions with different bound values are not equal to the database.
  const by = keys.map((key, index) => (key.band ? sql`${sql.lit(index + 1)}` : sql`${part.keyOf(key)}`));
  return (keys.length > 0 ? put.groupBy(by) : put) as RowsQuery;
};

/** Groups of several parts side by side. Each part has at most one group for each combination of keys, so its values are the maxima. */
const joinParts = (parts: RowsQuery, { keys, values }: Groups): RowsQuery => {
  const names = keys.map(({ name }) => column(name));
  const merged = db
    .selectFrom(parts.as('t'))
    .select([
      ...keys.map(({ name }) => column(name).as(name)),
      sql`max(${column(countName)})`.as(countName),
      ...values.map((value) => mergedValue(value).as(value.name)),
    ]);
  return (keys.length > 0 ? merged.groupBy(names) : merged) as RowsQuery;
};

/** The groups of a plan. They contain only rows that also meet the conditions `among`. */
const groupsOf = (plan: Plan, groups: Groups, among: Conditions): RowsQuery => {
  const { having, top, isCounted } = groups;
  const parts = [
    ownPart(plan, groups, among),
    ...onceParts(groups.values).map((sums) => oncePart(plan, groups, among, sums)),
    ...othersOf(groups.values).map((other) => otherPart(plan, groups, among, other)),
  ];
  const [own, ...others] = parts.map((part, at) => putTogether(plan, groups, part, at));
  const all = others.reduce((one, other) => one.unionAll(other), own!);
  const grouped = others.length > 0 ? joinParts(all, groups) : all;
  const order = sql.join(orderTerms(plan));
  let found = withComputed(labelled(filled(grouped, groups), groups), groups, order);
  const within = (more: Conditions = []) => where(db.selectFrom(found.as('t')).selectAll('t') as RowsQuery, more);
  if (having) found = within([conditionSql(having, (planQuery) => planQuery.plan.groups!.having, { source: plan.source, alias: 't' })]);
  if (top) {
    const by = sql.join(top.by.map((name) => column(name)));
    found = within().select(sql`row_number() over (partition by ${by} order by ${order})`.as('place')) as RowsQuery;
    found = within([sql<SqlBool>`${column('place')} <= ${sql.lit(top.first)}`]);
  }
  if (isCounted) found = within().select(sql`count(*) over ()`.as(totalName)) as RowsQuery;
  return found;
};

const orderTerms = ({ order }: Plan) =>
  order.map(({ column: name, isDescending }) => (isDescending ? sql`${column(name)} desc nulls last` : sql`${column(name)}`));

/** The source of a plan's rows: its table or its groups. Only rows that also meet the conditions `among` count. */
export const fromPlan = (plan: Plan, among: Conditions = []): RowsQuery => {
  if (plan.groups) return db.selectFrom(groupsOf(plan, plan.groups, among).as('t')) as RowsQuery;
  return where(rowsFrom(plan), among);
};

/** The conditions on the source. A source of groups already contains its conditions. */
export const matching = (plan: Plan): Conditions => (plan.groups ? [] : rowsMatching(plan));
export const conditionsOf = (plan: Plan): Conditions => [...matching(plan), ...(plan.after ? [keysetPredicate(plan)] : [])];

/** A query for the rows of one parent, or for groups of these rows. */
export const rowsOfParent = (plan: Plan, isLinked: Expression<SqlBool>): RowsQuery =>
  plan.groups ? where(fromPlan(plan, [isLinked]), conditionsOf(plan)) : where(fromPlan(plan), [isLinked, ...conditionsOf(plan)]);
