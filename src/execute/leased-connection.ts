/**
 * A connection while a request holds it: its cancellation, the translation of its errors, and where a failed read is repeated. When a
 * client disconnects, its statement is cancelled.
 */
import type pg from 'pg';
import { citusOf } from '../database/cluster/citus.ts';
import type { Database } from '../database/connections/connection.ts';
import { sessionOf } from '../database/connections/pg-session.ts';
import { type DatabaseFailure, failureOf, isClientTimeout } from '../database-failures.ts';
import { ApiError, maxRetries } from '../errors.ts';
import { databaseErrors } from '../metrics.ts';
import { maxFilled } from '../plan/groups/groups.ts';
import type { AbortSignalLike, Release } from '../scheduling/queue.ts';
import type { OtherServer } from './nodes.ts';

/** Raised for too many empty buckets (`sql/bands.ts`). */
const beyondFill = '2201E';
const tooManyBuckets = () =>
  new ApiError(
    'limitExceeded',
    `The answer would have more than ${maxFilled} groups with empty buckets: limit the rows by dates or values, choose larger buckets, or fill fewer keys`,
  );
/** A session per connection can have an outdated statement, so a read may meet as many of them. */
const maxStale = 20;

/** Translates a database error into an `ApiError` where one exists. A statement timeout is not an internal error. */
const translateDatabaseError = (error: unknown, signal: AbortSignalLike | undefined): unknown => {
  if (signal?.aborted) return new ApiError('abandoned');
  if (error instanceof ApiError) return error;
  const { code } = error as { readonly code?: unknown };
  if (code === beyondFill) return tooManyBuckets();
  databaseErrors.inc({ class: typeof code === 'string' && code.length === 5 ? code.slice(0, 2) : 'connection' });
  const failure = failureOf(error);
  // The limit of the client says what the limit of the server says.
  return failure === 'timeout' || failure === 'locked' || isClientTimeout(error) ? new ApiError('timeout') : error;
};

/** `any`: an up-to-date replica or the customer's node if there is one, otherwise the primary. */
export type ServerChoice = 'any' | 'primary';

/** The server of a read, and how often the read was repeated after a transient error. */
export interface ReadAttempt {
  readonly server: ServerChoice;
  readonly retries: number;
}

interface LeaseOptions {
  readonly customerId: number;
  readonly leave: Release;
  readonly signal: AbortSignalLike | undefined;
  /** The server, if it is not the primary. */
  readonly other?: OtherServer | undefined;
  readonly attempt: ReadAttempt;
}

/** A connection that a request holds until `end`. */
export class LeasedConnection {
  readonly client: pg.PoolClient;
  readonly #database: Database;
  readonly #leave: Release;
  readonly #signal: AbortSignalLike | undefined;
  readonly #other: OtherServer | undefined;
  readonly #attempt: ReadAttempt;
  readonly #unwatch: () => void;
  #cancelling: Promise<boolean> | undefined;
  #hasFailed = false;
  #failure: DatabaseFailure | undefined;
  #isBroken = false;
  #isEnded = false;

  constructor(client: pg.PoolClient, database: Database, { customerId, leave, signal, other, attempt }: LeaseOptions) {
    this.client = client;
    this.#database = database;
    this.#leave = leave;
    this.#signal = signal;
    this.#other = other;
    this.#attempt = attempt;
    this.#unwatch = citusOf(database).guard.watch(customerId, client);
    sessionOf(client).tableNames = other?.names;
    // Without a listener, a failing backend would end the process. The running query rejects as well.
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Throws `timeout` or `abandoned` after cancellation. */
  throwIfCancelled(): void {
    if (this.#cancelling) throw this.#signal?.aborted ? new ApiError('abandoned') : new ApiError('timeout');
  }

  /**
   * Where to retry the read; undefined if it is not repeated. A stopped replica, or one that cancelled a statement because of replay, is not a
   * failure of the service. Neither is a node that no longer has the customer, nor a transaction that lost against another one.
   */
  get nextAttempt(): ReadAttempt | undefined {
    if (this.#cancelling || !this.#hasFailed) return undefined;
    const { retries } = this.#attempt;
    // On a node, a statement takes as long as on the primary, so one that reached its time limit is not repeated.
    if (this.#other && !(this.#other.names && this.#failure === 'timeout')) return { server: 'primary', retries };
    const most = this.#failure === 'stale' ? maxStale : this.#failure === 'lost' || this.#failure === 'locked' ? maxRetries : 0;
    return retries < most ? { server: 'primary', retries: retries + 1 } : undefined;
  }

  /** Translates the error of a statement for callers. */
  translateError(error: unknown): unknown {
    if (!(error instanceof ApiError)) {
      this.#hasFailed = true;
      this.#failure ??= failureOf(error);
      this.#other?.failed?.(false);
    }
    return translateDatabaseError(error, this.#signal);
  }

  /** Cancels the running statement, if there is one. */
  readonly cancel = (): void => {
    if (!this.#isEnded) this.#cancelling ??= this.#database.cancel(this.client);
  };

  /** Returns the connection to its pool. A broken connection is discarded, and also if `isDropped`. */
  async end(isDropped = false): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#unwatch();
    this.#signal?.removeEventListener('abort', this.cancel);
    // A late cancel request must not cancel the next statement of this connection.
    const isUnsure = this.#cancelling !== undefined && !(await this.#cancelling);
    const drops = this.#isBroken || this.#failure === 'unavailable' || isDropped || isUnsure;
    this.client.removeListener('error', this.#onError);
    if (drops) this.client.once('error', () => {});
    sessionOf(this.client).tableNames = undefined;
    this.client.release(drops);
    this.#leave();
  }

  readonly #onError = (): void => {
    this.#isBroken = true;
  };
}
