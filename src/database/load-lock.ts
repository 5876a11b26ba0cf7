/** The advisory lock that a load holds for as long as it lives: one load at a time of each customer. */

/** First half of the lock's key, the second is the customer's id. */
export const loadLockSpace = 0x65737461;

/** The schema of what a load stages; only for the holder of the lock. */
export const stagingOf = (customerId: number): string => `staging_${customerId}`;

/** SQL: whether a load of the customer is alive. The session that dies gives up its lock, however it dies. */
export const isLoading = (customerId: string): string =>
  `exists (select 1 from pg_catalog.pg_locks l join pg_catalog.pg_database b on b.oid = l.database
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and b.datname = pg_catalog.current_database()
      and l.classid = ${loadLockSpace}::oid and l.objid = (${customerId})::oid)`;
