/**
 * Computed values: ratios, differences, shares, changes, ranks and running totals of other values of the groups (contract: computed values).
 * They are computed over all groups of the answer, after empty buckets are filled and before conditions on groups.
 */
import type { Kind } from '../../catalogue/column.ts';
import type { Bucket } from './buckets.ts';

/** The kinds of computed values, each with the number of its values. */
export const computations = { ratio: 2, difference: 2, share: 1, previous: 1, change: 1, rank: 1, running_total: 1 } as const;
export type Computation = keyof typeof computations;
export const computationNames = Object.keys(computations) as readonly Computation[];

/** Whether a name is that of a computation. */
export const isComputation = (name: string): name is Computation => Object.hasOwn(computations, name);

/** Computations that look back along a key with a period. */
export const lookBack: readonly Computation[] = ['previous', 'change'];
/** Computations that can be limited to groups with the same values of some keys. */
export const partitioned: readonly Computation[] = ['share', 'rank', 'running_total'];

/** The bounds of the number of periods that a value looks back. */
export const periodBounds = { min: 1, max: 1_000 } as const;

/** Digits after the decimal point of quotients. */
export const quotientDigits = { ratio: 6, share: 4 } as const;

export interface ComputedValue {
  readonly is: Computation;
  /** The name of the value in the plan. */
  readonly name: string;
  /** The names of the values that it is computed from. */
  readonly of: readonly string[];
  /** It needs the computed values of all lower levels. */
  readonly level: number;
  /** The names of the keys whose values the groups of a window share. */
  readonly within: readonly string[];
  /** The key along which it looks back. */
  readonly along?: { readonly name: string; readonly kind: Kind; readonly period: Bucket; readonly periods: number } | undefined;
}

export const kindOfComputation = (is: Computation): Kind => (is === 'rank' ? 'bigint' : 'number');
