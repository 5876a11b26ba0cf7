/** The server describes a connection's statement once, not with each answer. */
import type { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { bookingPositions } from '../../src/catalogue/tables/accounting.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';
import { hiddenColumns } from '../../src/sql/query.ts';
import { statementFor } from '../../src/sql/statement.ts';
import { bufferRows } from '../../src/wire/json-rows.ts';
import { openTestDatabase } from '../support/database.ts';

const limit = 3;
let database: Database;
let plan: Plan;

beforeAll(async () => {
  database = await openTestDatabase();
  const { id, schema_name: schema } = await findCustomer(database, 'nord');
  const source = categorySource(bookingPositions, { id, schema });
  const order = sortOrder(source, bookingPositions.columns);
  plan = {
    source,
    columns: ['booking_position_id', 'amount'],
    where: undefined,
    order,
    after: undefined,
    offset: 0,
    limit,
    joinedRows: [],
  };
});
afterAll(() => database.close());

test('rows of a cached statement equal those of a new one', async () => {
  const client = await database.pool.connect();
  try {
    const { connection } = client as unknown as { readonly connection: EventEmitter };
    let descriptions = 0;
    connection.on('rowDescription', () => descriptions++);
    const read = async (columns: readonly string[], offset: number): Promise<unknown[]> => {
      const statement = statementFor({ queryKind: 'rows', plan: { ...plan, columns, offset }, limit });
      const { held } = await bufferRows(client, statement, { hidden: hiddenColumns.rows, limit });
      const rows = JSON.parse(Buffer.concat(held.body).toString());
      held.release();
      return rows;
    };
    const both = ['booking_position_id', 'amount'];
    const first = await read(both, 1);
    expect(descriptions).toBe(1);
    expect(await read(both, 1)).toEqual(first);
    const second = await read(both, 2);
    expect([second.slice(0, -1), descriptions]).toEqual([first.slice(1), 1]);
    expect(Object.keys((await read(['amount'], 1))[0] as object)).toEqual(['amount']);
    expect(descriptions).toBe(2);
  } finally {
    client.release();
  }
});
