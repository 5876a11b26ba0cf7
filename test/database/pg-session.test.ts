/** The undocumented parts of `pg`, each used as `src/database/connections/pg-session.ts` describes it. A new version that changes one fails here. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import {
  CancelConnection,
  type ProtocolConnection,
  type ProtocolField,
  ProtocolQuery,
  sessionOf,
} from '../../src/database/connections/pg-session.ts';
import { onServer, openTestDatabase } from '../support/database.ts';

let database: Database;
let client: pg.PoolClient;
beforeAll(async () => {
  database = await openTestDatabase();
  client = await database.pool.connect();
});
afterAll(async () => {
  client.release();
  await database.close();
});

/** Runs a query that records which of its methods the client calls. */
const record = (name: string, rows?: number): Promise<{ readonly calls: string[]; readonly fields: readonly ProtocolField[] }> => {
  const calls: string[] = [];
  let fields: readonly ProtocolField[] = [];
  class Recorded extends ProtocolQuery {
    override submit(connection: ProtocolConnection): Error | null {
      calls.push(connection === sessionOf(client).connection ? 'submit' : 'submit with another connection');
      return super.submit(connection);
    }
    override prepare(connection: ProtocolConnection): void {
      calls.push('prepare');
      super.prepare(connection);
    }
    override handleRowDescription(message: { readonly fields: readonly ProtocolField[] }): void {
      calls.push('handleRowDescription');
      fields = message.fields;
      super.handleRowDescription(message);
    }
  }
  return new Promise((resolve, reject) => {
    const query = new Recorded('select 1::int4 as one where $1::int4 = 1', [1], (error) =>
      error ? reject(error) : resolve({ calls, fields }),
    );
    query.name = name;
    query.rows = rows;
    client.query(query as unknown as pg.Submittable);
  });
};

describe('a client of pg', () => {
  test('has its protocol connection with a socket', () => {
    const { stream, parsedStatements } = sessionOf(client).connection;
    expect(stream.listenerCount('data')).toBe(1);
    expect(sessionOf(client).socket).toBe(stream);
    expect(typeof parsedStatements).toBe('object');
    for (const method of ['describe', 'close', 'sync'] as const) expect(typeof sessionOf(client).connection[method]).toBe('function');
  });

  test('calls the methods of a query class in order, and describes its columns', async () => {
    const { calls, fields } = await record('');
    expect(calls).toEqual(['submit', 'prepare', 'handleRowDescription']);
    expect(fields.map(({ name, dataTypeID }) => [name, dataTypeID])).toEqual([['one', 23]]);
  });

  test('reads in batches where `rows` is set', async () => {
    expect((await record('', 1)).calls).toContain('prepare');
  });

  test('notes named statements that the server has parsed', async () => {
    await record('internals_test');
    expect(sessionOf(client).connection.parsedStatements.internals_test).toContain('select 1::int4');
  });

  test('passes an error of the server to handleError', async () => {
    let heard: Error | undefined;
    class Failing extends ProtocolQuery {
      override handleError(error: Error, connection: ProtocolConnection): void {
        heard = error;
        super.handleError(error, connection);
      }
    }
    const failed = new Promise((resolve) => {
      client.query(new Failing('select 1 / $1::int4', [0], resolve) as unknown as pg.Submittable);
    });
    expect(await failed).toBe(heard);
    expect(heard).toMatchObject({ code: '22012' });
  });
});

test.runIf(onServer)('a session has the identity that a cancel request names', async () => {
  const { secretKey, host, port } = client as unknown as Readonly<Record<string, unknown>>;
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  expect(sessionOf(client).processId).toBe(rows[0]?.pid);
  expect([typeof secretKey, typeof host, typeof port]).toEqual(['number', 'string', 'number']);
  const connection = new CancelConnection({ ssl: false });
  for (const method of ['connect', 'cancel', 'requestSsl', 'once', 'on'] as const) expect(typeof connection[method]).toBe('function');
  connection.stream.destroy();
});

test.runIf(onServer)('a pool gives out a client only after its asynchronous `onConnect` has ended', async () => {
  const pool = new pg.Pool({
    connectionString: database.pool.options.connectionString,
    onConnect: async (connected) => {
      await connected.query('select');
      // A query that did not wait would run before this one.
      await connected.query("set application_name = 'set by onConnect'");
    },
  });
  try {
    const { rows } = await pool.query('show application_name');
    expect(rows).toEqual([{ application_name: 'set by onConnect' }]);
  } finally {
    await pool.end();
  }
});
