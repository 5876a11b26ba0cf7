/**
 * Windows that all instances share, in Redis or Valkey (contract: shared quota).
 *
 * Each process also keeps what it was last told, so that it can go on alone: while Redis is away it counts from there, and what it
 * counted meanwhile goes to Redis with the next count of the same name. A Redis that comes back empty is told what is known. So an
 * outage lets nobody start again; all that a process cannot know of it is what others count at the same time.
 *
 * A count that Redis does not take in time is counted here, and the connection is given up: nobody waits for a Redis that hangs but
 * those who asked as it began to.
 */
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { sharedCounts } from '../metrics.ts';
import { type Counted, FixedWindows, type OpenWindows, type Windows } from './fixed-windows.ts';

const answersWithinMs = 500;
const triesAgainMs = 500;
const startsWithinMs = 1_000;
/** Names that were counted while Redis was away. */
const mostUnsent = 100_000;
/** Shortly before its end a window may have ended on one side already. */
const endingMs = 2_000;

export interface SharedCounts {
  readonly openWindows: OpenWindows;
  /** Resolves when Redis is reached, or has not been for a second. */
  ready(): Promise<void>;
  close(): void;
}

/**
 * What `answer` gives, or a failure when it takes too long. A process that was busy for that long has the answer waiting, so it is
 * looked for once more.
 */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`Redis did not answer within ${answersWithinMs} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(fail)), answersWithinMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
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
    this.client.on('ready', () => this.#tell(true));
    this.client.on('close', () => this.#tell(false));
    this.client.on('error', (error) => {
      this.#lastError = error;
      this.#tell(false);
    });
  }

  get isReached(): boolean {
    return this.#isReached === true && this.client.status === 'ready';
  }

  /** A count did not arrive, or its answer did not. */
  failed(error: unknown): void {
    sharedCounts.failures.inc();
    this.#lastError = error as Error;
    if (this.isReached) this.client.disconnect(true);
    this.#tell(false);
  }

  #tell(isReached: boolean): void {
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

  constructor(connection: Connection, name: string, lengthMs: number, most?: number) {
    this.#connection = connection;
    this.#lengthMs = lengthMs;
    this.#own = new FixedWindows(lengthMs, most);
    this.#unsent = new LRUCache({ max: mostUnsent, ttl: lengthMs });
    this.#limiter = new RateLimiterRedis({
      storeClient: connection.client,
      keyPrefix: `estate:${name}`,
      // Whoever counts decides what is too much.
      points: Number.MAX_SAFE_INTEGER,
      duration: lengthMs / 1_000,
      rejectIfRedisNotReady: true,
    });
  }

  async count(name: string): Promise<Counted> {
    const own = this.#own.count(name);
    const unsent = this.#unsent.get(name) ?? 0;
    if (!this.#connection.isReached) {
      this.#unsent.set(name, unsent + 1);
      return own;
    }
    this.#unsent.delete(name);
    const isEnding = own.msLeft < endingMs;
    const secondsLeft = Math.ceil((isEnding ? this.#lengthMs : own.msLeft) / 1_000);
    try {
      const { consumedPoints, msBeforeNext } = await inTime(this.#limiter.consume(name, 1 + unsent, { customDuration: secondsLeft }));
      const shared = { count: consumedPoints, msLeft: msBeforeNext };
      if (shared.count < own.count && !isEnding) {
        // It has forgotten what it knew.
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

/** Connects, and tells `onChange` when Redis is reached and when it is not any more. */
export const shareCounts = (url: string, onChange: (isReached: boolean, error?: Error) => void): SharedCounts => {
  const connection = new Connection(url, onChange);
  const { client } = connection;
  return {
    openWindows: (name, lengthMs, most) => new RedisWindows(connection, name, lengthMs, most),
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
