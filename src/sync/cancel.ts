/**
 * Cancellation of a running load.
 *
 * On a server, the session of the load is terminated. The server rolls back and releases its lock, as if the process had died, and staging
 * tables are dropped at once. The embedded database completes the current statement, and the load stops at its next step.
 */
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { sessionOf } from '../database/connections/pg-session.ts';
import { withClient } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { closeAnnouncement } from '../database/control/publications.ts';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { releaseLoadLock, tryLoadLock } from '../database/load-lock.ts';
import { OperatorError } from '../errors.ts';
import { dropStaging } from './load-session.ts';

/** The load was cancelled. `isDone`: too late, because the load was done. */
export class Cancelled extends OperatorError {
  readonly isDone: boolean;

  constructor(message = 'cancelled', isDone = false) {
    super(message);
    this.isDone = isDone;
  }
}

const runs = qualify(controlSchema, 'sync_runs');

/** Terminates the client's session when the signal aborts. Returns a function that waits for the termination and removes the listener. */
export const endOnAbort = (database: Database, client: pg.PoolClient, signal: AbortSignal | undefined): (() => Promise<void>) => {
  if (!signal || database.embedded) return async () => {};
  const session = sessionOf(client);
  let ended: Promise<unknown> = Promise.resolve();
  const end = () => {
    // Loads use no connection of this pool, so one is available.
    // The cast selects the function: Citus has a second one, for bigint.
    ended = database.shares.large
      .query('select pg_catalog.pg_terminate_backend($1::int, 5000)', [session.processId])
      .catch(() => session.socket.destroy());
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return async () => {
    signal.removeEventListener('abort', end);
    await ended;
  };
};

/** Drops the staging tables of a cancelled load and records its end in the history. Returns the error that describes the end. */
export const dropStagingOf = async (database: Database, customer: Customer, run: number): Promise<OperatorError> => {
  const nothingChanged = new Cancelled(`${customer.slug}: cancelled; nothing was changed.`);
  if (run === 0) return nothingChanged;
  return withClient(database.pool, async (client) => {
    // Another load may hold the lock now. It has dropped the staging tables already.
    if (await tryLoadLock(client, customer.id)) {
      await dropStaging(client, customer);
      if (!database.embedded) await closeAnnouncement(client, customer.id);
      await releaseLoadLock(client, customer.id);
    }
    const { rowCount } = await client.query(
      `update ${runs} set ended_at = coalesce(ended_at, pg_catalog.clock_timestamp()), error = 'cancelled'
       where id = $1 and (ended_at is null or error is not null)`,
      [run],
    );
    return rowCount === 0 ? new Cancelled(`${customer.slug}: cancelled too late; the load was done.`, true) : nothingChanged;
  });
};
