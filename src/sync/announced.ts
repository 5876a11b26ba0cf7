/** A transaction that changes what readers see. It is announced first, so that no instance answers from memory with data that it replaces. */
import { setTimeout as sleep } from 'node:timers/promises';
import { allowWaiting } from '../database/connections/transaction.ts';
import { announce, closeAnnouncement, countLoad, leaseMs } from '../database/control/publications.ts';
import type { LoadSession } from './load-session.ts';

export interface AnnouncedOptions {
  /** Shorter than the version lease only in tests without other instances. */
  readonly announceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` in the transaction, counts it as a load, and commits. `work` calls `untilKnown` before it locks tables: it waits until every
 * instance knows of the announcement.
 */
export const inAnnouncedTransaction = async <T>(
  { client, customer, database }: LoadSession,
  { announceMs, signal }: AnnouncedOptions,
  work: (untilKnown: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  // The embedded database has one process, which caches no versions.
  const waitMs = database.embedded ? 0 : (announceMs ?? leaseMs);
  if (!database.embedded) await announce(client, customer.id);
  const announcedAt = performance.now();
  try {
    await client.query('begin');
    await allowWaiting(client);
    await client.query('set local synchronous_commit = on');
    const result = await work(() => sleep(Math.max(0, announcedAt + waitMs - performance.now()), undefined, { ...(signal && { signal }) }));
    await countLoad(client, { id: customer.id, schema: customer.schema_name });
    await closeAnnouncement(client, customer.id);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (!database.embedded) await closeAnnouncement(client, customer.id).catch(() => {});
    throw error;
  }
};
