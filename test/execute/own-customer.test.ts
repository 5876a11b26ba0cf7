/** A reader refuses a plan of another customer before it uses the database (contract: customer scope). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { orders } from '../../src/catalogue/tables/operations.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { DeltaReader } from '../../src/execute/deltas.ts';
import { createReaderContext, Reader, type ReaderContext } from '../../src/execute/reader.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';
import { openTestDatabase } from '../support/database.ts';
import { statementsDuring } from '../support/statements.ts';

let database: Database;
let context: ReaderContext;
let plan: Plan;
let owner: number;
let version: number;
beforeAll(async () => {
  database = await openTestDatabase();
  context = createReaderContext(database, createCursors('a secret for cursors'));
  const { rows } = await database.pool.query(
    `select c.id, d.version from estate.customers c cross join customer_nord._datasets d
     where c.slug = 'nord' and d.name = 'orders' and d.kind = 'category'`,
  );
  [owner, version] = [rows[0].id, Number(rows[0].version)];
  const source = categorySource(orders, { id: owner, schema: 'customer_nord' });
  plan = {
    source,
    columns: ['order_id'],
    where: undefined,
    order: sortOrder(source),
    after: undefined,
    offset: 0,
    limit: 10,
    joinedRows: [],
  };
});
afterAll(() => database.close());

const askerOf = (customerId: number) => ({ customerId, signal: new AbortController().signal });
const parents = () => ({ link: { column: 'property_id', kind: 'integer', isUnique: false }, values: ['1001'] }) as const;
const deltas = () => ({ rows: plan, key: { column: 'order_id', kind: 'integer' }, since: version, after: undefined }) as const;

const readings: Readonly<Record<string, (reader: Reader, changes: DeltaReader) => Promise<unknown>>> = {
  'a page': (reader) => reader.page(plan),
  'a large page': (reader) => reader.page({ ...plan, limit: 5_000 }),
  'a summary': (reader) => reader.summary(plan),
  rows: (reader) => reader.rows(plan, 3),
  'rows of parents': (reader) => reader.rowsOf(parents(), plan, 3),
  'a count': (reader) => reader.count(plan),
  'counts of parents': (reader) => reader.countsOf(parents(), plan),
  deltas: (_reader, changes) => changes.page(deltas()),
  'a large page of deltas': (_reader, changes) => changes.page({ ...deltas(), rows: { ...plan, limit: 5_000 } }),
  'a summary of deltas': (_reader, changes) => changes.summary(deltas()),
};

test.each(Object.entries(readings))('%s', async (_what, read) => {
  const as = (customerId: number) => read(new Reader(context, askerOf(customerId)), new DeltaReader(context, askerOf(customerId)));
  await expect(as(owner)).resolves.toBeDefined();
  const statements = await statementsDuring(() => expect(as(owner + 1)).rejects.toThrow('The plan is of another customer'));
  expect(statements).toEqual([]);
});
