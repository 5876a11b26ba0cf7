/**
 * Pages are sent from reused buffers, larger ones from the buffer that they were written to, and repeated ones from the response cache.
 * None may contain data of another page.
 */
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../src/database/connections/transaction.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { registerDataset } from '../../src/database/control/datasets.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

const rows = 900;
const customers = { nord: keys.nordEnterprise, sued: keys.suedEnterprise } as const;
type Slug = keyof typeof customers;

let service: TestService;

beforeAll(async () => {
  // Hardly more than one page, so that entries are evicted all the time.
  service = await startService({ environment: { RESPONSE_CACHE_MB: '1', RATE_LIMIT: '0' } });
  const sql = sqlOn(service);
  for (const slug of Object.keys(customers)) {
    const customer = await findCustomer(service.database, slug);
    await sql(`create table customer_${slug}.letter (letter_id bigint primary key, body text)`);
    await sql(`insert into customer_${slug}.letter select n, repeat('${slug}', 500 + n % 700) from generate_series(1, ${rows}) n`);
    await withClient(service.database.pool, (client) =>
      registerDataset(client, customer.schema_name, { kind: 'raw', name: 'letter', key_column: 'letter_id', tier: 'basic' }),
    );
    await sql(`update customer_${slug}._datasets set row_count = ${rows} where name = 'letter'`);
  }
});
afterAll(() => service.stop());

const expected = (slug: Slug, count = rows) =>
  Array.from({ length: count }, (_, i) => ({ letter_id: i + 1, body: slug.repeat(500 + ((i + 1) % 700)) }));

const page = async (slug: Slug, headers: Record<string, string> = {}, count = rows) => {
  const response = await fetch(`${service.url}/raw/letter?limit=${count}`, {
    headers: { 'X-API-Key': customers[slug], 'Accept-Encoding': 'identity', ...headers },
  });
  return { response, data: (await response.json()).data };
};

/** Requests a page and disconnects after its first bytes. */
const leave = async (slug: Slug) => {
  const controller = new AbortController();
  const headers = { 'X-API-Key': customers[slug], 'Accept-Encoding': 'identity' };
  const { body } = await fetch(`${service.url}/raw/letter?limit=${rows}`, { headers, signal: controller.signal });
  await body!.getReader().read();
  controller.abort();
};

test('many at once, of two customers, some of whom disconnect', async () => {
  for (let round = 0; round < 3; round++) {
    const asked = Array.from({ length: 12 }, async (_, i) => {
      const slug = i % 2 === 0 ? 'nord' : 'sued';
      if (i % 5 === 4) return leave(slug);
      const { response, data } = await page(slug);
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(2 ** 20);
      expect(data).toEqual(expected(slug));
    });
    await Promise.all(asked);
  }
});

test('compressed', async () => {
  const { response, data } = await page('nord', { 'Accept-Encoding': 'gzip' });
  expect([response.headers.get('content-encoding'), data]).toEqual(['gzip', expected('nord')]);
});

/** The bodies of consecutive responses. */
const bodiesOf = (bytes: Buffer): string[] => {
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const body = bytes.indexOf('\r\n\r\n', at) + 4;
    const length = Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', at, body))?.[1]);
    bodies.push(bytes.toString('utf8', body, body + length));
    at = body + length;
  }
  return bodies;
};

test('cached, for clients that read after the entries were evicted', async () => {
  const [count, times] = [350, 21];
  const cached = await page('nord', {}, count);
  expect(Number(cached.response.headers.get('content-length'))).toBeLessThan(2 ** 20);
  const { port, hostname } = new URL(service.url);
  const late = net.connect(Number(port), hostname).pause();
  await once(late, 'connect');
  const last = 'Connection: close\r\n';
  const ask = (more = '') =>
    `GET /raw/letter?limit=${count} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${customers.nord}\r\nAccept-Encoding: identity\r\n${more}\r\n`;
  // More than the system buffers for a client that does not read.
  late.write(ask().repeat(times - 1) + ask(last));
  // Other responses of the customer evict the one that is being sent, and the other customer's responses reuse the buffers.
  for (let other = 100; other < 150; other++) {
    await page('nord', {}, 200 + other);
    expect((await page('sued', {}, other)).data).toEqual(expected('sued', other));
  }
  const chunks: Buffer[] = [];
  late.on('data', (chunk) => chunks.push(chunk)).resume();
  await once(late, 'end');
  const bodies = bodiesOf(Buffer.concat(chunks));
  expect(bodies).toHaveLength(times);
  for (const body of bodies) expect(JSON.parse(body).data).toEqual(expected('nord', count));
});
