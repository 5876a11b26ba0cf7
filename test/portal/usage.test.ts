/** The usage of a key is counted, written in batches, and shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageCounter } from '../../src/access/usage.ts';
import { readSeries } from '../../src/access/usage-report.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '40' } });
  operator = await new Operator(service).signIn();
});
afterAll(() => service.stop());

const stored = async (id: string) => {
  const { rows } = await service.database.pool.query(
    'select requests, rows, bytes, errors, limited, last_at from estate.usage where key_id = $1 order by hour desc',
    [id],
  );
  return rows;
};

test('requests, rows, bytes, errors and 429s are counted by key', async () => {
  const key = keys.nordBasic;
  const answers = [await service.get('/raw/tables', { key })];
  const rawTable = answers[0]?.json.find((table: { row_count: number }) => table.row_count >= 3).table;
  const pages = ['/property/properties?limit=5', `/raw/${rawTable}?limit=3`];
  // A repeated page comes from the response cache and counts like before.
  for (const path of [...pages, ...pages, '/operations/orders', '/property/nothing', '/catalog'])
    answers.push(await service.get(path, { key }));
  while (answers.length < 42) answers.push(await service.get('/catalog', { key }));
  const { text } = await operator.get('/portal/keys/nordbasic');
  const statuses = answers.map(({ status }) => status);
  const sent = answers.reduce((sum, answer) => sum + answer.text.length, 0);
  const rows = 2 * ((answers[1]?.json.length ?? 0) + answers[2]?.json.count);
  const [row] = await stored('nordbasic');
  expect(row).toMatchObject({
    requests: 42,
    rows,
    limited: statuses.filter((status) => status === 429).length,
    errors: statuses.filter((status) => status >= 400 && status !== 429).length,
  });
  expect(row.limited).toBe(2);
  expect(rows).toBeGreaterThan(3);
  expect(row.bytes).toBeGreaterThan(sent);
  expect(Date.now() - row.last_at.getTime()).toBeLessThan(30_000);
  expect(text).toContain('just now');
});

test('a key that reaches its limit is on the overview', async () => {
  const { text } = await operator.get('/portal');
  expect(text).toContain('href="/portal/keys/nordbasic"');
  expect(text).toContain('42 of 40');
});

test('counts of two processes are added, a failed write is repeated, and a removed key is left out', async () => {
  const [one, other] = [new UsageCounter(service.database), new UsageCounter(service.database)];
  const use = { keyId: 'suedenterprise', status: 200, rows: 7, bytes: 11 };
  one.count(use);
  one.count({ ...use, keyId: 'nobody' });
  await one.flush();
  other.count({ ...use, status: 500 });
  await service.database.pool.query('alter table estate.usage rename to usage_away');
  await expect(other.flush()).rejects.toThrow();
  await service.database.pool.query('alter table estate.usage_away rename to usage');
  other.count({ ...use, status: 429 });
  await Promise.all([other.flush(), other.flush()]);
  expect((await stored('suedenterprise'))[0]).toMatchObject({ requests: 3, rows: 21, bytes: 33, errors: 1, limited: 1 });
  expect(await stored('nobody')).toEqual([]);
});

test('hours older than 30 days are removed, except for the newest of a key', async () => {
  const day = 86_400_000;
  const hour = (daysAgo: number) => new Date(Math.floor((Date.now() - daysAgo * day) / 3_600_000) * 3_600_000);
  for (const [key, daysAgo] of [
    ['nordenterprise', 40],
    ['nordenterprise', 2],
    ['nordprofessional', 50],
    ['nordprofessional', 40],
  ] as const)
    await service.database.pool.query('insert into estate.usage values ($1, $2, 1, 1, 1, 0, 0, $2)', [key, hour(daysAgo)]);
  await new UsageCounter(service.database).flush();
  expect((await stored('nordenterprise')).map(({ last_at }) => last_at)).toEqual([hour(2)]);
  expect((await stored('nordprofessional')).map(({ last_at }) => last_at)).toEqual([hour(40)]);
});

test('a series has a step for every span, and ends with the current one', async () => {
  const steps = await readSeries(service.database.control, 86_400_000, 30, { keyId: 'nordenterprise' });
  expect(steps).toHaveLength(30);
  expect(steps.findIndex(({ requests }) => requests > 0)).toBe(27);
  expect(steps.at(-1)?.start.toISOString()).toBe(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`);
});

test('every measure and span has a chart', async () => {
  for (const span of ['24h', '7d', '30d'])
    for (const measure of ['requests', 'rows', 'bytes', 'errors', 'limited']) {
      const { status, text } = await operator.get(`/portal/usage?span=${span}&measure=${measure}`);
      expect([status, text.includes('<svg viewBox="0 0 ')]).toEqual([200, true]);
      expect(text).not.toContain('NaN');
    }
});
