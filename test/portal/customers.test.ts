/** Customers in the portal: what is typed is shown as text, what is refused is said. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLockSpace } from '../../src/database/load-lock.ts';
import { startService, type TestService } from '../support/service.ts';
import { Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
});
afterAll(() => service.stop());

test('a customer is added with its tables, and its tier changed', async () => {
  const { status, location } = await operator.submit('/portal/customers', { slug: 'west', name: 'West', tier: 'basic' });
  expect([status, location]).toEqual([303, '/portal/customers/west?notice=customer']);
  const { text } = await operator.get(location ?? '');
  expect(text).toContain('The customer is added');
  expect(text.match(/<code>property_structure<\/code>/g)).toHaveLength(1);
  const changed = await operator.submit('/portal/customers/west', { tier: 'enterprise' }, '/portal/customers/west/tier');
  expect(changed.location).toBe('/portal/customers/west?notice=tier');
  expect((await operator.get('/portal/log')).text).toContain('west, from basic to enterprise');
});

test('a name with markup in it is text on every page', async () => {
  const name = `<script>alert("it's")</script>&amp;`;
  const escaped = '&lt;script&gt;alert(&quot;it&#39;s&quot;)&lt;/script&gt;&amp;amp;';
  await operator.submit('/portal/customers', { slug: 'markup', name, tier: 'basic' });
  await operator.submit('/portal/keys/new', { customer: 'markup', name, tier: 'basic', groups: 'rest' });
  for (const path of ['/portal', '/portal/customers', '/portal/customers/markup', '/portal/keys', '/portal/keys/new']) {
    const { text } = await operator.get(path);
    expect(text).toContain(escaped);
    expect(text).not.toContain('<script>alert');
  }
});

test('what is no customer is refused beside the form', async () => {
  for (const [fields, message] of [
    [{ slug: 'Not Good' }, 'is no customer name'],
    [{ slug: 'nord' }, 'There is a customer &#39;nord&#39; already.'],
    [{ name: ' ' }, 'A customer needs a name.'],
    [{ tier: 'royal' }, 'Unknown tier'],
    [{ slug: '"><b>' }, '&quot;&gt;&lt;b&gt;'],
  ] as const) {
    const { status, text } = await operator.submit('/portal/customers', { slug: 'new', name: 'New', tier: 'basic', ...fields });
    expect([message, status, text.includes(message)]).toEqual([message, 422, true]);
  }
});

test('a customer shows its tables with rows, versions and syncs', async () => {
  const { text } = await operator.get('/portal/customers/nord');
  const row = /<tr><td data-label="Table"><code>orders<\/code>.*?<\/tr>/.exec(text)?.[0] ?? '';
  expect(row).toMatch(/data-label="Rows" class="number">[1-9][\d,]*</);
  expect(row).toContain('data-label="Version" class="number">1<');
  expect(row).toMatch(/<time datetime="20/);
  expect((await operator.get('/portal/customers/nobody')).status).toBe(404);
});

test('a load that is under way and one that failed are shown', async () => {
  const { id } = await service.database.control.selectFrom('customers').select('id').where('slug', '=', 'sued').executeTakeFirstOrThrow();
  const run = { customer_id: id, mode: 'full', started_at: new Date(Date.now() - 600_000) };
  await service.database.control
    .insertInto('sync_runs')
    .values([
      { ...run, tables: ['property'], ended_at: new Date(Date.now() - 590_000), error: 'line 3 <of> the file' },
      { ...run, tables: ['property', 'unit', 'order_hdr', 'offer_hdr'], ended_at: null, error: null },
    ])
    .execute();
  // A load that lives holds its customer's lock; here the session of a pooled connection does.
  await service.database.pool.query('select pg_advisory_lock($1, $2)', [loadLockSpace, id]);
  const { text } = await operator.get('/portal/customers/sued');
  expect(text).toContain('<span class="pill bad">failed</span> line 3 &lt;of&gt; the file');
  expect(text).toContain('<span title="property, unit, order_hdr, offer_hdr">4 tables</span>');
  for (const path of ['/portal', '/portal/customers', '/portal/customers/sued'])
    expect((await operator.get(path)).text).toContain('<span class="pill warn">running</span>');
});
