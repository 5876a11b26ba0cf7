/** A tenancy: the tenant, the units, the period, the debits, and the results. */
import type { Series } from '../company/indices.ts';
import type { Person } from '../people.ts';
import type { Unit } from '../portfolio/property.ts';
import type { Cents, Day, Month } from '../values.ts';

export type TenancyStatus = 'future' | 'active' | 'terminated' | 'former';
export type TenantKind = 'residential' | 'commercial' | 'parking' | 'subsidised' | 'owner_user';

/** One amount of a debit line, with its period. */
export interface Condition {
  readonly id: number;
  readonly from: Day;
  readonly to: Day | null;
  readonly net: Cents;
  readonly vat: Cents;
  readonly reason: ChangeReason;
}

export type ChangeReason =
  | 'new_letting'
  | 'index_adjustment'
  | 'comparative_rent'
  | 'modernisation'
  | 'graduated_rent'
  | 'advance_adjustment'
  | 'amendment'
  | 'rent_reduction';

export interface DebitLine {
  readonly unit: Unit;
  readonly type: string;
  readonly number: string;
  readonly description: string;
  /** The account to which the debit is credited. */
  readonly revenueAccount: string;
  readonly vatRate: number;
  readonly isAdvance: boolean;
  /** Follows the index clause of the tenancy. */
  readonly isIndexed: boolean;
  readonly conditions: readonly Condition[];
}

export interface Tenancy {
  readonly id: number;
  readonly account: number;
  readonly contractNumber: string;
  readonly person: Person;
  readonly unit: Unit;
  /** Parking that is let with the main unit. */
  readonly extras: readonly Unit[];
  readonly kind: TenantKind;
  readonly status: TenancyStatus;
  readonly signed: Day;
  readonly start: Day;
  readonly end: Day | null;
  readonly deposit: Cents;
  readonly debits: readonly DebitLine[];
  readonly clause: IndexClause | null;
  /** The next tenant of the unit. */
  next: Tenancy | null;
  /** Open balance of the tenant account: the sum of all positions on it. */
  balance: Cents;
}

export interface IndexClause {
  readonly id: number;
  readonly series: Series;
  readonly baseMonth: Month;
  /** The month with the base value of the next change. */
  readonly referenceMonth: Month;
  readonly baseRent: Cents;
  readonly currentRent: Cents;
  readonly thresholdType: 'percent' | 'points';
  readonly threshold: number;
  readonly adjustmentPercent: number;
  readonly waitingMonths: number;
  readonly lastAdjusted: Day | null;
  readonly isDue: boolean;
  /** The adjusted rents in order. */
  readonly adjustments: readonly { readonly from: Day; readonly net: Cents }[];
}

export interface Period {
  readonly start: Day;
  readonly end: Day | null;
}
