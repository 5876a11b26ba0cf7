/** The examples of the interface description beside responses of the service (contract: interface description). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: the document is read by path
let document: any;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '500' } });
  document = (await service.get('/openapi.json', { key: keys.nordEnterprise })).json;
});
afterAll(() => service?.stop());

// biome-ignore lint/suspicious/noExplicitAny: see above
const resolve = (value: any): any => {
  if (!value?.$ref) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((part: Record<string, unknown>, name: string) => part[name], document);
};

/** The example of a path, and the request that its summary names. */
const exampleAt = (path: string): { readonly value: Json; readonly summary?: string } => {
  const { example, examples } = resolve(document.paths[path].get.responses[200]).content['application/json'];
  return example === undefined ? resolve(Object.values(examples)[0]) : { value: example };
};

/** Names of members in their order; of a list, those of its first item. */
const shapeOf = (value: Json): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return '';
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
};

test.each([
  ['/operations/orders', '/operations/orders?limit=1'],
  ['/accounting/accounts/groups', undefined],
  ['/raw/tables', undefined],
  ['/raw/{table_name}', undefined],
  ['/catalog', '/catalog'],
  ['/me', '/me'],
  ['/changes', '/changes?since=2000-01-01'],
  ['/meta/{api_table}/values/{column}', '/meta/accounts/values/account_type'],
])('%s: the example has the members of a response', async (path, request) => {
  const { value, summary } = exampleAt(path);
  const { status, json } = await service.get(request ?? (summary as string), { key: keys.nordEnterprise });
  expect(status).toBe(200);
  expect(shapeOf(json)).toEqual(shapeOf(value));
});

test('a row of the raw example has the types of the source', async () => {
  const { value, summary } = exampleAt('/raw/{table_name}');
  const [example] = (value as { data: Record<string, Json>[] }).data;
  const { json } = await service.get(`${summary}?limit=100`, { key: keys.nordEnterprise });
  for (const [name, shown] of Object.entries(example ?? {})) {
    const types = new Set(
      json.data
        .map((row: Record<string, Json>) => row[name])
        .filter((each: Json) => each !== null)
        .map((each: Json) => typeof each),
    );
    expect([name, ...types]).toEqual([name, ...(types.size > 0 ? [typeof shown] : [])]);
  }
});

test.each(['/operations/orders/deltas', '/raw/{table_name}/deltas'])('%s: the example has the envelope of a response', async (path) => {
  const { value } = exampleAt(path);
  const table = path.replace('{table_name}', 'order_hdr');
  const { headers } = await service.get(table.replace('/deltas', '?limit=1'), { key: keys.nordEnterprise });
  const { json } = await service.get(`${table}?since_version=${headers.get('x-data-version')}`, { key: keys.nordEnterprise });
  expect(Object.keys(json)).toEqual(Object.keys(value as object));
});
