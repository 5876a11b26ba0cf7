/**
 * The quota: a fixed window of one hour that starts with a bucket's first request. Every request counts (contract: rate limit; page limit).
 * Requests for files count by what is sent (contract: parts of files).
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
  /** Counts one request in a bucket (`key <key family>`, `key pages <key family>`, `address <address>`, `page <address>`). Returns undefined if the limit is off. */
  count(bucket: string): Promise<Quota | undefined>;
  /** The quota without a new request. Returns undefined if the limit is off. */
  read(bucket: string): Promise<Quota | undefined>;
  /** Counts what is sent of a file, by its address. Returns undefined if the limit is off. */
  countFile(bucket: string, file: string, sent: SentFile): Promise<Quota | undefined>;
}

/**
 * What is sent of a file: the whole file; a part, as a share of the file from 0 to 1; or a redirect to it. A request for the head of a file is
 * a part of the share 0.
 */
export type SentFile = 'whole' | 'redirect' | { readonly share: number };

/** The operator bounds the number of keys. Nothing bounds the number of addresses. */
const maxAddresses = 100_000;

/** Files of which a key read a part or a redirect. Beyond that, those of the oldest one count again. */
const maxFiles = 100_000;

/** Shares of a file are counted in this unit, rounded up. So each part has a price, however small it is. */
const unitsPerFile = 1_000;

/** The requests that the parts of a file cost together: one, and one for each further file's worth beyond twice the file. */
const priceOf = (units: number): number => (units === 0 ? 0 : Math.max(1, Math.ceil(units / unitsPerFile) - 1));

/** Redirects to a file that cost nothing until the file is requested. */
const freeRedirects = 10;

/** Pages for each request to the API: many people share an address, and a page loads several files. */
const pagesPerRequest = 20;

/** Allows `requests` per hour and bucket, and a multiple of it for pages; 0 switches the limit off. */
export const createRateLimit = (requests: number, open: OpenWindows = ownWindows): RateLimit => {
  const none = async () => undefined;
  if (requests === 0) return { count: none, read: none, countFile: none };
  // Separate, so that many addresses never evict the count of a key.
  const keys = open('keys', windowSeconds * 1_000);
  const addresses = open('addresses', windowSeconds * 1_000, maxAddresses);
  const pages = open('pages', windowSeconds * 1_000, maxAddresses);
  const parts = open('parts', windowSeconds * 1_000, maxFiles);
  const redirects = open('redirects', windowSeconds * 1_000, maxFiles);
  const count = async (bucket: string, by = 1): Promise<Quota> => {
    const isPage = bucket.startsWith('page ');
    const windows = isPage ? pages : bucket.startsWith('key ') ? keys : addresses;
    const limit = isPage ? pagesPerRequest * requests : requests;
    const { count, msLeft } = await windows.count(bucket, by);
    const resetSeconds = Math.max(1, Math.ceil(msLeft / 1_000));
    return { limit, remaining: Math.max(0, limit - count), resetSeconds, isExceeded: count > limit };
  };
  /** The price of one request for a file. */
  const fileRequests = async (name: string, sent: SentFile): Promise<number> => {
    if (sent === 'whole') return 1;
    if (sent === 'redirect') return (await redirects.count(name)).count > freeRedirects ? 1 : 0;
    const units = Math.max(1, Math.ceil(sent.share * unitsPerFile));
    const { count: total } = await parts.count(name, units);
    return priceOf(total) - priceOf(total - units);
  };
  return {
    count: (bucket) => count(bucket),
    read: (bucket) => count(bucket, 0),
    countFile: async (bucket, file, sent) => {
      const name = `${bucket} ${file}`;
      const price = await fileRequests(name, sent);
      if (price > 0 && sent !== 'redirect') await redirects.forget(name);
      return count(bucket, price);
    },
  };
};
