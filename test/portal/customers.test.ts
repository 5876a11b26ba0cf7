/** Customers in the portal: input is shown as text, and refusals are explained. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { QuestionStore } from '../../src/access/questions.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { loadLockSpace } from '../../src/database/load-lock.ts';
import { latest } from '../files/support.ts';
import { startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;
const files = mkdtempSync(join(tmpdir(), 'estate-portal-files-'));

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password, FILES_DIR: files } });
  operator = await new Operator(service).signIn();
});
afterAll(async () => {
  await service.stop();
  rmSync(files, { recursive: true });
});

test('a customer is created with its tables, and its tier is changed', async () => {
  const { status, location } = await operator.submit('/portal/customers', { slug: 'west', name: 'West', tier: 'basic' });
  expect([status, location]).toEqual([303, '/portal/customers/west?notice=customer']);
  expect((await operator.get(location ?? '')).text).toContain('The customer is added');
  const { text } = await operator.get('/portal/customers/west/data');
  expect(text.match(/<code>property_structure<\/code>/g)).toHaveLength(1);
  const changed = await operator.submit('/portal/customers/west', { tier: 'enterprise' }, '/portal/customers/west/tier');
  expect(changed.location).toBe('/portal/customers/west?notice=tier');
  expect((await operator.get('/portal/log')).text).toContain('west, from basic to enterprise');
});

test('a customer is renamed, suspended and resumed', async () => {
  await operator.submit('/portal/customers', { slug: 'ost', name: 'Ost', tier: 'basic' });
  const page = '/portal/customers/ost';
  expect((await operator.submit(page, { name: 'Ost & Söhne' }, `${page}/name`)).location).toBe(`${page}?notice=renamed`);
  const refused = await operator.submit(page, { name: ' ' }, `${page}/name`);
  expect([refused.status, refused.text.includes('id="name-problem">A customer needs a name.')]).toEqual([422, true]);
  expect((await operator.submit(page, {}, `${page}/suspend`)).location).toBe(`${page}?notice=suspended`);
  const { text } = await operator.get(page);
  expect(text).toContain('Ost &amp; Söhne');
  expect(text).toContain('all keys of this customer get 403');
  expect((await operator.get('/portal/customers?q=ost')).text).toContain('<span class="pill warn">suspended</span>');
  expect((await operator.submit(page, {}, `${page}/resume`)).location).toBe(`${page}?notice=resumed`);
  expect((await operator.get(page)).text).not.toContain('get 403 until');
});

test('a customer is removed only after its slug is typed', async () => {
  await operator.submit('/portal/customers', { slug: 'weg', name: 'Weg', tier: 'basic' });
  const page = '/portal/customers/weg/remove';
  for (const slug of ['', 'nord', 'WEG']) {
    const { status, text } = await operator.submit(page, { slug });
    expect([slug, status, text.includes('id="slug-problem">That is not weg.')]).toEqual([slug, 422, true]);
  }
  const { location } = await operator.submit(page, { slug: 'weg' });
  expect(location).toBe('/portal/customers?notice=removed');
  expect((await operator.get('/portal/customers/weg')).status).toBe(404);
  expect((await operator.get('/portal/log?q=weg')).text).toContain('weg, with keys and data');
});

test('the files of a customer are removed with it', async () => {
  await operator.submit('/portal/customers', { slug: 'fort', name: 'Fort', tier: 'basic' });
  const customer = await findCustomer(service.database, 'fort');
  const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier: 'basic', groups: ['files'] });
  expect((await latest(service, '/files/properties/latest.csv.gz', key)).status).toBe(200);
  const ofCustomer = () => readdirSync(files).filter((name) => name.startsWith(customer.schema_name));
  expect(ofCustomer().length).toBe(1);
  await operator.submit('/portal/customers/fort/remove', { slug: 'fort' });
  expect(ofCustomer()).toEqual([]);
});

test('the overview shows keys that expire soon and old data', async () => {
  const { pool } = service.database;
  await pool.query("update estate.api_keys set expires_at = now() + interval '5 days 1 hour' where id = 'nordbasic'");
  await pool.query(
    "update estate.publications set last_synced_at = now() - interval '3 days' where customer_id = (select id from estate.customers where slug = 'sued')",
  );
  // Of rotated keys, only those that are still in use.
  for (const id of ['oldone', 'oldused'])
    await pool.query(
      `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at, expires_at)
       select v.id, c.id, $1, '', 'basic', '{rest}', sha256(''), v.made, v.ends from estate.customers c,
         (values ($1, now() - interval '2 h', now() + interval '1 d'), ($1 || 'next', now() - interval '1 h', null)) v (id, made, ends) where c.slug = 'nord'`,
      [id],
    );
  await pool.query("insert into estate.usage values ('oldused', date_trunc('hour', now()), 1, 1, 1, 1, 1, now())");
  const { text } = await operator.get('/portal');
  expect(text).toMatch(/oldused.*rotated, still used/);
  expect(text).not.toContain('oldone');
  expect(text).toMatch(/Keys about to expire.*nordbasic.*in 5 d.*<h2>Freshness/s);
  expect(text).toMatch(
    /Südhof Immobilien AG<\/a><\/td><td data-label="Last sync"><time[^>]*>3 d ago<\/time> <span class="pill bad">stale</,
  );
  expect(text.indexOf('<h2>Limits')).toBeLessThan(text.indexOf('<h2>Freshness'));
  expect(text.match(/>stale</g)).toHaveLength(1);
});

test('a name with markup is shown as text on every page', async () => {
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

test('an invalid customer is refused next to the form', async () => {
  await service.database.pool.query('create schema customer_left_behind');
  for (const [fields, message] of [
    [{ slug: 'Not Good' }, 'is no customer name'],
    [{ slug: 'nord' }, 'There is a customer &#39;nord&#39; already.'],
    [{ slug: 'left-behind' }, 'has a schema &#39;customer_left_behind&#39; that belongs to no customer'],
    [{ name: ' ' }, 'A customer needs a name.'],
    [{ tier: 'royal' }, 'Unknown tier'],
    [{ slug: '"><b>' }, '&quot;&gt;&lt;b&gt;'],
  ] as const) {
    const { status, text } = await operator.submit('/portal/customers', { slug: 'new', name: 'New', tier: 'basic', ...fields });
    expect([message, status, text.includes(message)]).toEqual([message, 422, true]);
  }
});

test('an error is shown at its field, and the input is preserved', async () => {
  const { status, text } = await operator.submit('/portal/customers', { slug: 'Not Good', name: 'Kept AG', tier: 'professional' });
  expect(status).toBe(422);
  expect(text).toMatch(/<input name="slug"[^>]* value="Not Good" aria-describedby="slug-hint slug-problem" aria-invalid="true" autofocus>/);
  expect(text).toMatch(/id="slug-problem">[^<]*is no customer name/);
  expect(text.match(/aria-invalid/g)).toHaveLength(1);
  expect(text).toContain('value="Kept AG"');
  expect(text).toContain('<option value="professional" selected>');
  const both = await operator.submit('/portal/customers', { slug: 'x', name: ' ', tier: 'royal' });
  expect(both.text.match(/class="problem" id="(name|tier)-problem"/g)).toHaveLength(2);
});

test('customers are searched, sorted and paged by plain links', async () => {
  const { pool } = service.database;
  await pool.query(
    `insert into estate.customers (slug, name, tier, schema_name)
     select 'many-' || lpad(n::text, 3, '0'), 'Many ' || n || ' 100%', 'basic', 'customer_many_' || n from generate_series(1, 120) n`,
  );
  const slugsAt = async (path: string) => {
    const { text } = await operator.get(path);
    return [...text.matchAll(/data-label="Slug"><code>([^<]+)</g)].map(([, slug]) => slug);
  };
  const first = await operator.get('/portal/customers?q=many&sort=slug');
  expect(first.text).toContain('1–50 of 120');
  expect(first.text).toContain('aria-sort="ascending"><a href="/portal/customers?q=many&amp;sort=-slug"');
  const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await slugsAt(next)).slice(0, 2)).toEqual(['many-051', 'many-052']);
  expect(await slugsAt('/portal/customers?q=many&sort=slug&page=3')).toHaveLength(20);
  expect((await slugsAt('/portal/customers?q=MANY&sort=-slug'))[0]).toBe('many-120');
  expect(await slugsAt('/portal/customers?q=7%20100%25')).toHaveLength(12);
  expect((await slugsAt('/portal/customers?sort=-synced')).slice(0, 2).sort()).toEqual(['nord', 'sued']);
  expect((await operator.get('/portal/customers?q=_')).text).toContain('No customer is called like that.');
  expect((await operator.get('/portal/customers?page=99&sort=nonsense')).status).toBe(200);
  const overview = await operator.get('/portal');
  expect(overview.text.match(/data-label="Last change"/g)).toHaveLength(10);
  // There are too many to choose from, so a key's customer is typed.
  const form = await operator.get('/portal/keys/new?customer=many-007');
  expect(form.text).toContain('<input name="customer" value="many-007"');
  expect(form.text).not.toContain('<select name="customer"');
  await pool.query("delete from estate.customers where slug like 'many-%'");
});

test('loaded data without a record of its load counts as loaded', async () => {
  await service.database.pool.query("delete from estate.sync_runs using estate.customers c where c.id = customer_id and c.slug = 'nord'");
  const { text } = await operator.get('/portal/customers/nord');
  expect(text).not.toContain('Nothing was loaded yet');
  expect(text).toMatch(/The data is of 20\d\d-/);
});

test('a customer shows its tables with rows, versions and loads', async () => {
  const { text } = await operator.get('/portal/customers/nord/data');
  const row = /<tr><td data-label="Table"><code>orders<\/code>.*?<\/tr>/.exec(text)?.[0] ?? '';
  expect(row).toMatch(/data-label="Rows" class="number">[1-9][\d,]*</);
  expect(row).toContain('data-label="Version" class="number">1<');
  expect(row).toMatch(/<time datetime="20/);
  expect((await operator.get('/portal/customers/nobody')).status).toBe(404);
});

test('a customer shows the saved questions that its keys can ask', async () => {
  expect((await operator.get('/portal/customers/nord')).text).toContain('There is no saved question yet.');
  const store = new QuestionStore(service.database);
  const document = '# Which <properties> are there?\n{ properties { totalCount } }';
  await store.add({ name: 'general', document }, undefined);
  await store.add({ name: 'own', document }, 'sued');
  const { text } = await operator.get('/portal/customers/nord');
  expect(text).toContain('<code>/questions/general</code>');
  expect(text).toContain('Which &lt;properties&gt; are there?');
  expect(text).not.toContain('/questions/own');
});

test('a customer shows the CSV address and the Power Query text of each saved question, without a key', async () => {
  const store = new QuestionStore(service.database);
  const document = (table: string) =>
    `query ($first: Int = 1, $after: String) { ${table}(first: $first, after: $after) { nodes { orderId } } }`;
  await store.add({ name: 'orders', document: '{ orders(first: 1) { nodes { orderId } } }' }, undefined);
  await store.add({ name: 'orders', document: document('orders') }, 'nord');
  const { text } = await operator.get('/portal/customers/nord');
  const addresses = [...text.matchAll(/<code>([^<]*\/questions\/orders\?[^<]*)<\/code>/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
  expect(addresses).toEqual([`${service.address}/questions/orders?first=&after=&format=csv`]);
  const answer = await service.get((addresses[0] ?? '').slice(service.address.length));
  expect([answer.status, answer.text.split('\r\n')[0], answer.text.trimEnd().split('\r\n').length]).toEqual([200, 'orderId', 2]);
  expect(text).toContain('RelativePath = &quot;questions/orders&quot;');
  expect(text).not.toMatch(/X-API-Key|est_/);
});

test('a running load and a failed one are shown', async () => {
  const { id } = await service.database.control.selectFrom('customers').select('id').where('slug', '=', 'sued').executeTakeFirstOrThrow();
  const run = { customer_id: id, mode: 'full', started_at: new Date(Date.now() - 600_000) };
  await service.database.control
    .insertInto('sync_runs')
    .values([
      { ...run, tables: ['property'], ended_at: new Date(Date.now() - 590_000), error: 'line 3 <of> the file' },
      { ...run, tables: ['property', 'unit', 'order_hdr', 'offer_hdr'], ended_at: null, error: null },
    ])
    .execute();
  // A running load holds its customer's lock. Here the session of a pooled connection holds it.
  await service.database.pool.query('select pg_advisory_lock($1, $2)', [loadLockSpace, id]);
  const { text } = await operator.get('/portal/customers/sued');
  expect(text).toContain('<span class="pill bad">failed</span> line 3 &lt;of&gt; the file');
  expect((await operator.get('/portal/customers/sued/data')).text).toContain(
    '<span title="property, unit, order_hdr, offer_hdr">4 tables</span>',
  );
  for (const path of ['/portal', '/portal/customers', '/portal/customers/sued'])
    expect((await operator.get(path)).text).toContain('<span class="pill warn">running</span>');
});
