import { afterAll, beforeAll, expect, test } from 'vitest';
import { bigint, string } from '../../src/catalogue/column.ts';
import { catalogueOf, entries } from '../../src/catalogue/index.ts';
import { from, table } from '../../src/catalogue/table.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { registerDataset } from '../../src/database/control/datasets.ts';
import { createCategoryTable } from '../../src/database/ddl.ts';
import { startService, type TestService } from '../support/service.ts';
import { sqlOn } from '../support/specification.ts';

/** A table without a sort key. The catalogue has none. */
const meterReadings = table({
  name: 'meter_readings',
  category: 'property',
  purpose: 'Readings as they come.',
  grain: 'one reading',
  v1: true,
  source: from('report_hdr', 'rh'),
  key: 'reading_id',
  sort: [],
  filters: ['meter'],
  columns: { reading_id: bigint('number of the reading'), meter: string('number of the meter') },
});
const rows = 1300;
const path = '/v1/property/meter_readings';
let service: TestService;

beforeAll(async () => {
  service = await startService({ catalogue: catalogueOf([...entries, meterReadings]) });
  const { database } = service;
  const customer = await findCustomer(database, 'nord');
  const sql = sqlOn(service);
  await sql(createCategoryTable(customer.schema_name, meterReadings));
  await sql(`insert into customer_nord.meter_readings select (n * 7919) % 100003, 'M' || n % 3 from generate_series(1, ${rows}) n`);
  await withClient(database.pool, (client) =>
    registerDataset(client, customer.schema_name, { kind: 'category', name: 'meter_readings', key_column: null, tier: null }),
  );
  await sql(`update customer_nord._datasets set row_count = ${rows}, version = 1 where name = 'meter_readings'`);
});
afterAll(() => service.stop());

const ids = (json: readonly { reading_id: number }[]) => json.map(({ reading_id }) => reading_id);
const inserted = Array.from({ length: rows }, (_, index) => ((index + 1) * 7919) % 100_003);

test('rows come in physical order, page by page, without gap or duplicate (contract: sort order)', async () => {
  const seen: number[] = [];
  for (let path_: string | null = `${path}?limit=400`; path_; ) {
    const { status, headers, json } = await service.get(path_);
    expect([status, headers.get('x-total-count'), headers.get('x-next-cursor')]).toEqual([200, String(rows), null]);
    seen.push(...ids(json));
    const offset = headers.get('x-next-offset');
    expect(headers.get('link')).toBe(offset && `<${path}?limit=400&offset=${offset}>; rel="next"`);
    path_ = offset && `${path}?limit=400&offset=${offset}`;
  }
  expect(seen).toEqual(inserted);
});

test('also on a large page', async () => {
  const { headers, json } = await service.get(`${path}?limit=1200&offset=50`);
  expect(ids(json)).toEqual(inserted.slice(50, 1250));
  expect([headers.get('x-has-more'), headers.get('x-next-offset'), headers.get('x-next-cursor')]).toEqual(['true', '1250', null]);
});

test('filters apply', async () => {
  const { headers, json } = await service.get(`${path}?meter=M1&limit=10&offset=5`);
  expect(ids(json)).toEqual(inserted.filter((_, index) => (index + 1) % 3 === 1).slice(5, 15));
  expect(headers.get('x-total-count')).toBe(String(Math.ceil(rows / 3)));
});

test('any cursor is refused, also of another table (contract: offset and cursor)', async () => {
  const other = (await service.get('/property/properties?limit=1')).headers.get('x-next-cursor');
  for (const cursor of [other, 'garbage']) {
    const { status, json } = await service.get(`${path}?cursor=${cursor}`);
    expect([status, json.detail]).toEqual([422, 'query -> cursor: The cursor is not valid for this table and these filters']);
  }
});

test('a full page has no cursor either', async () => {
  expect((await service.get(`${path}?limit=${rows}`)).headers.get('x-next-cursor')).toBeNull();
});
