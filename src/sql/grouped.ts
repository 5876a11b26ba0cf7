/**
 * The source of a plan's rows as Kysely expressions: its table, or its groups as a derived table. A query can use either in the same way.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Kind } from '../catalogue/column.ts';
import { type KindMeaning, kinds } from '../catalogue/kinds.ts';
import { isSeriesDay } from '../catalogue/measure-formula.ts';
import type { Bucket } from '../plan/groups/buckets.ts';
import {
  countName,
  type Formula,
  formulaPaths,
  type GroupKey,
  type Groups,
  type GroupValue,
  isZeroWithoutRows,
  othersOf,
  otherTableOf,
  type SumOnce,
  totalName,
} from '../plan/groups/groups.ts';
import type { Path } from '../plan/paths.ts';
import type { Plan, Source } from '../plan/plan.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { bandOf, daysOf, filled, labelled } from './bands.ts';
import { type Any, column } from './bindings.ts';
import { withComputed } from './computed.ts';
import { onceParts, relatedOnce, sumOfRelated } from './once.ts';
import {
  conditionSql,
  db,
  joinPaths,
  keysetPredicate,
  type Query,
  from as rowsFrom,
  matching as rowsMatching,
  seriesDay,
  validOnDay,
  where,
} from './select.ts';
import { rowsIn } from './tables.ts';

type Conditions = readonly Expression<SqlBool>[];
type Reach = (path: Path) => Expression<Any>;

/** The start of a value's bucket. For points in time it is in UTC (contract: buckets). */
const bucketOf = (value: Expression<Any>, kind: GroupKey['kind'], bucket: Bucket) =>
  kind === 'date' ? sql`date_trunc(${sql.lit(bucket)}, ${value}::timestamp)::date` : sql`date_trunc(${sql.lit(bucket)}, ${value}, 'UTC')`;

/** A value, or null if it is NaN or infinite (contract: values that are not finite). */
const finiteOf = (value: Expression<Any>, kind: Kind): Expression<Any> => {
  const { finite }: KindMeaning = kinds[kind];
  const parts = (finite ?? []).flatMap((part, index) => [...(index > 0 ? [value] : []), sql.raw(part)]);
  return finite ? sql.join(parts, sql.raw('')) : value;
};

const keyOf = (reach: Reach, key: GroupKey) => {
  if (key.series) return seriesDay;
  const value = finiteOf(reach(key), key.kind);
  if (key.band) return bandOf(value, key);
  return key.bucket ? bucketOf(value, key.kind, key.bucket) : value;
};

/** Decimal places that an average has in addition to those of its values. */
const averageDigits = 4;

const partOf = (reach: Reach, part: Formula[number]): Expression<Any> => {
  if (typeof part === 'string') return sql.raw(part);
  return isSeriesDay(part) ? seriesDay : reach(part);
};

const formulaOf = (reach: Reach, formula: Formula) =>
  sql.join(
    formula.map((part) => partOf(reach, part)),
    sql.raw(''),
  );

/**
 * The smallest value that at least `percent` percent of the values do not exceed. The fraction is reduced, because its product with the
 * number of values can be rounded up beyond a whole number.
 */
const percentileOf = (value: Expression<Any>, percent: number, isDescending = false) => {
  const order = isDescending ? sql`${value} desc` : value;
  return sql`percentile_disc(${sql.lit(percent / 100 - 1e-12)}) within group (order by ${order})`;
};

/**
 * Checks numbers once per group for NaN and infinity. A check of each row would make sums a tenth slower. `only` limits an aggregate to the
 * rows that count.
 */
const figureOf = (reach: Reach, value: GroupValue, only: (aggregate: Expression<Any>) => Expression<Any>): Expression<Any> => {
  if (value.is === 'measure') return finiteOf(formulaOf(reach, value.formula), 'number');
  if (value.is === 'count') return only(sql`count(*)`);
  // The sum of whole numbers is one, too, and cannot be compared with NaN.
  if (value.is === 'sum_once') return value.kind === 'number' ? finiteOf(sumOfRelated(value), 'number') : sumOfRelated(value);
  const own = column(value.column);
  const finite = finiteOf(own, value.kind);
  const rounded = (aggregate: Expression<Any>) =>
    finiteOf(sql`round(${only(aggregate)}, ${sql.lit(value.scale + averageDigits)})`, 'number');
  switch (value.is) {
    case 'distinct':
      return only(sql`count(distinct ${finite})`);
    case 'avg':
      return rounded(sql`avg(${own})`);
    case 'stddev':
      // `stddev_samp` has fewer digits than its values if the variance is large.
      return finiteOf(sql`round(sqrt(${only(sql`var_samp(${own})`)}), ${sql.lit(value.scale + averageDigits)})`, 'number');
    case 'percentile':
      return only(percentileOf(finite, value.percent));
    case 'median':
      // The mean of the two middle values. A product is exact, a quotient is not.
      return sql`(${only(percentileOf(finite, 50))} + ${only(percentileOf(finite, 50, true))}) * 0.5`;
    default:
      if (value.kind === 'number') return finiteOf(only(sql`${sql.raw(value.is)}(${own})`), 'number');
      return only(sql`${sql.raw(value.is)}(${finite})`);
  }
};

/** Limits the aggregate of a value to the rows that meet its condition. */
const onlyOf =
  (source: Source, value: GroupValue, index: number) =>
  (aggregate: Expression<Any>): Expression<Any> => {
    const condition = conditionOfValue(source, value, index);
    return condition ? sql`${aggregate} filter (where ${condition})` : aggregate;
  };

/** The condition of the value at an index on the rows that count. */
const conditionOfValue = (source: Source, value: GroupValue, index: number): Expression<SqlBool> | undefined => {
  if (value.is === 'measure' || !value.where) return undefined;
  const at = ({ plan }: PlanQuery) => (plan.groups!.values[index] as Exclude<GroupValue, { is: 'measure' }>).where;
  return conditionSql(value.where, at, { source, alias: 't' });
};

/** Each row once for each day of the series on which it is valid. */
const inSeries = (rows: Query, { keys }: Groups): Query => {
  const key = keys.find(({ series }) => series);
  if (!key) return rows;
  const [from, to] = key.series!.validity.map((name) => column(name));
  const days = sql`unnest(${daysOf(key.name)})`.as<'series'>(sql`series(day)`);
  return rows.innerJoin(days, (join) => join.on(validOnDay(from!, to!))) as unknown as Query;
};

/** Rows that form groups, the paths from them, their keys, and the values that are computed from them. */
interface Part {
  readonly rows: Query;
  readonly reach: Reach;
  readonly keyOf: (key: GroupKey) => Expression<Any>;
  readonly has: (value: GroupValue) => boolean;
}

/** The rows of the plan's table within the groups. */
const membersOf = (plan: Plan, groups: Groups, among: Conditions): Query =>
  where(inSeries(rowsFrom(plan), groups), [...among, ...rowsMatching(plan)]);

const ownPart = (plan: Plan, groups: Groups, among: Conditions): Part => {
  const { keys, values } = groups;
  const [rows, reach] = joinPaths(membersOf(plan, groups, among), plan.source, [...keys, ...formulaPaths(values)]);
  const has = (value: GroupValue) => value.is !== 'sum_once' && otherTableOf(value) === undefined;
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
  const members = where(db.selectFrom(rowsIn(plan.source, other.table).as('t')) as Query, [...among, ...rowsMatching(plan)]);
  const [joined, reach] = joinPaths(members, plan.source, [...keys, ...other.paths]);
  const rows = where(joined, [sql<SqlBool>`${formulaOf(reach, other.where)}`]);
  return { rows, reach, keyOf: (key) => keyOf(reach, key), has: (value) => otherTableOf(value) === other.table };
};

/** The rows of a part by their keys. The first part counts its rows, and gives values of other parts a type. */
const putTogether = (plan: Plan, { keys, values }: Groups, part: Part, at: number): Query => {
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
  return (keys.length > 0 ? put.groupBy(by) : put) as Query;
};

/** Groups of several parts side by side. Each part has at most one group for each combination of keys, so its values are the maxima. */
const beside = (parts: Query, { keys, values }: Groups): Query => {
  const names = keys.map(({ name }) => column(name));
  const merged = db.selectFrom(parts.as('t')).select([
    ...keys.map(({ name }) => column(name).as(name)),
    sql`max(${column(countName)})`.as(countName),
    ...values.map((value) => {
      const found = sql`max(${column(value.name)})`;
      return (isZeroWithoutRows(value) ? sql`coalesce(${found}, 0)` : found).as(value.name);
    }),
  ]);
  return (keys.length > 0 ? merged.groupBy(names) : merged) as Query;
};

/** The groups of a plan. They contain only rows that also meet the conditions `among`. */
const groupsOf = (plan: Plan, groups: Groups, among: Conditions): Query => {
  const { having, top, isCounted } = groups;
  const parts = [
    ownPart(plan, groups, among),
    ...onceParts(groups.values).map((sums) => oncePart(plan, groups, among, sums)),
    ...othersOf(groups.values).map((other) => otherPart(plan, groups, among, other)),
  ];
  const [own, ...others] = parts.map((part, at) => putTogether(plan, groups, part, at));
  const all = others.reduce((one, other) => one.unionAll(other), own!);
  const grouped = others.length > 0 ? beside(all, groups) : all;
  const order = sql.join(orderTerms(plan));
  let found = withComputed(labelled(filled(grouped, groups), groups), groups, order);
  const within = (more: Conditions = []) => where(db.selectFrom(found.as('t')).selectAll('t') as Query, more);
  if (having) found = within([conditionSql(having, (planQuery) => planQuery.plan.groups!.having, { source: plan.source, alias: 't' })]);
  if (top) {
    const by = sql.join(top.by.map((name) => column(name)));
    found = within().select(sql`row_number() over (partition by ${by} order by ${order})`.as('place')) as Query;
    found = within([sql<SqlBool>`${column('place')} <= ${sql.lit(top.first)}`]);
  }
  if (isCounted) found = within().select(sql`count(*) over ()`.as(totalName)) as Query;
  return found;
};

const orderTerms = ({ order }: Plan) =>
  order.map(({ column: name, isDescending }) => (isDescending ? sql`${column(name)} desc nulls last` : sql`${column(name)}`));

/** The source of a plan's rows: its table or its groups. Only rows that also meet the conditions `among` count. */
export const from = (plan: Plan, among: Conditions = []): Query => {
  if (plan.groups) return db.selectFrom(groupsOf(plan, plan.groups, among).as('t')) as Query;
  return where(rowsFrom(plan), among);
};

/** The conditions on the source. A source of groups already contains its conditions. */
export const matching = (plan: Plan): Conditions => (plan.groups ? [] : rowsMatching(plan));
export const conditionsOf = (plan: Plan): Conditions => [...matching(plan), ...(plan.after ? [keysetPredicate(plan)] : [])];

/** A query for the rows of one parent, or for groups of these rows. */
export const rowsOfParent = (plan: Plan, isLinked: Expression<SqlBool>): Query =>
  plan.groups ? where(from(plan, [isLinked]), conditionsOf(plan)) : where(from(plan), [isLinked, ...conditionsOf(plan)]);
