/**
 * Computed values: ratios, differences, shares, changes, ranks and running totals of other values of the groups (contract: computed values).
 * They are computed over all groups of the answer, after empty buckets are filled and before conditions on groups.
 */
import type { Kind } from '../../catalogue/column.ts';
import type { Bucket } from '../vocabulary/keys.ts';
import type { Computation } from '../vocabulary/values.ts';

export interface ComputedValue {
  readonly is: Computation;
  /** The name of the value in the plan. */
  readonly name: string;
  /** The names of the values that it is computed from. */
  readonly of: readonly string[];
  /** The level of the value: it needs the computed values of all lower levels. */
  readonly level: number;
  /** The names of the keys whose values the groups of a window share. */
  readonly within: readonly string[];
  /** The key along which it looks back: periods of time, or whole numbers if there is no period. */
  readonly along?:
    | { readonly name: string; readonly kind: Kind; readonly period: Bucket | undefined; readonly periods: number }
    | undefined;
}
