/** Sessions that read: their settings, and what a client sees when a statement takes too long (contract: waiting). */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowWaiting, inTransaction } from '../../src/database/connections/transaction.ts';
import { LeasedConnection } from '../../src/execute/leased-connection.ts';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';

describe.runIf(onServer)('on PostgreSQL', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test('no statement of a caller is compiled', async () => {
    for (const pool of Object.values(service.database.shares)) {
      const { rows } = await pool.query("select current_setting('jit') as jit");
      expect(rows).toEqual([{ jit: 'off' }]);
    }
  });

  test('the limit of the server and that of the client have the same text', async () => {
    const errorOf = async (config: Partial<pg.QueryConfig> & { readonly query_timeout?: number }, limit: string) => {
      const client = await service.database.shares.pages.connect();
      const lease = new LeasedConnection(client, service.database, {
        customerId: 1,
        leave: () => {},
        signal: undefined,
        attempt: { server: 'any', retries: 0 },
      });
      await client.query(`set statement_timeout = ${limit}`);
      const error = await client
        .query({ text: 'select pg_catalog.pg_sleep(60)', ...config })
        .catch((reason) => lease.translateError(reason));
      await lease.end(true);
      return error;
    };
    const ofServer = await errorOf({}, '50');
    const ofClient = await errorOf({ query_timeout: 50 }, '0');
    expect(ofServer).toMatchObject({ kind: 'timeout' });
    expect(ofClient).toEqual(ofServer);
  });

  test('a transaction that waits for this process has no limit for it', async () => {
    const client = new pg.Pool({ connectionString: service.database.address, max: 1, idle_in_transaction_session_timeout: 20 });
    const shown = () =>
      inTransaction(client, async (session) => {
        await allowWaiting(session);
        return (await session.query('show idle_in_transaction_session_timeout')).rows[0].idle_in_transaction_session_timeout;
      });
    expect(await shown()).toBe('0');
    expect((await client.query('show idle_in_transaction_session_timeout')).rows).toEqual([
      { idle_in_transaction_session_timeout: '20ms' },
    ]);
    await client.end();
  });
});
