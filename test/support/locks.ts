/** Waits for locks. Other test files use other databases of the same server, so only the own database counts. */
import type pg from 'pg';

export interface LockWait {
  readonly pid: number;
  readonly mode: string;
  /** The name of the table without its schema; null for other locks. */
  readonly table: string | null;
}

const query = `select l.pid, l.mode, c.relname as table from pg_locks l left join pg_class c on c.oid = l.relation
  where not l.granted and l.database = (select oid from pg_database where datname = current_database())`;

/** The sessions of the connection's database that wait for a lock. */
export const lockWaits = async (connection: pg.Client | pg.Pool): Promise<readonly LockWait[]> =>
  (await connection.query<LockWait>(query)).rows;
