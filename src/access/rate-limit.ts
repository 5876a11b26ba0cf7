/**
 * The quota: a fixed window of one hour that starts with a bucket's first request; every request counts (semantics 9–12).
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export const windowSeconds = 3600;

export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

export interface RateLimit {
  /** Counts one request against a bucket; undefined when limiting is switched off. */
  count(bucket: string): Promise<Quota | undefined>;
}

/** Allows `limit` requests an hour per bucket, counted in this process; 0 switches limiting off. */
export const createRateLimit = (limit: number): RateLimit => {
  if (limit === 0) return { count: async () => undefined };
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  return {
    count: async (bucket) => {
      const result = await limiter.consume(bucket).catch((rejected: unknown) => {
        if (rejected instanceof RateLimiterRes) return rejected;
        throw rejected;
      });
      return {
        limit,
        remaining: Math.max(0, result.remainingPoints),
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
        isExceeded: result.consumedPoints > limit,
      };
    },
  };
};
