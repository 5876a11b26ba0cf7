/** The caller: what a valid key says about its holder. */
import type { EndpointGroup, Tier } from '../catalogue/tiers.ts';

export interface Caller {
  readonly keyId: string;
  /** The owner of the quota. Rotation does not change it (contract: quota owner). */
  readonly keyFamily: string;
  readonly customer: { readonly id: number; readonly slug: string; readonly schema: string };
  readonly tier: Tier;
  readonly groups: ReadonlySet<EndpointGroup>;
  /** When the key expires; null if it never does. */
  readonly expiresAt: Date | null;
  /** Whether the customer is suspended (contract: suspended customers). */
  readonly isSuspended: boolean;
}
