/** The advisory lock of a running load. It allows one load at a time for each customer. */

/** The first half of the lock's key. The second half is the customer's id. */
export const loadLockSpace = 0x65737461;

/** SQL: whether a load of the customer is running. A session that dies releases its lock. */
export const isLoading = (customerId: string): string =>
  `exists (select 1 from pg_catalog.pg_locks l join pg_catalog.pg_database b on b.oid = l.database
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and b.datname = pg_catalog.current_database()
      and l.classid = ${loadLockSpace}::oid and l.objid = (${customerId})::oid)`;
