/** Reads on a server where the tables have other names, and what happens if they are no longer there. The server is the database itself. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { sessionOf } from '../../src/database/connections/pg-session.ts';
import { TableNames } from '../../src/database/connections/table-names.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { Connections, type RequestContext } from '../../src/execute/connections.ts';
import type { OtherServer } from '../../src/execute/nodes.ts';
import { createReaderContext, Reader } from '../../src/execute/reader.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';
import { openTestDatabase } from '../support/database.ts';
import { testSecret } from '../support/settings.ts';

let database: Database;
let requestContext: RequestContext;
let plan: Plan;
let other: OtherServer | undefined;
const failures: boolean[] = [];

const table = catalogue.tables.get('orders')!;
const schema = 'customer_nord';
const namesOf = (orders: string) => new TableNames(new Map([[`"${schema}"."orders"`, `"${schema}"."${orders}"`]]));

const readOnOther = async (limit = 3) => {
  const context = createReaderContext(database, createCursors(testSecret), { smallPage: 10, nodes: { for: async () => other } });
  const page = await new Reader(context, requestContext).page({ ...plan, limit });
  const chunks: Buffer[] = [];
  for await (const chunk of page.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  page.release?.();
  return text;
};

beforeAll(async () => {
  database = await openTestDatabase();
  const { id } = await findCustomer(database, 'nord');
  const source = { schema, customerId: id, kind: 'category' as const, name: 'orders', sort: table.sort, cursor: undefined };
  const order = sortOrder(source, table.columns);
  const common = { source, order, columns: ['order_id'], where: undefined, after: undefined, offset: 0, limit: 3, joinedRows: [] };
  plan = common;
  requestContext = { customerId: id };
  await database.pool.query(`create table ${schema}.orders_7 (like ${schema}.orders including all);
    insert into ${schema}.orders_7 select * from ${schema}.orders order by order_id desc limit 20`);
});
afterAll(() => database.close());
beforeEach(() => {
  failures.length = 0;
  other = { server: database, names: namesOf('orders_7'), failed: (isUnreachable) => failures.push(isUnreachable) };
});

test.each([3, 15])('a page of %i rows has the rows of the other table', async (limit) => {
  const there = await readOnOther(limit);
  other = undefined;
  const here = await readOnOther(limit);
  expect(JSON.parse(there)).toHaveLength(limit);
  expect(there).not.toBe(here);
  expect(failures).toEqual([]);
});

test.each([3, 15])('a page of %i rows is read on the primary if the table is no longer there', async (limit) => {
  other = { ...other!, names: namesOf('orders_8') };
  const answer = await readOnOther(limit);
  other = undefined;
  expect(answer).toBe(await readOnOther(limit));
  expect(failures).toEqual([false]);
});

test('a server that cannot be reached is reported, and the primary answers', async () => {
  const unreachable = { connect: () => Promise.reject(new Error('no connection')) } as never;
  other = { ...other!, server: { ...database, shares: { pages: unreachable, documents: unreachable, large: unreachable } } };
  const answer = await readOnOther();
  other = undefined;
  expect(answer).toBe(await readOnOther());
  expect(failures).toEqual([true]);
});

test('the names end with the lease', async () => {
  const connections = new Connections(database, { queueWaitMs: 1_000, documentTimeoutMs: 1_000, nodes: { for: async () => other } });
  await readOnOther();
  other = undefined;
  expect(await connections.run('pages', requestContext, async (client) => sessionOf(client).tableNames)).toBeUndefined();
});
