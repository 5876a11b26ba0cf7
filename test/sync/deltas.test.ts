/** `/raw/{table}/deltas` and `/{category}/{table}/deltas`: parameters, access and pages (contract: deltas). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData, type TableData } from './support.ts';

let service: TestService;
let reports: TableData;
const deliveries = new Deliveries();

const deliver = (sheet: TableData, retentionHours = 24) =>
  load(service.database, [deliveries.write('report_hdr.csv', asCsv(sheet))], { retentionHours });

/** Notifications are at version 1. Then three rows change, one is deleted and one is inserted: version 2. */
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
  reports = await readTableData(service.database, 'report_hdr');
  const status = reports.columns.indexOf('status_key');
  for (const row of reports.rows.slice(0, 3)) row[status] = 'changed';
  const [gone] = reports.rows.splice(5, 1);
  const added = [...(gone as (string | null)[])];
  added[0] = '9999999';
  reports.rows.push(added);
  await deliver(reports);
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const raw = '/raw/report_hdr/deltas';
const category = '/operations/notifications/deltas';

describe.each([raw, category])('%s', (path) => {
  test('returns the rows inserted or updated and the keys deleted since a version', async () => {
    const { status, json, headers } = await service.get(`${path}?since_version=1`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ from_version: 1, to_version: 2, next_cursor: null });
    expect(json.upserts).toHaveLength(4);
    expect(json.deletes).toHaveLength(1);
    expect(headers.get('x-data-version')).toBe('2');
    expect(headers.get('x-snapshot-at')).toMatch(/^\d{4}-.*Z$/);
    const table = await service.get(path.replace('/deltas', '?limit=100000'));
    const rows: { report_hdr_id: number }[] = table.json.data ?? table.json;
    for (const row of json.upserts) expect(rows).toContainEqual(row);
    expect(rows.some((row) => row.report_hdr_id === json.deletes[0])).toBe(false);
  });

  test('pages return each key once and lead to the version that the first page fixed', async () => {
    const keysMet: number[] = [];
    let to: number | undefined;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await service.get(`${path}?since_version=1&limit=2&cursor=${cursor}`);
      expect(json.upserts.length + json.deletes.length).toBeLessThanOrEqual(2);
      keysMet.push(...json.upserts.map((row: { report_hdr_id: number }) => row.report_hdr_id), ...json.deletes);
      to ??= json.to_version;
      expect(json.to_version).toBe(to);
      cursor = json.next_cursor;
    }
    expect(keysMet).toHaveLength(5);
    expect(new Set(keysMet).size).toBe(5);
  });

  test('pages too large for memory are equal', async () => {
    const small = await service.get(`${path}?since_version=1`);
    expect((await service.get(`${path}?since_version=1&limit=100000`)).text).toBe(small.text);
  });

  test('nothing has changed since the newest version', async () => {
    const { json } = await service.get(`${path}?since_version=2`);
    expect(json).toEqual({ from_version: 2, to_version: 2, upserts: [], deletes: [], next_cursor: null });
  });

  test.each<[query: string, status: number, detail: string]>([
    ['', 422, 'query -> since_version: Field required'],
    ['?since_version=x', 422, 'query -> since_version: Input should be a valid integer, unable to parse string as an integer'],
    ['?since_version=-1', 422, 'query -> since_version: Input should be greater than or equal to 0'],
    ['?since_version=3', 422, 'query -> since_version: Input should be less than or equal to 2, the version of the data'],
    [
      '?since_version=99999999999999999999999',
      422,
      'query -> since_version: Input should be less than or equal to 2, the version of the data',
    ],
    ['?since_version=3&limit=2000', 422, 'query -> since_version: Input should be less than or equal to 2, the version of the data'],
    ['?since_version=1&limit=0', 422, 'query -> limit: Input should be greater than or equal to 1'],
    ['?since_version=1&limit=100001', 422, 'query -> limit: Input should be less than or equal to 100000'],
    ['?limit=0', 422, 'query -> since_version: Field required; query -> limit: Input should be greater than or equal to 1'],
    ['?since_version=1&cursor=x', 422, 'query -> cursor: The cursor is not valid for this table and this version'],
    ['?since_version=0', 410, 'Changes since version 0 are no longer kept: download the table again and continue from its version'],
    [
      '?since_version=0&limit=2000',
      410,
      'Changes since version 0 are no longer kept: download the table again and continue from its version',
    ],
  ])('%s is answered %i', async (query, status, detail) => {
    const answer = await service.get(`${path}${query}`);
    expect([answer.status, answer.json.detail]).toEqual([status, detail]);
    expect((await service.get(`${path}${query}`, { method: 'HEAD' })).status).toBe(status);
  });

  test('a cursor is bound to its table and its start version', async () => {
    const { json } = await service.get(`${path}?since_version=1&limit=1`);
    const cursor = encodeURIComponent(json.next_cursor);
    expect((await service.get(`${path}?since_version=2&cursor=${cursor}`)).status).toBe(422);
    expect((await service.get(`${path === raw ? category : raw}?since_version=1&cursor=${cursor}`)).status).toBe(422);
    expect((await service.get(`${path}?since_version=1&cursor=${cursor}`, { key: keys.nordProfessional })).status).toBe(200);
  });
});

test.each<[path: string, key: string | null, status: number]>([
  [raw, null, 401],
  [category, null, 401],
  [raw, keys.nordBasic, 403],
  [category, keys.nordBasic, 403],
  ['/accounting/booking_header/deltas', keys.nordProfessional, 403],
  ['/accounting/booking_header/deltas', keys.nordEnterprise, 200],
  ['/raw/nothing/deltas', keys.nordEnterprise, 404],
  ['/accounting/notifications/deltas', keys.nordEnterprise, 404],
  ['/v1/operations/notifications/deltas', keys.nordEnterprise, 404],
])('access is as on the table: %s', async (path, key, status) => {
  expect((await service.get(`${path}?since_version=1`, { key })).status).toBe(status);
});

test('later changes do not appear in pages that have begun, but in the next delta', async () => {
  const { json: first } = await service.get(`${raw}?since_version=1&limit=1`);
  const status = reports.columns.indexOf('status_key');
  for (const row of reports.rows) row[status] = 'again';
  await deliver(reports);
  const { json: second } = await service.get(`${raw}?since_version=1&cursor=${encodeURIComponent(first.next_cursor)}`);
  expect(second).toMatchObject({ to_version: 2, upserts: [], next_cursor: null });
  const { json: next } = await service.get(`${raw}?since_version=2&limit=100000`);
  expect(next).toMatchObject({ to_version: 3, deletes: [] });
  expect(next.upserts).toHaveLength(reports.rows.length);
});

test('versions older than the retention are gone, and newer copies continue', async () => {
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  await service.database.pool.query('update customer_nord._dataset_versions set made_at = $1 where version < 3', [dayBefore]);
  await deliver(reports);
  for (const path of [raw, category]) {
    expect((await service.get(`${path}?since_version=1`)).status).toBe(410);
    expect((await service.get(`${path}?since_version=2`)).json.upserts).toHaveLength(reports.rows.length);
  }
  const { rows } = await service.database.pool.query('select min(version) as oldest from customer_nord._changed_keys');
  expect(rows[0].oldest).toBe(3);
});
