/** The quota: a fixed window of one hour that starts with a bucket's first request. Every request counts (contract: rate limit; page limit). */
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
  /** Counts one request in a bucket (`key <key family>`, `address <address>`, `page <address>`). Returns undefined if the limit is off. */
  count(bucket: string): Promise<Quota | undefined>;
}

/** The operator bounds the number of keys. Nothing bounds the number of addresses. */
const maxAddresses = 100_000;

/** Pages for each request to the API: many people share an address, and a page loads several files. */
const pagesPerRequest = 20;

/** Allows `requests` per hour and bucket, and a multiple of it for pages; 0 switches the limit off. */
export const createRateLimit = (requests: number, open: OpenWindows = ownWindows): RateLimit => {
  if (requests === 0) return { count: async () => undefined };
  // Separate, so that many addresses never evict the count of a key.
  const keys = open('keys', windowSeconds * 1_000);
  const addresses = open('addresses', windowSeconds * 1_000, maxAddresses);
  const pages = open('pages', windowSeconds * 1_000, maxAddresses);
  return {
    count: async (bucket) => {
      const isPage = bucket.startsWith('page ');
      const windows = isPage ? pages : bucket.startsWith('key ') ? keys : addresses;
      const limit = isPage ? pagesPerRequest * requests : requests;
      const { count, msLeft } = await windows.count(bucket);
      const resetSeconds = Math.max(1, Math.ceil(msLeft / 1_000));
      return { limit, remaining: Math.max(0, limit - count), resetSeconds, isExceeded: count > limit };
    },
  };
};
