/** Whether sessions keep named statements. A transaction pooler may give each transaction another session: PgBouncer does before 1.21. */
import pg from 'pg';
import { failureOf } from '../../database-failures.ts';

const answersWithinMs = 5_000;

/** Two clients use one name, one after the other. A pooler gives both the same session, which has the name already. */
const shareName = async (one: pg.PoolClient, two: pg.PoolClient): Promise<void> => {
  for (const client of [one, two, one]) await client.query({ name: 'estate_shared', text: 'select 1' });
};

/** Each client prepares a statement while the other holds a session, so that a pooler has to change their sessions. */
const changeSessions = async (one: pg.PoolClient, two: pg.PoolClient): Promise<void> => {
  const run = (client: pg.PoolClient) => client.query({ name: client === one ? 'estate_one' : 'estate_two', text: 'select 1' });
  for (const [holding, other] of [[one, two] as const, [two, one] as const]) {
    await holding.query('begin');
    await run(holding);
    await run(other);
    await holding.query('commit');
  }
};

/** Tries named statements over two connections. False only if one was missing or there twice; an unreachable server is no answer. */
export const keepsNamedStatements = async (url: string): Promise<boolean> => {
  const limits = { connectionTimeoutMillis: answersWithinMs, query_timeout: answersWithinMs };
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'estate', ...limits });
  pool.on('error', () => {});
  try {
    const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
    try {
      await shareName(one, two);
      await changeSessions(one, two);
    } finally {
      for (const client of [one, two]) client.release(true);
    }
    return true;
  } catch (error) {
    return failureOf(error) !== 'stale';
  } finally {
    await pool.end();
  }
};
