/** Runs work on one connection of a pool. */
import type pg from 'pg';
import { failureOf } from '../../database-failures.ts';

/**
 * Lets the current transaction wait for this process, which reads files, generates rows or waits for instances between two statements. The
 * server, or the role, may have a limit for idle transactions.
 */
export const allowWaiting = async (client: pg.ClientBase): Promise<void> => {
  await client.query('set local idle_in_transaction_session_timeout = 0');
};

/** Runs `work` in one transaction and rolls back if it throws. */
export const inTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
};

/** Runs `work` on one connection. The connection is discarded if it fails. */
export const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  const onError = () => {
    broken = true;
  };
  // Without a listener, a failing backend would end the process. The running query rejects as well.
  client.on('error', onError);
  try {
    return await work(client);
  } catch (error) {
    // After a time limit, a statement may still be running.
    broken ||= failureOf(error) === 'unavailable';
    throw error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
};

/** Runs `work` in one transaction of a connection and rolls back if it throws. */
export const inTransactionOf = async <T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> => {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};
