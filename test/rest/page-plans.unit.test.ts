/** The plan of a request target is cached for its customer. */
import { expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import type { ReadableTable } from '../../src/plan/plan-query.ts';
import { PagePlanCache } from '../../src/rest/page-plans.ts';
import { testSecret } from '../support/settings.ts';

const tableOf = (name: string, id: number): ReadableTable => {
  const table = catalogue.tables.get(name)!;
  const key = { column: table.key, kind: table.columns[table.key]!.kind };
  return { source: categorySource(table, { id, schema: `customer_${id}` }), columns: Object.keys(table.columns), key, table };
};

const ask = (pages: PagePlanCache, query: string, table: ReadableTable) =>
  pages.of(`/operations/${table.source.name}?${query}`, new URLSearchParams(query), table);

const make = () => new PagePlanCache(createCursors(testSecret));

test('a repeated target of a customer is parsed once, another one separately', () => {
  const pages = make();
  const first = ask(pages, 'limit=5', tableOf('orders', 1));
  expect(ask(pages, 'limit=5', tableOf('orders', 1))).toBe(first);
  expect(ask(pages, 'limit=6', tableOf('orders', 1)).plan.limit).toBe(6);
  expect(ask(pages, 'limit=5', tableOf('offers', 1)).plan.source.name).toBe('offers');
});

test('another customer with the same target has its own plan and cache key', () => {
  const pages = make();
  const [one, other] = [1, 11].map((id) => ask(pages, 'limit=5', tableOf('orders', id)));
  expect([one!.plan.source, other!.plan.source]).toMatchObject([
    { customerId: 1, schema: 'customer_1' },
    { customerId: 11, schema: 'customer_11' },
  ]);
  expect(one!.cacheKey).not.toBe(other!.cacheKey);
});

test('an invalid target is refused each time', () => {
  const pages = make();
  for (let times = 0; times < 2; times++) expect(() => ask(pages, 'limit=0', tableOf('orders', 1))).toThrow('limit');
});

test('plans of raw tables are not cached, because a load may change their columns', () => {
  const pages = make();
  const { table: _none, ...raw } = tableOf('orders', 1);
  expect(ask(pages, 'limit=5', raw).plan.columns).toContain('order_id');
  expect(ask(pages, 'limit=5', { ...raw, columns: ['other'] }).plan.columns).toEqual(['other']);
});
