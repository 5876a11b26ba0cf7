/**
 * Windows that all instances share in Redis or Valkey (contract: shared quota).
 *
 * Each process stores the last known counts, so that it can continue alone. While Redis is unreachable, it counts from there, and the next
 * count of the same name sends the difference to Redis. An empty Redis receives the known counts. So an outage resets no quota. A process
 * alone only misses what others count at the same time.
 *
 * If Redis does not accept a count in time, the process counts locally and drops the connection. So only requests at the start of an outage
 * wait for a hanging Redis.
 */
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { sharedCounts } from '../../metrics.ts';
import { type Counted, FixedWindows, type OpenWindows, type Windows } from './fixed-windows.ts';

const repliesWithinMs = 500;
const triesAgainMs = 500;
const startsWithinMs = 1_000;
/** Names that were counted while Redis was unreachable. */
const maxUnsent = 100_000;
/** Near its end, a window may have ended on one side already. */
const endingMs = 2_000;

export interface SharedCounts {
  readonly openWindows: OpenWindows;
  /** Resolves when Redis is reached, or after one second without it. */
  ready(): Promise<void>;
  close(): void;
}

/**
 * The result of `reply`, or an error after a timeout. A busy process may have the reply in its buffer, so the buffer is checked once more
 * first.
 */
const inTime = <T>(reply: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`Redis did not answer within ${repliesWithinMs} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(fail)), repliesWithinMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });

class Connection {
  readonly client: Redis;
  readonly #onChange: (isReached: boolean, error?: Error) => void;
  /** Undefined until it is known. */
  #isReached: boolean | undefined;
  #lastError: Error | undefined;

  constructor(url: string, onChange: (isReached: boolean, error?: Error) => void) {
    this.#onChange = onChange;
    this.client = new Redis(url, {
      connectionName: 'estate',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      connectTimeout: startsWithinMs,
      retryStrategy: () => triesAgainMs,
    });
    this.client.on('ready', () => this.#report(true));
    this.client.on('close', () => this.#report(false));
    this.client.on('error', (error) => {
      this.#lastError = error;
      this.#report(false);
    });
  }

  get isReached(): boolean {
    return this.#isReached === true && this.client.status === 'ready';
  }

  /** A count or its reply was lost. */
  failed(error: unknown): void {
    sharedCounts.failures.inc();
    this.#lastError = error as Error;
    if (this.isReached) this.client.disconnect(true);
    this.#report(false);
  }

  #report(isReached: boolean): void {
    sharedCounts.isReached.set({ use: 'counts' }, isReached ? 1 : 0);
    if (isReached === this.#isReached) return;
    this.#isReached = isReached;
    this.#onChange(isReached, this.#lastError);
  }
}

class RedisWindows implements Windows {
  readonly #connection: Connection;
  readonly #limiter: RateLimiterRedis;
  readonly #lengthMs: number;
  readonly #own: FixedWindows;
  readonly #unsent: LRUCache<string, number>;

  constructor(connection: Connection, name: string, lengthMs: number, max?: number) {
    this.#connection = connection;
    this.#lengthMs = lengthMs;
    this.#own = new FixedWindows(lengthMs, max);
    this.#unsent = new LRUCache({ max: maxUnsent, ttl: lengthMs });
    this.#limiter = new RateLimiterRedis({
      storeClient: connection.client,
      keyPrefix: `estate:${name}`,
      // The caller compares the count with the limit.
      points: Number.MAX_SAFE_INTEGER,
      duration: lengthMs / 1_000,
      rejectIfRedisNotReady: true,
    });
  }

  async count(name: string, by = 1): Promise<Counted> {
    const own = this.#own.count(name, by);
    const unsent = this.#unsent.get(name) ?? 0;
    if (!this.#connection.isReached) {
      this.#unsent.set(name, unsent + by);
      return own;
    }
    this.#unsent.delete(name);
    const isEnding = own.msLeft < endingMs;
    const secondsLeft = Math.ceil((isEnding ? this.#lengthMs : own.msLeft) / 1_000);
    try {
      const { consumedPoints, msBeforeNext } = await inTime(this.#limiter.consume(name, by + unsent, { customDuration: secondsLeft }));
      const shared = { count: consumedPoints, msLeft: msBeforeNext };
      if (shared.count < own.count && !isEnding) {
        // Redis lost the count, for example by a restart.
        await inTime(this.#limiter.set(name, own.count, secondsLeft));
        return own;
      }
      this.#own.adopt(name, shared);
      return shared;
    } catch (error) {
      this.#connection.failed(error);
      return own;
    }
  }

  async forget(name: string): Promise<void> {
    this.#own.forget(name);
    this.#unsent.delete(name);
    if (this.#connection.isReached) await inTime(this.#limiter.delete(name)).catch((error) => this.#connection.failed(error));
  }
}

/** Connects and calls `onChange` when Redis becomes reachable or unreachable. */
export const shareCounts = (url: string, onChange: (isReached: boolean, error?: Error) => void): SharedCounts => {
  const connection = new Connection(url, onChange);
  const { client } = connection;
  return {
    openWindows: (name, lengthMs, max) => new RedisWindows(connection, name, lengthMs, max),
    ready: () =>
      new Promise((resolve) => {
        if (connection.isReached) return resolve();
        const timer = setTimeout(resolve, startsWithinMs);
        client.once('ready', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    close: () => {
      client.removeAllListeners('close');
      client.disconnect();
    },
  };
};
