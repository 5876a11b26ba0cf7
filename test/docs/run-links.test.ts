/** The links to GraphiQL: each query is valid and has an answer. The demo keys: for browsers on this machine only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { describedIn } from '../../src/web/docs/dictionary.ts';
import { measureQuery, runLink, tableQuery } from '../../src/web/graphiql/run-link.ts';
import { operationIn } from '../../src/web/graphiql/studio/operations/link.ts';
import { demoKeysPath } from '../../src/web/pages/demo-keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ demoKeys: [{ name: 'nord, basic', key: keys.nordBasic }] });
});
afterAll(() => service.stop());

const tables = [...catalogue.tables.values()];
const queries = [
  ...tables.map((table) => [table.name, tableQuery(table)] as const),
  ...tables.flatMap((table) =>
    describedIn(catalogue, table).measures.map(
      (measure) => [`${table.name} ${measure.name}`, measureQuery(catalogue, table, measure)] as const,
    ),
  ),
];

test.each(queries)('the query of %s has an answer', async (_name, query) => {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': keys.nordEnterprise },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: object; errors?: unknown };
  expect([errors, Object.keys(data)]).toEqual([undefined, [expect.any(String)]]);
});

test('a link brings the query as it is written', () => {
  const [, query] = queries[0]!;
  const [, fragment = ''] = /href="\/graphql(#[^"]+)"/.exec(runLink(query, 'it').text) ?? [];
  expect(operationIn(fragment)?.query).toBe(query);
});

describe('the demo keys', () => {
  const ask = (headers: Record<string, string>) => service.app.inject({ url: demoKeysPath, headers, remoteAddress: '127.0.0.1' });

  test('are offered on this machine, and are not stored', async () => {
    const response = await ask({ host: 'localhost:8080' });
    expect(response.json()).toEqual([{ name: 'nord, basic', key: keys.nordBasic }]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await service.get('/docs', { key: null })).text).toContain(`data-demo-keys="${demoKeysPath}"`);
  });

  test.each([
    ['of another name', { host: 'estate.example.com' }],
    ['of a name that begins like this machine', { host: 'localhost.example.com' }],
    ['through a proxy', { host: 'localhost', 'x-forwarded-for': '203.0.113.7' }],
  ])('are not offered to a request %s', async (_what, headers) => {
    expect((await ask(headers)).json()).toEqual([]);
  });

  test('are not offered to another address', async () => {
    const response = await service.app.inject({ url: demoKeysPath, headers: { host: 'localhost' }, remoteAddress: '203.0.113.7' });
    expect(response.json()).toEqual([]);
  });

  test('have no route on a service without demo data', async () => {
    const other = await startService();
    try {
      expect((await other.get(demoKeysPath, { key: null })).status).not.toBe(200);
      expect((await other.get('/docs', { key: null })).text).not.toContain('data-demo-keys');
    } finally {
      await other.stop();
    }
  });
});
