/** The cost of the conditions of a plan, before anything is read (contract: document limits; conditions on groups). */
import type { Condition } from './condition.ts';
import { thresholdsOf } from './groups/bands.ts';
import type { ComputedValue } from './groups/computed.ts';
import { type GroupExpression, type GroupKey, type Groups, othersOf } from './groups/groups.ts';
import { isAggregateColumn, type OtherColumn } from './plan.ts';

/** The cost of one relation step in a condition or an order, in terms. PostgreSQL plans 25 such steps in half a second, but 100 in 20 s. */
export const stepTerms = 40;

export const costLimits = {
  /** Comparisons in all conditions. A relation step counts as several. */
  terms: 1_000,
  /** Values in all lists of conditions. */
  listed: 10_000,
} as const;

export interface ConditionCost {
  readonly terms: number;
  readonly listed: number;
  /** Levels of `and`, `or`, `not` and relations. */
  readonly nesting: number;
}

/** The cost of several parts together. */
export const costSum = (costs: readonly ConditionCost[]): ConditionCost => ({
  terms: costs.reduce((sum, { terms }) => sum + terms, 0),
  listed: costs.reduce((sum, { listed }) => sum + listed, 0),
  nesting: Math.max(0, ...costs.map(({ nesting }) => nesting)),
});

export const costOfCondition = (condition: Condition | undefined): ConditionCost => {
  if (!condition) return costSum([]);
  switch (condition.is) {
    case 'and':
    case 'or':
      return around(costSum(condition.of.map((part) => costOfCondition(part))), 1);
    case 'not':
      return around(costOfCondition(condition.of), 1);
    case 'related':
      return around(costOfCondition(condition.of), stepTerms);
    case 'counted':
      return costSum([around(costOfCondition(condition.of), stepTerms), costOfCondition(condition.holds)]);
    case 'applied': {
      const steps = condition.of.reduce((sum, { via }) => sum + via.length, 0);
      return costSum([costOfCondition(condition.holds), { terms: steps * stepTerms, listed: 0, nesting: 0 }]);
    }
    case 'among':
      return { terms: 1, listed: condition.values.length, nesting: 0 };
    default:
      return { terms: 1, listed: 0, nesting: 0 };
  }
};

const around = (inner: ConditionCost, terms: number): ConditionCost => ({
  ...inner,
  terms: inner.terms + terms,
  nesting: inner.nesting + 1,
});

/** A sort of the rows of each group. PostgreSQL keeps the memory of all sorts of a statement at the same time. */
const sortTerms = 40;
const sorts: Partial<Record<GroupExpression['is'], number>> = { median: 2, percentile: 1, sum_once: 1 };

const costOfValue = (value: GroupExpression): ConditionCost => {
  const { terms, ...cost } = costOfCondition(value.is === 'measure' ? undefined : value.where);
  return { ...cost, terms: terms + (sorts[value.is] ?? 0) * sortTerms };
};

/** The cost of the aggregates of related rows, each of which follows a relation. */
export const costOfAggregates = (columns: readonly OtherColumn[]): ConditionCost =>
  costSum(columns.filter(isAggregateColumn).map(({ aggregate }) => around(costOfValue(aggregate), stepTerms)));

/** Computed values that need a sort of the groups. */
const costOfComputed = ({ is }: ComputedValue): ConditionCost => ({
  terms: is === 'ratio' || is === 'difference' ? 1 : sortTerms,
  listed: 0,
  nesting: 0,
});

/** The bounds of bands and the days of a series are values in lists. */
const costOfKey = ({ band, series }: GroupKey): ConditionCost => ({
  terms: 0,
  listed: (band ? thresholdsOf(band).length : 0) + (series?.days.length ?? 0),
  nesting: 0,
});

/** The cost of the conditions, sorts and bands in groups. The condition on rows counts again for each other table that they read. */
export const costOfGroups = ({ keys, having, values, computed = [] }: Groups, where: Condition | undefined): ConditionCost =>
  costSum([
    costOfCondition(having),
    ...keys.map(costOfKey),
    ...values.map(costOfValue),
    ...computed.map(costOfComputed),
    ...othersOf(values).map(() => around(costOfCondition(where), stepTerms)),
  ]);

/** The cost of a plan's conditions. */
export const costOfConditions = (where: Condition | undefined, groups: Groups): ConditionCost =>
  costSum([costOfCondition(where), costOfGroups(groups, where)]);
