/** Bands and empty buckets of groups in SQL (contract: bands; empty buckets). Bounds, days and labels are bound values. */
import { type Expression, sql } from 'kysely';
import { type Band, labelsOf, thresholdsOf } from '../plan/groups/bands.ts';
import { countName, type GroupKey, type Groups, type GroupValue, labelColumn, maxFilled, withoutRows } from '../plan/groups/groups.ts';
import { periods } from '../plan/vocabulary/keys.ts';
import { type Any, binding, column } from './bindings.ts';
import { dayOfMoment } from './row-values.ts';
import { db, type RowsQuery } from './select.ts';

/** Finds a bound value in the band of a key. */
const ofBand = (name: string, value: (band: Band) => unknown, type: string) =>
  binding<Any>(({ plan }) => value(plan.groups!.keys.find((key) => key.name === name)!.band!), type);

const widthOf = (name: string) => ofBand(name, (band) => (band.is === 'width' ? band.width : undefined), 'numeric');

/** The number of a value's band, or the lower bound of its width. A remainder is exact, a quotient is not. */
export const bandOf = (value: Expression<Any>, { name, kind, band }: GroupKey): Expression<Any> => {
  switch (band!.is) {
    case 'ranges':
      return sql`width_bucket(${value}::numeric, ${ofBand(name, thresholdsOf, 'numeric[]')})`;
    case 'width': {
      const width = widthOf(name);
      return sql`${value} - ((${value}::numeric % ${width}) + ${width}) % ${width}`;
    }
    case 'age': {
      const on = ofBand(name, (each) => (each.is === 'age' ? each.on : undefined), 'date');
      return sql`width_bucket(${on} - ${dayOfMoment(value, kind)}, ${ofBand(name, thresholdsOf, 'integer[]')})`;
    }
  }
};

const labelOf = ({ name, band }: GroupKey): Expression<Any> => {
  const own = column(name);
  if (band!.is === 'width') return sql`trim_scale(${own})::text || ' to below ' || trim_scale(${own} + ${widthOf(name)})::text`;
  return sql`(${ofBand(name, labelsOf, 'text[]')})[${own} + 1]`;
};

/** Adds the labels of bands to groups. */
export const labelled = (groups: RowsQuery, { keys }: Groups): RowsQuery => {
  const banded = keys.filter(({ band }) => band);
  if (banded.length === 0) return groups;
  return db
    .selectFrom(groups.as('t'))
    .selectAll('t')
    .select(banded.map((key) => sql`${labelOf(key)}`.as(labelColumn(key.name)))) as RowsQuery;
};

/** The days of a series. */
export const seriesDays = (name: string) =>
  binding<Any>(({ plan }) => plan.groups!.keys.find((key) => key.name === name)!.series!.days, 'date[]');

/**
 * All buckets of a key as an array: the bands, or the buckets from the first to the last one of the groups `g`. A set in a select list is made
 * one by one, so the limit ends it.
 */
const bucketsOf = ({ name, kind, band, bucket, series }: GroupKey): Expression<Any> => {
  const own = sql.id(name);
  if (series) return sql`${seriesDays(name)}`;
  if (band && band.is !== 'width') {
    const last = ofBand(name, (each) => thresholdsOf(each).length, 'integer');
    return sql`array(select generate_series(0, ${last}))`;
  }
  const enough = sql.lit(maxFilled + 1);
  const ends = sql`(select min(${own}) as first, max(${own}) as last from g) as r`;
  if (band) return sql`array(select generate_series(r.first, r.last, ${widthOf(name)}) from ${ends} limit ${enough})`;
  const [from, to] = kind === 'date' ? ['::timestamp', '::date'] : [` at time zone 'UTC'`, ` at time zone 'UTC'`];
  const step = sql.raw(`interval '${periods[bucket!].interval}'`);
  const all = sql`generate_series((r.first)${sql.raw(from)}, (r.last)${sql.raw(from)}, ${step})`;
  return sql`array(select (${all})${sql.raw(to)} from ${ends} limit ${enough})`;
};

/**
 * True for a number of groups within the bound. Otherwise a logarithm fails, whose SQLSTATE nothing else here has: SQL alone cannot raise
 * errors. The argument is no constant, which the planner would compute.
 */
const isWithinBound = (number: Expression<Any>) =>
  sql`(select case when n <= ${sql.lit(maxFilled)} then true else ln(-n) is null end from (select ${number} as n) as bound)`;

/** The value of a group that is in one of several parts. The other parts have null, or no such group. */
export const mergedValue = (value: GroupValue) => sql`coalesce(max(${sql.id(value.name)}), ${sql.raw(withoutRows(value))})`;

/**
 * Adds groups without rows: each empty bucket of the filled keys, for each combination of the other keys. They have no rows, so counts are 0
 * and most other values are null.
 */
export const filled = (groups: RowsQuery, { keys, values, filled: names = [] }: Groups): RowsQuery => {
  if (names.length === 0) return groups;
  const found = keys.filter(({ name }) => !names.includes(name)).map(({ name }) => sql.id(name));
  const others = found.length > 0 ? sql`select distinct ${sql.join(found)} from g` : sql`select where exists (select from g)`;
  const filling = keys.filter(({ name }) => names.includes(name));
  const buckets = filling.map((key, at) => sql`${bucketsOf(key)} as ${sql.id(`b${at}`)}`);
  const series = filling.map(({ name }, at) => sql`unnest(${sql.id('b', `b${at}`)}) as ${sql.id(`${name} all`)}(${sql.id(name)})`);
  const number = sql.join(
    [sql`(select count(*)::numeric from o)`, ...filling.map((_, at) => sql`cardinality(${sql.id(`b${at}`)})`)],
    sql` * `,
  );
  const columns = [...keys.map(({ name }) => name), countName, ...values.map(({ name }) => name)];
  const none = [...keys.map(({ name }) => sql.id(name)), sql`0`, ...values.map(() => sql`null`)];
  const all = sql`select ${sql.join(columns.map((name) => sql.id(name)))} from g union all select ${sql.join(none)} from ${sql.join([sql`o`, sql`b`, ...series])} where ${isWithinBound(sql`(select ${number} from b)`)}`;
  const merged = [
    ...keys.map(({ name }) => sql.id(name)),
    sql`max(${sql.id(countName)}) as ${sql.id(countName)}`,
    ...values.map((value) => sql`${mergedValue(value)} as ${sql.id(value.name)}`),
  ];
  const by = sql.join(keys.map(({ name }) => sql.id(name)));
  const rows = sql`(with g as ${groups}, o as (${others}), b as (select ${sql.join(buckets)}) select ${sql.join(merged)} from (${all}) as u group by ${by})`;
  return db.selectFrom(rows.as('t')).selectAll('t') as RowsQuery;
};
