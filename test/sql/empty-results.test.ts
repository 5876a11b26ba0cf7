/** Filters without a match: the table is searched once for each version of its data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { orders } from '../../src/catalogue/tables/operations.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';
import type { KnownTotal } from '../../src/plan/plan-query.ts';
import { statementFor } from '../../src/sql/statement.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let plan: Plan;
let version: number;

beforeAll(async () => {
  // Versions are raised below without a notification, which the response cache needs.
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  const { rows } = await service.database.pool.query(
    "select c.id, d.version from estate.customers c cross join customer_nord._datasets d where slug = 'nord' and d.name = 'orders'",
  );
  const source = categorySource(orders, { id: rows[0].id, schema: 'customer_nord' });
  version = rows[0].version;
  const where = { is: 'compared', column: 'status', kind: 'string', by: 'eq', value: 'nothing' } as const;
  plan = { source, columns: ['order_id'], where, order: sortOrder(source), after: undefined, offset: 0, limit: 10, joinedRows: [] };
});
afterAll(() => service.stop());

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

/** The number of scans of the table by the summary's statement. */
const looks = async (known?: KnownTotal): Promise<number> => {
  const { text, values } = statementFor({ queryKind: 'summary', plan, limit: plan.limit, known });
  const { rows } = await service.database.pool.query(`explain (analyze, format json) ${text}`, [...values]);
  const count = (node: Node): number =>
    (node['Relation Name'] === 'orders' ? node['Actual Loops'] : 0) + (node.Plans ?? []).reduce((sum, each) => sum + count(each), 0);
  return count(rows[0]['QUERY PLAN'][0].Plan);
};

test('a known result of this version is not counted again, one of another version is', async () => {
  expect(await looks()).toBe(1);
  expect(await looks({ version, total: 0 })).toBe(0);
  expect(await looks({ version: version - 1, total: 0 })).toBe(1);
});

test('the response is the same each time, until a row matches', async () => {
  const ask = async (query = '') => {
    const { status, text, headers } = await service.get(`/operations/orders?status=nothing${query}`);
    return [status, text, ...['x-total-count', 'x-has-more', 'x-next-cursor', 'x-data-version'].map((name) => headers.get(name))];
  };
  const nothing = [200, '[]', '0', 'false', null, String(version)];
  for (const query of ['', '', '&limit=5000', '&offset=3', '&offset=3&limit=5000']) expect(await ask(query)).toEqual(nothing);
  await service.database.pool.query(
    "update customer_nord.orders set status = 'nothing' where order_id = (select min(order_id) from customer_nord.orders)",
  );
  await service.database.pool.query("update customer_nord._datasets set version = version + 1 where name = 'orders'");
  const [, text, total] = await ask();
  expect([JSON.parse(String(text)).length, total]).toEqual([1, '1']);
  expect((await ask('&limit=5000'))[2]).toBe('1');
});
