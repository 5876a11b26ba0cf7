/** The advisory lock of a running load. It allows one load at a time for each customer, and no load while the customer moves. */
import type pg from 'pg';

/** The first half of the lock's key. The second half is the customer's id. */
export const loadLockSpace = 0x65737461;

/** Tries to acquire the customer's lock for the client's session. */
export const tryLoadLock = async (client: pg.ClientBase, customerId: number): Promise<boolean> => {
  const { rows } = await client.query<{ locked: boolean }>('select pg_catalog.pg_try_advisory_lock($1, $2) as locked', [
    loadLockSpace,
    customerId,
  ]);
  return rows[0]?.locked ?? false;
};

/** Acquires the customer's lock for the client's session. `waiting` is called if another session has it. */
export const takeLoadLock = async (client: pg.ClientBase, customerId: number, waiting: () => void): Promise<void> => {
  if (await tryLoadLock(client, customerId)) return;
  waiting();
  await client.query('select pg_catalog.pg_advisory_lock($1, $2)', [loadLockSpace, customerId]);
};

export const releaseLoadLock = async (client: pg.ClientBase, customerId: number): Promise<void> => {
  await client.query('select pg_catalog.pg_advisory_unlock($1, $2)', [loadLockSpace, customerId]);
};

/** SQL: whether a load of the customer is running. A session that dies releases its lock. */
export const isLoading = (customerId: string): string =>
  `exists (select 1 from pg_catalog.pg_locks l join pg_catalog.pg_database b on b.oid = l.database
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and b.datname = pg_catalog.current_database()
      and l.classid = ${loadLockSpace}::oid and l.objid = (${customerId})::oid)`;
