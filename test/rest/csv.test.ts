/** CSV: the rows of a category page or of groups in the format of RFC 4180 (contract: CSV). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const accept = (value: string) => ({ headers: { Accept: value } });

/** A strict parser of RFC 4180. A field is null if it is empty and has no quotes. */
const parse = (text: string): (string | null)[][] => {
  expect(text.endsWith('\r\n')).toBe(true);
  const rows: (string | null)[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
};

const same = async (path: string) => {
  const [asJson, asCsv] = [await service.get(path), await service.get(path, accept('text/csv'))];
  const [names, ...rows] = parse(asCsv.text);
  // Numbers in their original digits.
  const values: Record<string, unknown>[] = JSON.parse(asJson.text.replaceAll(/":(-?[\d.]+)(?=[,}])/g, '":"$1"'));
  expect(names).toEqual(Object.keys(values[0]!));
  expect(rows).toEqual(values.map((row) => Object.values(row).map((value) => (value === null ? null : String(value)))));
  for (const header of ['X-Total-Count', 'X-Has-More', 'X-Next-Cursor', 'X-Data-Version', 'Link'])
    expect([header, asCsv.headers.get(header)]).toEqual([header, asJson.headers.get(header)]);
  expect(asCsv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
  expect(asCsv.headers.get('ETag')).not.toBe(asJson.headers.get('ETag'));
};

test.each([
  '/property/properties',
  '/stakeholder/tenants?limit=50',
  '/operations/orders?limit=20&offset=10',
  '/v1/contracts/contract_debits?limit=3',
  '/property/property_structure?limit=2000',
  '/operations/orders/groups?by=trade,property.federal_state&count&sum=total_net',
])('%s: the same rows, columns and headers as in JSON', same);

test('values with a comma, quote or line end are quoted, and so is empty text; null is empty', async () => {
  const name = 'a "b", c\r\nd';
  await service.database.pool.query(
    `update customer_nord.properties set property_name = $1, short_name = '', entrance = null where property_id = 1001`,
    [name],
  );
  const { text } = await service.get('/property/properties?property_id=1001', accept('text/csv'));
  expect(text).toContain('\r\n1001,"a ""b"", c\r\nd","",');
  expect(parse(text)[1]!.slice(0, 3)).toEqual(['1001', name, '']);
  await same('/property/properties?property_id=1001');
});

test('a page without rows has only its header', async () => {
  const { status, text } = await service.get('/operations/offers?offer_hdr_id=0', accept('text/csv'));
  const again = await service.get('/operations/offers?offer_hdr_id=0&offset=5', accept('text/csv'));
  expect(status).toBe(200);
  expect(text).toBe('offer_hdr_id,property_id,creditor_id,floor_area_id,offer_value,offer_type,status_text,offer_accepted\r\n');
  expect(again.text).toBe(text);
});

describe('content negotiation', () => {
  test.each([
    ['text/csv', true],
    ['text/csv;header=present', true],
    ['TEXT/CSV', true],
    ['text/*', true],
    ['text/csv, application/json;q=0.5', true],
    ['application/json;q=0.2, text/csv;q=0.3', true],
    ['text/csv, */*;q=0.1', true],
    ['*/*;q=0.5, text/csv', true],
    ['*/*', false],
    ['', false],
    ['application/json', false],
    ['text/csv;q=0', false],
    ['text/csv;q=0.5, application/json', false],
    ['text/csv, application/json', false],
    ['text/csv;q=0.5, */*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['nonsense', false],
  ])('%s', async (value, isCsv) => {
    const { headers } = await service.get('/property/properties?limit=1', accept(value));
    expect(headers.get('Content-Type')?.startsWith('text/csv')).toBe(isCsv);
    expect(headers.get('Vary')?.split(', ')).toContain('Accept');
  });

  test('each format has its own tag and its own entry in the response cache', async () => {
    const path = '/property/properties?limit=3';
    for (let round = 0; round < 3; round++)
      for (const [value, begin] of [
        ['text/csv', 'property_id,'],
        ['application/json', '[{"property_id":'],
      ] as const) {
        const { text, headers } = await service.get(path, accept(value));
        expect(text.startsWith(begin)).toBe(true);
        const tag = headers.get('ETag') as string;
        expect((await service.get(path, { headers: { Accept: value, 'If-None-Match': tag } })).status).toBe(304);
        expect(
          (await service.get(path, { headers: { Accept: value === 'text/csv' ? '*/*' : 'text/csv', 'If-None-Match': tag } })).status,
        ).toBe(200);
      }
  });

  test('HEAD and errors: the type of the format, and problem documents', async () => {
    const head = await service.get('/property/properties?limit=1', { method: 'HEAD', ...accept('text/csv') });
    expect([head.text, head.headers.get('Content-Type')]).toEqual(['', 'text/csv; charset=utf-8; header=present']);
    for (const path of ['/property/properties?limit=x', '/property/nothing', '/operations/orders/groups?by=x'])
      expect((await service.get(path, accept('text/csv'))).headers.get('Content-Type')).toBe('application/problem+json; charset=utf-8');
  });

  test('raw tables and other responses have one format', async () => {
    for (const path of ['/raw/property_hdr?limit=1', '/catalog', '/changes?since=2020-01-01'])
      expect((await service.get(path, accept('text/csv'))).headers.get('Content-Type')).toMatch(/^application\/json/);
  });
});
