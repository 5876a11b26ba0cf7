/** A page deep in a whole table is read from the nearer end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { bookingPositions } from '../../src/catalogue/tables/accounting.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';
import { statementFor } from '../../src/sql/statement.ts';
import { openTestDatabase } from '../support/database.ts';

const limit = 10;
let database: Database;
let plan: Plan;
let keys: number[];

beforeAll(async () => {
  database = await openTestDatabase();
  const { id, schema_name: schema } = await findCustomer(database, 'nord');
  const source = categorySource(bookingPositions, { id, schema });
  const order = sortOrder(source, bookingPositions.columns);
  plan = { source, columns: ['booking_position_id'], where: undefined, order, after: undefined, offset: 0, limit, joinedRows: [] };
  const { rows } = await database.pool.query(`select booking_position_id as key from "${schema}".booking_positions order by 1`);
  keys = rows.map(({ key }) => key);
});
afterAll(() => database.close());

const statement = (offset: number) => statementFor({ queryKind: 'rows', plan: { ...plan, offset }, limit });

test('it shows the rows at the offset, and none after the last one', async () => {
  const { length } = keys;
  const middle = Math.floor(length / 2);
  for (const offset of [500, middle - 1, middle, middle + 1, length - 11, length - 1, length, length + 7]) {
    const { text, values } = statement(offset);
    const { rows } = await database.pool.query(text, [...values]);
    expect([offset, rows.map((row) => row.booking_position_id)]).toEqual([offset, keys.slice(offset, offset + limit)]);
  }
});

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

test('it reads no more rows than there are between the page and that end', async () => {
  const walked = async (offset: number): Promise<number> => {
    const { text, values } = statement(offset);
    const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, [...values]);
    const max = (node: Node): number => Math.max(node['Actual Rows'] * node['Actual Loops'], ...(node.Plans ?? []).map(max));
    return max(rows[0]['QUERY PLAN'][0].Plan);
  };
  expect(await walked(600)).toBe(601);
  expect(await walked(keys.length - 20)).toBe(20);
  // The row with the total.
  expect(await walked(keys.length + 20)).toBe(1);
});
