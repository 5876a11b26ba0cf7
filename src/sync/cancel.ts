/**
 * A load that is told to stop in the middle.
 *
 * On a server its session is ended, whatever it is doing: the server rolls back and gives up its lock, as when the process dies,
 * and what is left is put away at once instead of by the next load. The embedded database runs a statement to its end; there
 * the next step of the load stops.
 */
import type pg from 'pg';
import { type Database, withClient } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import type { Customer } from '../database/customers.ts';
import { qualify } from '../database/identifier.ts';
import { closeAnnouncement } from '../database/publications.ts';
import { OperatorError } from '../errors.ts';
import { dropStaging, tryLock, unlock } from './load-session.ts';

/** Somebody stopped the load. */
export class Cancelled extends OperatorError {
  constructor(message = 'cancelled') {
    super(message);
  }
}

const runs = qualify(controlSchema, 'sync_runs');

/** Ends the client's session when the signal says so; gives a function that waits until it is over and listens no longer. */
export const endOnAbort = (database: Database, client: pg.PoolClient, signal: AbortSignal | undefined): (() => Promise<void>) => {
  if (!signal || database.embedded) return async () => {};
  const { processID, connection } = client as unknown as { processID: number; connection: { stream: { destroy(): void } } };
  let ended: Promise<unknown> = Promise.resolve();
  const end = () => {
    // Loads use none of these connections, so there is one.
    ended = database.shares.large
      .query('select pg_catalog.pg_terminate_backend($1, 5000)', [processID])
      .catch(() => connection.stream.destroy());
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return async () => {
    signal.removeEventListener('abort', end);
    await ended;
  };
};

/** Puts away what a cancelled load left and enters it into the history; gives the error that says how it ended. */
export const putAway = async (database: Database, customer: Customer, run: number): Promise<OperatorError> => {
  const nothingChanged = new Cancelled(`${customer.slug}: cancelled; nothing was changed.`);
  if (run === 0) return nothingChanged;
  return withClient(database.pool, async (client) => {
    // Another load that waited may have the lock by now; then it has put everything away.
    if (await tryLock(client, customer)) {
      await dropStaging(client, customer);
      if (!database.embedded) await closeAnnouncement(client, customer.id);
      await unlock(client, customer);
    }
    const { rowCount } = await client.query(
      `update ${runs} set ended_at = coalesce(ended_at, pg_catalog.clock_timestamp()), error = 'cancelled'
       where id = $1 and (ended_at is null or error is not null)`,
      [run],
    );
    return rowCount === 0 ? new Cancelled(`${customer.slug}: cancelled too late; the load was done.`) : nothingChanged;
  });
};
