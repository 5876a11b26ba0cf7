/**
 * The quota: a fixed window of one hour that starts with a bucket's first request. Every request counts (contract: rate limit; page limit),
 * but requests for parts of one file count once (contract: parts of files).
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
  /** Counts one request in a bucket (`key <key family>`, `address <address>`, `page <address>`). Returns undefined if the limit is off. */
  count(bucket: string): Promise<Quota | undefined>;
  /** Counts a request for a part of a file, unless one for the same file was counted in the last hour. */
  countPart(bucket: string, file: string): Promise<Quota | undefined>;
  /** The next request for a part of the file counts again, because this one got no part of it. */
  forgetPart(bucket: string, file: string): void;
}

/** The operator bounds the number of keys. Nothing bounds the number of addresses. */
const maxAddresses = 100_000;

/** Files of which a key read a part. Beyond that, the parts of the oldest one count again. */
const maxFiles = 100_000;

/** Pages for each request to the API: many people share an address, and a page loads several files. */
const pagesPerRequest = 20;

/** Allows `requests` per hour and bucket, and a multiple of it for pages; 0 switches the limit off. */
export const createRateLimit = (requests: number, open: OpenWindows = ownWindows): RateLimit => {
  if (requests === 0) return { count: async () => undefined, countPart: async () => undefined, forgetPart: () => {} };
  // Separate, so that many addresses never evict the count of a key.
  const keys = open('keys', windowSeconds * 1_000);
  const addresses = open('addresses', windowSeconds * 1_000, maxAddresses);
  const pages = open('pages', windowSeconds * 1_000, maxAddresses);
  const files = open('files', windowSeconds * 1_000, maxFiles);
  const fileOf = (bucket: string, file: string): string => `${bucket} ${file}`;
  const count = async (bucket: string, by: 0 | 1 = 1): Promise<Quota> => {
    const isPage = bucket.startsWith('page ');
    const windows = isPage ? pages : bucket.startsWith('key ') ? keys : addresses;
    const limit = isPage ? pagesPerRequest * requests : requests;
    const { count, msLeft } = await windows.count(bucket, by);
    const resetSeconds = Math.max(1, Math.ceil(msLeft / 1_000));
    return { limit, remaining: Math.max(0, limit - count), resetSeconds, isExceeded: count > limit };
  };
  return {
    count: (bucket) => count(bucket),
    countPart: async (bucket, file) => {
      const { count: parts } = await files.count(fileOf(bucket, file));
      return count(bucket, parts === 1 ? 1 : 0);
    },
    forgetPart: (bucket, file) => void files.forget(fileOf(bucket, file)),
  };
};
