/**
 * A conditional request for unchanged data costs nothing, and no response is older than the data (contract: conditional requests; snapshot
 * time; changes; data versions).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announce, closeAnnouncement } from '../../src/database/control/publications.ts';
import { onServer } from '../support/database.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { recordStatements } from '../support/statements.ts';
import { asCsv, Deliveries, load, readTableData } from './support.ts';

let service: TestService;
const deliveries = new Deliveries();
const statements = recordStatements();

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const rename = async (name: string): Promise<void> => {
  const sheet = await readTableData(service.database, 'person');
  for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
  await load(service.database, [deliveries.write('person.csv', asCsv(sheet))]);
};

const paths = [
  '/operations/orders?limit=2',
  '/operations/orders?property_id=1001&offset=1',
  '/v1/stakeholder/tenants?limit=5',
  '/raw/person?limit=3',
  '/raw/tables',
  '/catalog',
  '/tables',
  '/meta/orders/values/status',
];

describe.each(paths)('%s', (path) => {
  test('a tag is weak, does not change, and gives a 304 without a body', async () => {
    const first = await service.get(path);
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const header of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await service.get(path, { headers: { 'If-None-Match': header } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      for (const name of ['cache-control', 'vary', 'x-data-version', 'x-snapshot-at', 'x-ratelimit-limit'])
        expect(again.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect((await service.get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const head = await service.get(path, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(etag);
    expect((await service.get(path, { method: 'HEAD', headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('a 304 costs no statement on the table', async () => {
    const onTables = () => statements.filter((text) => /customer_nord"\."[a-z]/.test(text)).length;
    const isRead = !['/raw/tables', '/catalog', '/tables'].includes(path);
    const reading = await startInstance(service.database, { RESPONSE_CACHE_MB: '0' });
    try {
      statements.length = 0;
      const ask = (headers = {}) =>
        reading.inject({ url: path, headers: { 'x-api-key': keys.nordEnterprise, host: 'localhost', ...headers } });
      const { etag } = (await ask()).headers;
      expect(onTables()).toBe(isRead ? 1 : 0);
      expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304);
      expect(onTables()).toBe(isRead ? 1 : 0);
    } finally {
      await reading.close();
    }
  });
});

describe('the parts of a tag', () => {
  const tagOf = async (path: string, key: string = keys.nordEnterprise) => (await service.get(path, { key })).headers.get('etag');
  test.each<[what: string, one: string, other: string, isSame: boolean]>([
    [
      'the order of parameters does not',
      '/operations/orders?limit=2&property_id=1001',
      '/operations/orders?property_id=1001&limit=2',
      true,
    ],
    ['the spelling of a number does not', '/operations/orders?property_id=1001', '/operations/orders?property_id=+1001', true],
    ['unknown parameters do not', '/operations/orders', '/operations/orders?nonsense=1', true],
    ['limit does', '/operations/orders?limit=2', '/operations/orders?limit=3', false],
    ['offset does', '/operations/orders?offset=1', '/operations/orders?offset=2', false],
    ['a filter does', '/operations/orders?status=closed', '/operations/orders?status=sent', false],
    ['the table does', '/operations/orders?limit=2', '/operations/offers?limit=2', false],
  ])('%s', async (_what, one, other, isSame) => {
    expect((await tagOf(one)) === (await tagOf(other))).toBe(isSame);
  });

  test('it depends on the customer, not on the key, and on the tier only if that shapes the response', async () => {
    expect(await tagOf('/operations/orders')).toBe(await tagOf('/operations/orders', keys.nordProfessional));
    expect(await tagOf('/operations/orders')).not.toBe(await tagOf('/operations/orders', keys.suedEnterprise));
    expect(await tagOf('/catalog')).not.toBe(await tagOf('/catalog', keys.nordBasic));
    expect(await tagOf('/tables')).toBe(await tagOf('/tables', keys.nordBasic));
  });
});

test('a load changes tags only where it changed data', async () => {
  const tags = async () =>
    Promise.all(
      paths
        .slice(0, 4)
        .concat('/operations/notifications')
        .map(async (path) => (await service.get(path)).headers.get('etag')),
    );
  const before = await tags();
  await rename('Neue Firma');
  const [orders, filtered, tenants, person, notifications] = await tags();
  expect(orders).not.toBe(before[0]);
  expect(filtered).not.toBe(before[1]);
  expect(tenants).not.toBe(before[2]);
  expect(person).not.toBe(before[3]);
  expect(notifications).toBe(before[4]);
});

test('a load without changes updates X-Snapshot-At, also of a 304, and nothing else', async () => {
  const path = '/raw/person?limit=1';
  const before = await service.get(path);
  const sheet = await readTableData(service.database, 'person');
  await load(service.database, [deliveries.write('person.csv', asCsv(sheet))]);
  const after = await service.get(path, { headers: { 'If-None-Match': before.headers.get('etag') as string } });
  expect([after.status, after.headers.get('x-data-version')]).toEqual([304, before.headers.get('x-data-version')]);
  expect(Date.parse(after.headers.get('x-snapshot-at') as string)).toBeGreaterThan(
    Date.parse(before.headers.get('x-snapshot-at') as string),
  );
});

describe('/changes (contract: changes)', () => {
  test('since the last response, every change is reported', async () => {
    const { json: first } = await service.get('/changes?since=2000-01-01');
    await rename('Noch eine Firma');
    const { json: second } = await service.get(`/changes?since=${first.generated_at}`);
    const changed = second.changes.map(({ table }: { table: string }) => table);
    expect(changed).toContain('tenants');
    expect(changed).not.toContain('notifications');
    const tenants = second.changes.find(({ table }: { table: string }) => table === 'tenants');
    const page = await service.get('/stakeholder/tenants?limit=1');
    expect([String(tenants.version), tenants.synced_at]).toEqual([page.headers.get('x-data-version'), page.headers.get('x-snapshot-at')]);
  });

  test.runIf(onServer)('the current time does not advance while a load is announced', async () => {
    const { rows } = await service.database.pool.query(`select id from estate.customers where slug = 'nord'`);
    const client = await service.database.pool.connect();
    try {
      await announce(client, rows[0].id);
      const { json: first } = await service.get('/changes?since=2000-01-01');
      const { json: second } = await service.get('/changes?since=2000-01-01');
      expect(second.generated_at).toBe(first.generated_at);
    } finally {
      await closeAnnouncement(client, rows[0].id);
      client.release();
    }
    const { json: third } = await service.get('/changes?since=2000-01-01');
    const { json: fourth } = await service.get('/changes?since=2000-01-01');
    expect(Date.parse(fourth.generated_at)).toBeGreaterThan(Date.parse(third.generated_at));
  });
});

describe.runIf(onServer)('several instances', () => {
  test.each(['listen', 'poll'])('none answers 304 for data that another shows in a newer version (%s)', async (feed) => {
    const other = await startInstance(service.database, { VERSION_FEED: feed });
    const path = '/raw/person?limit=1';
    const ask = (etag: string) =>
      other.inject({ url: path, headers: { 'x-api-key': keys.nordEnterprise, 'if-none-match': etag, host: 'localhost' } });
    try {
      for (let round = 0; round < 3; round++) {
        const etag = (await service.get(path)).headers.get('etag') as string;
        const sheet = await readTableData(service.database, 'person');
        sheet.rows[0]![sheet.columns.indexOf('company_name')] = `Firma ${feed} ${round}`;
        let isOver = false;
        // The load waits for the leases of the instances.
        const loading = load(service.database, [deliveries.write('person.csv', asCsv(sheet))], { announceMs: 500 }).then(() => {
          isOver = true;
        });
        let answers = 0;
        while (!isOver) {
          const { headers } = await service.get(path, { method: 'HEAD' });
          // Whatever this instance has returned, the other one must not call older data current.
          const { statusCode } = await ask(etag);
          if (headers.get('etag') !== etag) expect(statusCode).toBe(200);
          answers += 1;
        }
        await loading;
        expect((await ask(etag)).statusCode).toBe(200);
        expect(answers).toBeGreaterThan(5);
      }
    } finally {
      await other.close();
    }
  });

  test("an unchanged table is answered from the cache, with no statement except the key's", async () => {
    const path = '/raw/person?limit=1';
    const etag = (await service.get(path)).headers.get('etag') as string;
    for (let n = 0; n < 3; n++) await service.get(path, { headers: { 'If-None-Match': etag } });
    statements.length = 0;
    for (let n = 0; n < 20; n++) expect((await service.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect(statements.filter((text) => text.includes('row_count'))).toEqual([]);
  });
});
