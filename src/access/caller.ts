/** What a valid key says of the one who sends it. */
import type { EndpointGroup, Tier } from '../catalogue/tiers.ts';

export interface Caller {
  readonly keyId: string;
  /** What the rate-limit quota belongs to: it outlives rotations (contract: quota owner). */
  readonly lineage: string;
  readonly customer: { readonly id: number; readonly slug: string; readonly schema: string };
  readonly tier: Tier;
  readonly groups: ReadonlySet<EndpointGroup>;
  /** When the key ends; null if it never does. */
  readonly expiresAt: Date | null;
  /** Whether the customer's keys are refused for now (contract: suspended customers). */
  readonly isSuspended: boolean;
}
