/** Aggregates of rows in SQL (contract: values of groups). */
import { type Expression, sql } from 'kysely';
import type { RowsExpression } from '../plan/groups/groups.ts';
import type { Any } from './bindings.ts';
import { finiteOf, type Reach, rowValueOf } from './row-values.ts';

/** Decimal places that an average has in addition to those of its values. */
const averageDigits = 4;

/**
 * A number with more digits after the point. Quotients and roots have at least the digits of their operands, otherwise as few as 16. With so
 * many, a result that is rounded again is the exact one rounded once.
 */
const exactly = (number: Expression<Any>) => sql`round(${number}, 40)`;

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
export const aggregateSql = (
  reach: Reach,
  value: RowsExpression,
  only: (aggregate: Expression<Any>) => Expression<Any>,
): Expression<Any> => {
  if (value.is === 'count') return only(sql`count(*)`);
  const own = rowValueOf(reach, value);
  const finite = finiteOf(own, value.kind);
  const rounded = (exact: Expression<Any>) => finiteOf(sql`round(${exact}, ${sql.lit(value.scale + averageDigits)})`, 'number');
  switch (value.is) {
    case 'distinct':
      return only(sql`count(distinct ${finite})`);
    case 'avg':
      return rounded(sql`${exactly(only(sql`sum(${own})`))} / ${only(sql`count(${own})`)}`);
    case 'stddev':
      return rounded(sql`sqrt(${only(sql`var_samp(${exactly(own)})`)})`);
    case 'percentile':
      return only(percentileOf(finite, value.percent));
    case 'median':
      // The mean of the two middle values. A product is exact, a quotient is not. The sum of two whole numbers can be beyond their type.
      return sql`(${only(percentileOf(finite, 50))}::numeric + ${only(percentileOf(finite, 50, true))}) * 0.5`;
    default:
      if (value.kind === 'number') return finiteOf(only(sql`${sql.raw(value.is)}(${own})`), 'number');
      return only(sql`${sql.raw(value.is)}(${finite})`);
  }
};
