/**
 * What a check of the data looks for, as plain data (decision 096). A rule is about the rows of one category table; rows that violate it
 * are counted. A value that is null violates no rule, unless the rule is about nulls.
 */
import type { LookupName } from './lookups.ts';

export const severities = ['warn', 'refuse'] as const;
/** `refuse` stops a load before its data is visible. */
export type Severity = (typeof severities)[number];

/** What the violating rows are, in both languages: a phrase that follows their number. */
export interface CheckTexts {
  readonly en: string;
  readonly de: string;
}

/** Rules that a table declares. `C` are its columns. */
export type DeclaredRule<C extends string = string> =
  /** The parts, less those of `less`, add up to the total. */
  | { readonly is: 'sum'; readonly parts: readonly C[]; readonly less?: readonly C[]; readonly total: C }
  /** The second day is not before the first. */
  | { readonly is: 'period'; readonly from: C; readonly to: C }
  /** Rows with equal values of `by` are not valid on the same day. */
  | { readonly is: 'overlap'; readonly by: readonly C[]; readonly from: C; readonly to: C; readonly where?: string }
  /**
   * The column, or 0 without one, equals the sum of a column of other rows, or their number. `on`: the column here and the equal one
   * there. `rows`: which of the other rows count, in the grammar of `where`.
   */
  | {
      readonly is: 'total';
      readonly column?: C;
      readonly of: { readonly kind: 'raw' | 'category'; readonly table: string; readonly sum?: string; readonly where?: string };
      readonly on: readonly [own: C, there: string];
      readonly where?: string;
    }
  /** No row meets the condition, in the grammar of `where`. */
  | { readonly is: 'where'; readonly where: string };

/** Rules that follow from columns and relations. */
type DerivedRule =
  | { readonly is: 'reference'; readonly column: string; readonly target: ReferenceTarget }
  | { readonly is: 'code'; readonly column: string; readonly lookup: LookupName }
  /** No day is more than 100 years ahead. */
  | { readonly is: 'future'; readonly column: string }
  /** The number of rows, the shares of nulls and the sums of amounts are near those of the last load. */
  | { readonly is: 'rows' | 'nulls' | 'sums' };

export interface ReferenceTarget {
  readonly kind: 'raw' | 'category';
  readonly table: string;
  readonly column: string;
  readonly isUnique: boolean;
}

export type CheckRule = DeclaredRule | DerivedRule;
export type CheckKind = CheckRule['is'];

export type DeclaredCheck<C extends string = string> = DeclaredRule<C> & CheckTexts & { readonly severity?: Severity };

/** A check of one category table. */
export interface Check extends CheckTexts {
  /** `table.subject.kind`, or `table.name` of a declared check. */
  readonly name: string;
  readonly table: string;
  readonly severity: Severity;
  readonly rule: CheckRule;
  /** The columns of the table that it reads; of another one, `table.column`. A key that does not read one of them does not see the check. */
  readonly columns: readonly string[];
  /** The other tables that it reads. */
  readonly others: readonly Pick<ReferenceTarget, 'kind' | 'table'>[];
}
