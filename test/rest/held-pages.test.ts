/** Pages of more than a megabyte are sent from buffers that are used again: none may show what another page left there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../src/database/connection.ts';
import { findCustomer } from '../../src/database/customers.ts';
import { registerDataset } from '../../src/database/datasets.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

const rows = 900;
const customers = { nord: keys.nordEnterprise, sued: keys.suedEnterprise } as const;
type Slug = keyof typeof customers;

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const sql = sqlOn(service);
  for (const slug of Object.keys(customers)) {
    const customer = await findCustomer(service.database, slug);
    await sql(`create table customer_${slug}.letter (letter_id bigint primary key, body text)`);
    await sql(`insert into customer_${slug}.letter select n, repeat('${slug}', 500 + n % 700) from generate_series(1, ${rows}) n`);
    await withClient(service.database.pool, (client) =>
      registerDataset(client, customer.id, { kind: 'raw', name: 'letter', key_column: 'letter_id', tier: 'basic' }),
    );
  }
  await sql(`update estate.datasets set row_count = ${rows} where name = 'letter'`);
});
afterAll(() => service.stop());

const expected = (slug: Slug) => Array.from({ length: rows }, (_, i) => ({ letter_id: i + 1, body: slug.repeat(500 + ((i + 1) % 700)) }));

const page = async (slug: Slug, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/raw/letter?limit=${rows}`, {
    headers: { 'X-API-Key': customers[slug], 'Accept-Encoding': 'identity', ...headers },
  });
  return { response, data: (await response.json()).data };
};

/** Asks for a page and goes away when its first bytes are there. */
const leave = async (slug: Slug) => {
  const controller = new AbortController();
  const headers = { 'X-API-Key': customers[slug], 'Accept-Encoding': 'identity' };
  const { body } = await fetch(`${service.url}/raw/letter?limit=${rows}`, { headers, signal: controller.signal });
  await body!.getReader().read();
  controller.abort();
};

test('many at once, of two customers, some of whom go away', async () => {
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
