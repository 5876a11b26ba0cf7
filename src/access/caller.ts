/** The caller: what a valid key says about its holder, and what it may read (contract: access tiers; endpoint groups; data scopes). */
import { type DataScope, includesTable } from '../catalogue/data-scope.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { type EndpointGroup, includesTier, type Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';

export interface Caller {
  readonly keyId: string;
  /** The owner of the quota. Rotation does not change it (contract: quota owner). */
  readonly keyFamily: string;
  readonly customer: { readonly id: number; readonly slug: string; readonly schema: string };
  readonly tier: Tier;
  readonly groups: ReadonlySet<EndpointGroup>;
  /** Set for a delivery key: it delivers files and reads nothing. */
  readonly isDelivery?: true;
  /** Undefined: the key reads all data of its tables. */
  readonly scope: DataScope | undefined;
  /** When the key expires; null if it never does. */
  readonly expiresAt: Date | null;
  /** Whether the customer is suspended (contract: suspended customers). */
  readonly isSuspended: boolean;
  /** Set on the process as a caller of itself. Its requests are neither counted nor recorded. */
  readonly isWarmUp?: true;
  /** Set on an operator of the portal, who has no key. No usage is counted, and browsers store no answer (contract: operator view). */
  readonly isOperator?: true;
}

/** Throws `forbidden` unless the key includes the tier and, if given, the endpoint group. */
export const authorize = (caller: Caller, tier: Tier, group?: EndpointGroup): void => {
  if (!includesTier(caller.tier, tier) || (group && !caller.groups.has(group))) throw new ApiError('forbidden');
};

/** Throws `forbidden` unless the key's data scope includes the table. */
export const authorizeTable = ({ scope }: Caller, kind: DatasetKind, name: string): void => {
  if (!includesTable(scope, kind, name)) throw new ApiError('forbidden');
};
