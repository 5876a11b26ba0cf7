/**
 * The quota: a fixed window of one hour that starts with a bucket's first request; every request counts (contract: rate limit).
 */
import { type OpenWindows, ownWindows } from './fixed-windows.ts';

export const windowSeconds = 3600;

export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

export interface RateLimit {
  /** Counts one request against a bucket (`key <lineage>`, `address <address>`); undefined when limiting is switched off. */
  count(bucket: string): Promise<Quota | undefined>;
}

/** There are as many keys as the operator has issued; addresses can be had without end. */
const addressesRemembered = 100_000;

/** Allows `limit` requests an hour per bucket; 0 switches limiting off. */
export const createRateLimit = (limit: number, open: OpenWindows = ownWindows): RateLimit => {
  if (limit === 0) return { count: async () => undefined };
  // Apart, so that no number of addresses makes the count of a key forgotten.
  const keys = open('keys', windowSeconds * 1_000);
  const addresses = open('addresses', windowSeconds * 1_000, addressesRemembered);
  return {
    count: async (bucket) => {
      const { count, msLeft } = await (bucket.startsWith('key ') ? keys : addresses).count(bucket);
      const resetSeconds = Math.max(1, Math.ceil(msLeft / 1_000));
      return { limit, remaining: Math.max(0, limit - count), resetSeconds, isExceeded: count > limit };
    },
  };
};
