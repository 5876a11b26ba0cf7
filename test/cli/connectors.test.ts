/** The connector configurations of `estate print`: every table, and addresses that a key can read. */
import { spawnSync } from 'node:child_process';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { dltConfiguration, dltPipeline } from '../../src/cli/connectors/dlt.ts';
import { streamsOf } from '../../src/cli/connectors/streams.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const address = 'https://estate.example.com';
const names = [...catalogue.tables.keys()];

test('each category table is a stream; those with required filters are read as raw tables', () => {
  const streams = streamsOf(catalogue);
  expect(streams).toHaveLength(names.length);
  expect(streams.filter(({ rowsIn }) => rowsIn).map(({ name, key }) => [name, key])).toEqual([
    ['booking_hdr', 'booking_hdr_id'],
    ['booking_pos', 'booking_pos_id'],
  ]);
});

test('each stream has its rows, its key and all of its columns at its address', async () => {
  for (const { path, key, rowsIn, schema } of streamsOf(catalogue)) {
    const { status, json, headers } = await service.get(`/${path}?limit=1`);
    expect([path, status]).toEqual([path, 200]);
    const [row] = rowsIn ? json[rowsIn] : json;
    expect([path, Object.keys(row)]).toEqual([path, Object.keys(schema.properties as object)]);
    expect(Object.keys(row)).toContain(key);
    const { text } = await service.get(`/${path}?limit=2`);
    const rows = rowsIn ? JSON.parse(text)[rowsIn] : JSON.parse(text);
    if (rows.length > 1 && headers.get('link')) expect(headers.get('link')).toMatch(new RegExp(`^</${path}\\?limit=1&.*>; rel="next"$`));
  }
});

test('dlt has every stream with its key, and the program compiles', () => {
  const { client, resources } = dltConfiguration(catalogue, address);
  expect(client).toMatchObject({ base_url: `${address}/`, paginator: { type: 'header_link' } });
  expect(resources.map(({ endpoint }) => endpoint.path)).toEqual(streamsOf(catalogue).map(({ path }) => path));
  const program = dltPipeline(catalogue, address);
  expect(program).not.toMatch(/\b(?:true|false|null)\b/);
  const compiled = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: program, encoding: 'utf8' });
  if (!compiled.error) expect([compiled.status, compiled.stderr]).toEqual([0, '']);
});

test('each row matches the schema of its stream', async () => {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  for (const { name, path, rowsIn, schema } of streamsOf(catalogue)) {
    const isRecord = ajv.compile(schema);
    const { json } = await service.get(`/${path}?limit=1000`);
    for (const record of rowsIn ? json[rowsIn] : json)
      if (!isRecord(record)) expect([name, record, isRecord.errors]).toEqual([name, record, null]);
  }
});

describe('the address', () => {
  test.each(['estate.example.com', 'https://estate.example.com/v1', 'ftp://estate.example.com'])('%s is refused', async (text) => {
    const { parseUrl } = await import('../../src/cli/options.ts');
    expect(() => parseUrl(text)).toThrow('without a path');
  });

  test('may have the path prefix of the service', async () => {
    const { parseUrl } = await import('../../src/cli/options.ts');
    expect(parseUrl('https://example.com/estate/')).toBe('https://example.com/estate');
  });
});
