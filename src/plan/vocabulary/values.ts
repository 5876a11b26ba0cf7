/**
 * The values of groups: aggregates, and values that are computed from other values. Each has its arguments, its meaning and an example in a
 * query string. Both APIs, their descriptions and the guide derive from these lists.
 */
import type { Kind } from '../../catalogue/column.ts';

interface AggregateMeaning {
  /** The columns that it applies to: of the rows with any kind, with an order, that count or measure something; or of related rows. */
  readonly over: 'all' | 'ordered' | 'quantities' | 'related';
  /** Whether the aggregate needs a percent in addition to the column. */
  readonly takesPercent?: true;
  /** The aggregate for columns of related rows, if this one applies to columns of the rows alone. */
  readonly ofRelated?: string;
  readonly meaning: string;
  /** What a list of its columns means. */
  readonly columns: string;
  readonly example: string;
}

/** Values over one column of a group. If all values of the column are null, the result is null, except for `distinct`. */
export const aggregates = {
  sum: {
    over: 'quantities',
    ofRelated: 'sum_once',
    meaning: 'Sums, exact.',
    columns: 'Columns to add up',
    example: 'sum=total_net',
  },
  sum_once: {
    over: 'related',
    meaning: 'The sum of a column of the rows that a relation leads to. Each of these rows counts once in each group.',
    columns: 'Columns of related rows to add up, such as `property.lettable_area_sqm`. Each related row counts once in each group',
    example: 'sum_once=property.lettable_area_sqm',
  },
  avg: {
    over: 'quantities',
    meaning: 'Averages of values that are not null, with four more digits than they have.',
    columns: 'Columns to average',
    example: 'avg=total_net',
  },
  min: { over: 'ordered', meaning: 'The smallest values.', columns: 'Columns whose smallest value is wanted', example: 'min=order_date' },
  max: { over: 'ordered', meaning: 'The largest values.', columns: 'Columns whose largest value is wanted', example: 'max=order_date' },
  distinct: {
    over: 'all',
    meaning: 'How many different values there are; null is none.',
    columns: 'Columns whose different values are counted',
    example: 'distinct=creditor_id',
  },
  median: {
    over: 'quantities',
    meaning: 'Medians, exact: the middle value, or the mean of the two in the middle.',
    columns: 'Columns whose median is wanted',
    example: 'median=total_net',
  },
  stddev: {
    over: 'quantities',
    meaning: 'Standard deviations of samples, with four more digits than the values; null for fewer than two values.',
    columns: 'Columns whose standard deviation is wanted',
    example: 'stddev=total_net',
  },
  percentile: {
    over: 'quantities',
    takesPercent: true,
    meaning: 'The smallest values that so many percent of the values do not exceed.',
    columns: 'Columns whose percentile is wanted',
    example: 'value=p90:percentile(total_net,90)',
  },
} as const satisfies Readonly<Record<string, AggregateMeaning>>;

export type Aggregate = keyof typeof aggregates;
export type PlainAggregate = Exclude<Aggregate, 'percentile'>;
export const aggregateNames = Object.keys(aggregates) as readonly Aggregate[];
/** The aggregates that need no argument except the column. A query string has a list of columns for each. */
export const plainAggregates = aggregateNames.filter((name): name is PlainAggregate => !('takesPercent' in aggregates[name]));

/** The aggregate for columns of related rows, if the given one does not apply to them. */
export const insteadForRelated = (name: Aggregate): Aggregate | undefined => {
  const meaning = aggregates[name];
  return 'ofRelated' in meaning ? meaning.ofRelated : undefined;
};

/** The kind of a number of rows, of an aggregate of a column of this kind, or of a measure. */
export const kindOfAggregate = (is: Aggregate | 'count' | 'measure', kind: Kind): Kind => {
  if (is === 'count' || is === 'distinct') return 'bigint';
  return is === 'min' || is === 'max' || is === 'percentile' ? kind : 'number';
};

/** The aggregates of related rows that pages of rows can show, besides their number. */
export const relatedAggregateNames = aggregateNames.filter((name) => aggregates[name].over !== 'related');

/** Whether a name is that of an aggregate of related rows, or of their number. */
export const isRelatedAggregate = (call: string): call is Aggregate | 'count' =>
  call === 'count' || relatedAggregateNames.includes(call as Aggregate);

interface RowFunctionMeaning {
  /** The columns that it is computed from, by their names in GraphQL. */
  readonly operands: Readonly<Record<string, string>>;
  /** The columns that it applies to: dates and points in time, or columns that count or measure something. */
  readonly over: 'moments' | 'quantities';
  readonly kind: Kind;
  /** Digits after the decimal point in addition to those of the columns. */
  readonly digits: number;
  readonly meaning: string;
  readonly example: string;
  /** A condition on it in a query string. */
  readonly condition: string;
}

/**
 * Values that are computed in each row from two columns, of the row or of related rows. Aggregates and conditions apply to them as to a
 * column (contract: row functions).
 */
export const rowFunctions = {
  days: {
    operands: { from: 'The first date.', to: 'The second date.' },
    over: 'moments',
    kind: 'integer',
    digits: 0,
    meaning: 'Days from one date to another, negative if the second is earlier; null without either. Points in time are days in UTC.',
    example: 'value=days:median(days(notification.report_date,execution_end_date))',
    condition: 'days(order_date,closed_date)>30',
  },
  product: {
    operands: { of: 'The first factor.', by: 'The second factor.' },
    over: 'quantities',
    kind: 'number',
    digits: 0,
    meaning: 'One column times another, exact; null without either.',
    example: 'value=market_rent:sum(product(area_sqm,market_rent_per_sqm))',
    condition: 'product(area_sqm,market_rent_per_sqm)>=1000',
  },
  percentage: {
    operands: { of: 'The base.', rate: 'The rate in percent.' },
    over: 'quantities',
    kind: 'number',
    digits: 2,
    meaning: 'A rate in percent of a base: their product divided by 100, exact; null without either.',
    example: 'value=tax:sum(percentage(vat_base_amount,vat_rate))',
    condition: 'percentage(vat_base_amount,vat_rate)>100',
  },
} as const satisfies Readonly<Record<string, RowFunctionMeaning>>;

export type RowFunction = keyof typeof rowFunctions;
export const rowFunctionNames = Object.keys(rowFunctions) as readonly RowFunction[];

/** Whether a name is that of a row function. */
export const isRowFunction = (name: string): name is RowFunction => Object.hasOwn(rowFunctions, name);

/** The bounds of the percent of a percentile. */
export const percentBounds = { min: 1, max: 100 } as const;

interface ComputationMeaning {
  /** The values that it is computed from, by their names in GraphQL. */
  readonly operands: Readonly<Record<string, string>>;
  /** Keys: `within` limits it to groups with the same values of some keys; `along` is the key with periods or whole numbers along which it looks back. */
  readonly keys?: 'within' | 'along';
  /** Digits after the decimal point of quotients. */
  readonly digits?: number;
  readonly kind: Kind;
  readonly meaning: string;
  readonly example: string;
}

const value = { of: 'The value.' } as const;

/** Values that are computed from other values of the groups (contract: computed values). */
export const computations = {
  ratio: {
    operands: { ...value, to: 'The divisor.' },
    digits: 6,
    kind: 'number',
    meaning: 'A value divided by another one, with six decimal places; null if the divisor is 0.',
    example: 'value=part:ratio(sum_invoiced_net,sum_total_net)',
  },
  difference: {
    operands: { ...value, minus: 'The value to subtract.' },
    kind: 'number',
    meaning: 'A value minus another one.',
    example: 'value=left:difference(planned_costs,actual_costs)',
  },
  share: {
    operands: value,
    keys: 'within',
    digits: 4,
    kind: 'number',
    meaning: 'A value in percent of its sum over all groups, or over those with the same keys, with four decimal places.',
    example: 'value=part:share(sum_balance,property_id)',
  },
  previous: {
    operands: value,
    keys: 'along',
    kind: 'number',
    meaning:
      'The value of the group one period earlier, or some periods, with the same other keys; null without such a group. Periods are those of time, or whole numbers such as fiscal years.',
    example: 'value=year_before:previous(invoiced,12)',
  },
  change: {
    operands: value,
    keys: 'along',
    kind: 'number',
    meaning:
      'A value minus that of the group one period earlier, or some periods, with the same other keys. Periods are as those of `previous`.',
    example: 'value=change:change(invoiced)',
  },
  rank: {
    operands: value,
    keys: 'within',
    kind: 'bigint',
    meaning: 'The rank by a value, 1 for the largest, among all groups or those with the same keys; equal values have the same rank.',
    example: 'value=place:rank(sum_total_net)',
  },
  running_total: {
    operands: value,
    keys: 'within',
    kind: 'number',
    meaning: 'The sum of a value over this group and all before it in the order, among all groups or those with the same keys.',
    example: 'value=total:running_total(sum_total_net)',
  },
} as const satisfies Readonly<Record<string, ComputationMeaning>>;

export type Computation = keyof typeof computations;
export const computationNames = Object.keys(computations) as readonly Computation[];

/** Whether a name is that of a computation. */
export const isComputation = (name: string): name is Computation => Object.hasOwn(computations, name);

export const computation = (name: Computation): ComputationMeaning => computations[name];
export const looksBack = (name: Computation): boolean => computation(name).keys === 'along';
export const operandCount = (name: Computation): number => Object.keys(computations[name].operands).length;

/** The bounds of the number of periods that a value looks back. */
export const periodBounds = { min: 1, max: 1_000 } as const;
