/** Computed values of groups in SQL (contract: computed values). Each level encloses the levels that it is computed from. */
import { type Expression, sql } from 'kysely';
import type { Kind } from '../catalogue/column.ts';
import type { ComputedValue } from '../plan/groups/computed.ts';
import type { Groups } from '../plan/groups/groups.ts';
import { type Bucket, periods as periodsOfTime } from '../plan/vocabulary/keys.ts';
import { computations } from '../plan/vocabulary/values.ts';
import { type Any, binding, column } from './bindings.ts';
import { db, type RowsQuery } from './select.ts';

const numeric = (name: string) => sql<Any>`${column(name)}::numeric`;

/** A quotient rounded half away from zero. It is computed with whole numbers, so it is rounded once. Null if the divisor is 0. */
const quotient = (dividend: Expression<Any>, divisor: Expression<Any>, digits: number) => {
  const whole = sql`div(2 * abs(${dividend}) * ${sql.raw(`1e${digits}::numeric`)} + abs(${divisor}), nullif(2 * abs(${divisor}), 0))`;
  return sql`sign(${dividend}) * sign(${divisor}) * ${whole} * ${sql.raw(`1e-${digits}::numeric`)}`;
};

const partitionOf = (names: readonly string[]) =>
  names.length > 0 ? sql`partition by ${sql.join(names.map((name) => column(name)))} ` : sql``;

/** The first moment of a period. The days of a series are last days, whose distances differ. */
const momentOf = (key: Expression<Any>, kind: Kind, period: Bucket) => {
  const day = kind === 'date' ? sql`${key}::timestamp` : sql`${key} at time zone 'UTC'`;
  return sql`date_trunc('${sql.raw(period)}', ${day})`;
};

const intervalOf = (periods: Expression<Any>, period: Bucket) => sql`${periods} * interval '${sql.raw(periodsOfTime[period].interval)}'`;

/** The value of the group whose period or whole number is earlier. Other groups share the other keys but not the period. */
const previousOf = (value: Expression<Any>, { name, within, along }: ComputedValue) => {
  const { name: key, kind, period } = along!;
  const own = column(key);
  const periods = binding<Any>(({ plan }) => plan.groups!.computed!.find((each) => each.name === name)!.along!.periods, 'integer');
  const [place, back] = period
    ? [momentOf(own, kind, period), intervalOf(periods, period)]
    : [sql`${own}::bigint`, sql`${periods}::bigint`];
  const frame = sql`range between ${back} preceding and ${back} preceding`;
  return sql`case when ${own} is not null then sum(${value}) over (${partitionOf(within)}order by ${place} ${frame}) end`;
};

const expressionOf = (computed: ComputedValue, order: Expression<Any>): Expression<Any> => {
  const { is, of, within } = computed;
  const [value, other] = of.map(numeric) as unknown as [Expression<Any>, Expression<Any>];
  const partition = partitionOf(within);
  switch (is) {
    case 'ratio':
      return quotient(value, other, computations.ratio.digits);
    case 'difference':
      return sql`${value} - ${other}`;
    case 'share':
      return quotient(sql`(100 * ${value})`, sql`(sum(${value}) over (${partition}))`, computations.share.digits);
    case 'previous':
      return previousOf(value, computed);
    case 'change':
      return sql`${value} - ${previousOf(value, computed)}`;
    case 'rank':
      return sql`case when ${value} is not null then rank() over (${partition}order by ${value} desc nulls last) end`;
    case 'running_total':
      return sql`sum(${value}) over (${partition}order by ${order} rows between unbounded preceding and current row)`;
  }
};

/** Adds computed values to groups. `order` is the order of the groups. */
export const withComputed = (groups: RowsQuery, { computed = [] }: Groups, order: Expression<Any>): RowsQuery => {
  let found = groups;
  const levels = Math.max(0, ...computed.map(({ level }) => level));
  for (let level = 1; level <= levels; level++) {
    const values = computed.filter((value) => value.level === level);
    const added = values.map((value) => sql`${expressionOf(value, order)}`.as(value.name));
    found = db.selectFrom(found.as('t')).selectAll('t').select(added) as RowsQuery;
  }
  return found;
};
