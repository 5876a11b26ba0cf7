/**
 * What a plan asks of, as Kysely's building blocks: rows of its table, or groups of them as a table of their own, of which whatever
 * is asked of rows can be asked.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Bucket, countName, type Formula, type GroupKey, type Groups, type GroupValue, pathsOf, totalName } from './groups.ts';
import type { Path } from './paths.ts';
import type { Plan } from './plan.ts';
import {
  type Any,
  behind,
  column,
  db,
  following,
  matches,
  type Query,
  from as rowsFrom,
  matching as rowsMatching,
  where,
} from './select.ts';

type Conditions = readonly Expression<SqlBool>[];
type Reach = (path: Path) => Expression<Any>;

/** The first moment of the stretch that a value lies in; of a point in time, in UTC (contract: buckets). */
const bucketOf = (value: Expression<Any>, kind: GroupKey['kind'], bucket: Bucket) =>
  kind === 'date' ? sql`date_trunc(${sql.lit(bucket)}, ${value}::timestamp)::date` : sql`date_trunc(${sql.lit(bucket)}, ${value}, 'UTC')`;

const keyOf = (reach: Reach, key: GroupKey) => (key.bucket ? bucketOf(reach(key), key.kind, key.bucket) : reach(key));

/** Digits that an average has behind the point beyond those of its values. */
const averageDigits = 4;

const formulaOf = (reach: Reach, formula: Formula) =>
  sql.join(
    formula.map((part) => (typeof part === 'string' ? sql.raw(part) : reach(part))),
    sql.raw(''),
  );

const figureOf = (reach: Reach, value: GroupValue): Expression<Any> => {
  if (value.is === 'measure') return formulaOf(reach, value.formula);
  const own = column(value.column);
  if (value.is === 'distinct') return sql`count(distinct ${own})`;
  if (value.is === 'avg') return sql`round(avg(${own}), ${sql.lit(value.scale + averageDigits)})`;
  return sql`${sql.raw(value.is)}(${own})`;
};

/** The groups of a plan; `among`: only of the rows for which these hold too. */
const groupsOf = (plan: Plan, groups: Groups, among: Conditions): Query => {
  const { keys, values, having, top, isCounted } = groups;
  const members = where(rowsFrom(plan), [...among, ...rowsMatching(plan)]);
  const [rows, reach] = following(members, plan.source.schema, pathsOf(groups));
  const put = rows.select([
    ...keys.map((key) => sql`${keyOf(reach, key)}`.as(key.name)),
    sql`count(*)`.as(countName),
    ...values.map((value) => sql`${figureOf(reach, value)}`.as(value.name)),
  ]);
  let found = (keys.length > 0 ? put.groupBy(keys.map((key) => sql`${keyOf(reach, key)}`)) : put) as Query;
  const within = (more: Conditions = []) => where(db.selectFrom(found.as('t')).selectAll('t') as Query, more);
  if (having) found = within([matches(having, (asked) => asked.plan.groups!.having, { schema: plan.source.schema, alias: 't' })]);
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

/** What a plan asks of: its table, or its groups, which follow from rows for which `among` holds too. */
export const from = (plan: Plan, among: Conditions = []): Query => {
  if (plan.groups) return db.selectFrom(groupsOf(plan, plan.groups, among).as('t')) as Query;
  return where(rowsFrom(plan), among);
};

/** What groups have to meet stands inside of them. */
export const matching = (plan: Plan): Conditions => (plan.groups ? [] : rowsMatching(plan));
export const reached = (plan: Plan): Conditions => [...matching(plan), ...(plan.after ? [behind(plan)] : [])];

/** What a page of one parent's rows shows, or of groups of them. */
export const ofParent = (plan: Plan, isLinked: Expression<SqlBool>): Query =>
  plan.groups ? where(from(plan, [isLinked]), reached(plan)) : where(from(plan), [isLinked, ...reached(plan)]);
