/** The log in the portal: search, range of days, pages, and download. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
  await service.database.pool.query(
    `insert into estate.audit_log (at, actor, address, action, subject)
     select '2026-01-01T12:00:00Z'::timestamptz + n * interval '1 day', 'anna', '192.0.2.' || n, 'counted', 'day ' || n from generate_series(0, 119) n`,
  );
});
afterAll(() => service.stop());

const subjectsAt = async (path: string) => {
  const { text } = await operator.get(path);
  return [...text.matchAll(/data-label="Subject">([^<]+)</g)].map(([, subject]) => subject);
};

test('entries are searched by operator, address, action and subject, newest first, 50 per page', async () => {
  const { text } = await operator.get('/portal/log?q=counted');
  expect(text).toContain('1–50 of 120');
  expect(await subjectsAt('/portal/log?q=counted&page=3')).toHaveLength(20);
  expect((await subjectsAt('/portal/log?q=ANNA')).slice(0, 2)).toEqual(['day 119', 'day 118']);
  expect((await subjectsAt('/portal/log?q=anna&sort=when')).slice(0, 2)).toEqual(['day 0', 'day 1']);
  expect(await subjectsAt('/portal/log?q=192.0.2.7+counted')).toEqual(['day 7']);
  expect((await operator.get('/portal/log?q=nothing+like+it')).text).toContain('Nothing like that was done.');
});

test('entries are restricted to days, including the last one', async () => {
  expect(await subjectsAt('/portal/log?from=2026-01-03&until=2026-01-04')).toEqual(['day 3', 'day 2']);
  for (const odd of ['from=0000-01-01', 'until=2026-99-99', 'from=x', 'until=9999-12-31', 'page=9999999'])
    expect([odd, (await operator.get(`/portal/log?${odd}`)).status]).toEqual([odd, 200]);
});

test("the file contains the entries of the page's filter, and no formula", async () => {
  await service.database.pool.query(
    `insert into estate.audit_log (actor, action, subject) values ('eve', 'odd', '=HYPERLINK("http://evil.example")'), ('eve', 'odd', E'two\\nlines, "quoted"')`,
  );
  const { text } = await operator.get('/portal/log?q=odd');
  expect(text).toContain('href="/portal/log.csv?q=odd"');
  const { headers, text: csv } = await operator.get('/portal/log.csv?q=odd');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename=estate-log.csv');
  expect(headers.get('cache-control')).toBe('private, no-store');
  const rows: Record<string, string>[] = parse(csv, { columns: true });
  expect(rows.map(({ subject }) => subject)).toEqual([`'=HYPERLINK("http://evil.example")`, 'two\nlines, "quoted"']);
  const all: unknown[] = parse((await operator.get('/portal/log.csv?q=counted')).text, { columns: true });
  expect(all).toHaveLength(120);
  expect((await new Operator(service).get('/portal/log.csv')).status).toBe(303);
});
