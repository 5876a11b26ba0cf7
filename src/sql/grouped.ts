/**
 * The source of a plan's rows as Kysely expressions: its table, or its groups as a derived table. A query can use either in the same way.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Kind } from '../catalogue/column.ts';
import { type KindMeaning, kinds } from '../catalogue/kinds.ts';
import { type Bucket, countName, type Formula, type GroupKey, type Groups, type GroupValue, pathsOf, totalName } from '../plan/groups.ts';
import type { Path } from '../plan/paths.ts';
import type { Plan } from '../plan/plan.ts';
import { type Any, column } from './bindings.ts';
import { conditionSql, db, joinPaths, keysetPredicate, type Query, from as rowsFrom, matching as rowsMatching, where } from './select.ts';

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
  const value = finiteOf(reach(key), key.kind);
  return key.bucket ? bucketOf(value, key.kind, key.bucket) : value;
};

/** Decimal places that an average has in addition to those of its values. */
const averageDigits = 4;

const formulaOf = (reach: Reach, formula: Formula) =>
  sql.join(
    formula.map((part) => (typeof part === 'string' ? sql.raw(part) : reach(part))),
    sql.raw(''),
  );

/** Checks numbers once per group for NaN and infinity. A check of each row would make sums a tenth slower. */
const figureOf = (reach: Reach, value: GroupValue): Expression<Any> => {
  if (value.is === 'measure') return finiteOf(formulaOf(reach, value.formula), 'number');
  const own = column(value.column);
  if (value.is === 'distinct') return sql`count(distinct ${finiteOf(own, value.kind)})`;
  if (value.is === 'avg') return finiteOf(sql`round(avg(${own}), ${sql.lit(value.scale + averageDigits)})`, 'number');
  if (value.kind === 'number') return finiteOf(sql`${sql.raw(value.is)}(${own})`, 'number');
  return sql`${sql.raw(value.is)}(${finiteOf(own, value.kind)})`;
};

/** The groups of a plan. They contain only rows that also meet the conditions `among`. */
const groupsOf = (plan: Plan, groups: Groups, among: Conditions): Query => {
  const { keys, values, having, top, isCounted } = groups;
  const members = where(rowsFrom(plan), [...among, ...rowsMatching(plan)]);
  const [rows, reach] = joinPaths(members, plan.source, pathsOf(groups));
  const put = rows.select([
    ...keys.map((key) => sql`${keyOf(reach, key)}`.as(key.name)),
    sql`count(*)`.as(countName),
    ...values.map((value) => sql`${figureOf(reach, value)}`.as(value.name)),
  ]);
  let found = (keys.length > 0 ? put.groupBy(keys.map((key) => sql`${keyOf(reach, key)}`)) : put) as Query;
  const within = (more: Conditions = []) => where(db.selectFrom(found.as('t')).selectAll('t') as Query, more);
  if (having) found = within([conditionSql(having, (planQuery) => planQuery.plan.groups!.having, { source: plan.source, alias: 't' })]);
  if (top) {
    const order = sql.join(orderTerms(plan));
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
