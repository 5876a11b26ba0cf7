/**
 * `/openapi.json`, `/docs` and the pages of the document, as the service serves them (contract: paths; interface description; row values).
 */
import { Ajv, type AnySchema } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { operandColumns } from '../../src/plan/groups/groups.ts';
import { rowFunctionNames } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import type { Response } from '../../src/rest/openapi/document.ts';
import { describeInterface } from '../../src/rest/openapi.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const tables = [...catalogue.tables.values()];
const whole = describeInterface(catalogue);

interface Property {
  readonly type: string | readonly string[];
}

/** Whether a value has one of the types of its description. */
const fits = (value: unknown, property: Property | undefined): boolean => {
  const types = [property?.type].flat();
  if (value === null) return types.includes('null');
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
};

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

test('/openapi.json needs no key and then describes everything', async () => {
  const { status, headers, json } = await service.get('/openapi.json', { key: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('vary')).toBe('X-API-Key, Accept-Encoding');
  expect(json).toEqual(JSON.parse(JSON.stringify(whole)));
});

test('/openapi.json depends on the key, and refuses a wrong one', async () => {
  const { json } = await service.get('/openapi.json', { key: keys.nordBasic });
  expect(json.paths).toHaveProperty(['/property/properties']);
  expect(json.paths).not.toHaveProperty(['/operations/orders']);
  const refused = await service.get('/openapi.json', { key: 'est_nobody_wrong' });
  expect([refused.status, refused.json.detail]).toEqual([401, 'API key required']);
});

test('HEAD /openapi.json is GET without the body', async () => {
  const { status, headers, text } = await service.get('/openapi.json', { key: null, method: 'HEAD' });
  expect([status, headers.get('content-type'), text]).toEqual([200, 'application/json; charset=utf-8', '']);
});

test.each(tables.map((table) => [table.name, table] as const))('a page of %s matches its description', async (name, table) => {
  const { json: raw } = await service.get(`/raw/${table.source.table}?limit=1`);
  const required = table.requiredFilters.map((filter) => `${filter}=${raw.data[0][filter]}`);
  const path = `/${table.category}/${name}`;
  const { status, headers, json } = await service.get(`${path}?${['limit=50', ...required].join('&')}`);
  expect(status).toBe(200);
  const { properties } = whole.components.schemas[name] as { properties: Record<string, Property> };
  for (const row of json) {
    expect(Object.keys(row)).toEqual(Object.keys(properties));
    for (const [column, value] of Object.entries(row))
      expect([column, properties[column]?.type]).toSatisfy(() => fits(value, properties[column]));
  }
  const described = Object.keys(whole.components.responses[name]?.headers ?? {}).map((header) => header.toLowerCase());
  const sent = [...headers.keys()].filter((header) => /^(x-|ratelimit|link)/.test(header) && header !== 'x-content-type-options');
  expect(described).toEqual(expect.arrayContaining(sent));
});

const ajv = new Ajv({ strict: false, formats: { date: true, 'date-time': true, int64: true, int32: true } });
ajv.addSchema(whole as unknown as AnySchema, 'api');

/** The description of the rows of a page. */
const rowsOf = ({ name }: { readonly name: string }) =>
  ajv.compile({ $ref: `api#/components/responses/${name}/content/application~1json/schema` });

test.each(tables.map((table) => [table.name, table] as const))('a page of %s with columns matches its description', async (name, table) => {
  const names = Object.keys(table.columns);
  const own = names.filter((_, at) => at % 3 === 0).reverse();
  const relations = (catalogue.relations.get(name) ?? []).filter(({ kind }) => kind === 'to-one').slice(0, 8);
  const related = relations.flatMap((relation) => {
    const target = catalogue.tables.get(relation.target)!;
    return Object.keys(target.columns)
      .slice(-3)
      .map((column) => ({ name: `${snakeCase(relation.name)}.${column}`, target, column }));
  });
  const operands = rowFunctionNames.flatMap((call) => {
    const [of] = operandColumns(table, call);
    return of === undefined ? [] : [{ name: `own_${call}`, text: `own_${call}:${call}(${of},${of})` }];
  });
  const columns = [...own, ...related.map((each) => each.name), ...operands.map(({ text }) => text)];
  const examples = table.requiredFilters.map((filter) => `${filter}=${table.columns[filter]?.example}`);
  const { status, json } = await service.get(`/${table.category}/${name}?${['limit=50', ...examples, `columns=${columns}`].join('&')}`);
  expect([status, json.detail]).toEqual([200, undefined]);
  expect(json.length).toBeGreaterThan(0);
  const isDescribed = rowsOf(table);
  expect([isDescribed(json), isDescribed.errors]).toEqual([true, null]);
  const typeOf = (of: string, column: string) =>
    (whole.components.schemas[of] as { properties: Record<string, Property> }).properties[column];
  for (const row of json) {
    expect(Object.keys(row)).toEqual([...own, ...related.map((each) => each.name), ...operands.map((each) => each.name)]);
    for (const column of own) expect([column, row[column]]).toSatisfy(() => fits(row[column], typeOf(name, column)));
    for (const each of related)
      expect([each.name, row[each.name]]).toSatisfy(
        () => row[each.name] === null || fits(row[each.name], typeOf(each.target.name, each.column)),
      );
    for (const each of operands) expect([each.name, row[each.name]]).toSatisfy(() => fits(row[each.name], { type: ['number', 'null'] }));
  }
});

/** The schema of an answer, in which no object has a member that the document does not describe. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { readonly $ref?: string };
  if ($ref) return closed(resolve($ref));
  const members = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return 'properties' in members && !('additionalProperties' in members) ? { ...members, additionalProperties: false } : members;
};
const resolve = ($ref: string): unknown =>
  $ref
    .slice(2)
    .split('/')
    .reduce((part: unknown, name) => (part as Readonly<Record<string, unknown>>)[name], whole);

test.each([
  ['/catalog', '/catalog'],
  ['/tables', '/tables'],
  ['/me', '/me'],
  ['/changes', '/changes?since=2020-01-01'],
  ['/meta/{api_table}/values/{column}', '/meta/orders/values/status'],
  ['/prints', '/prints?address=%2Foperations%2Forders%2Fgroups%3Fcount'],
  ['/files', '/files'],
  ['/questions', '/questions'],
  ['/raw/tables', '/raw/tables'],
  ['/health/live', '/health/live'],
  ['/health/ready', '/health/ready'],
])('the answer of %s matches its description and has nothing else', async (path, target) => {
  const { status, json } = await service.get(target);
  expect(status).toBe(200);
  const described = whole.paths[path]?.get?.responses['200'] as Response | undefined;
  const isDescribed = ajv.compile(closed(described?.content?.['application/json']?.schema) as AnySchema);
  expect([isDescribed(json), isDescribed.errors]).toEqual([true, null]);
});

test('a row with an object or without any column is none', () => {
  const isDescribed = rowsOf({ name: 'orders' });
  for (const row of [{}, { property: { city: 'Berlin' } }, { order_id: [1] }]) expect([row, isDescribed([row])]).toEqual([row, false]);
});

test.each(tables.filter(({ requiredFilters }) => requiredFilters.length > 0).map((table) => [table.name, table] as const))(
  'the examples of the required filters of %s find rows of the demo',
  async (name, table) => {
    const examples = table.requiredFilters.map((filter) => `${filter}=${table.columns[filter]?.example}`);
    expect((await service.get(`/${table.category}/${name}?limit=1&${examples.join('&')}`)).json).toHaveLength(1);
  },
);

test('the reference and all its parts come from the service, without a key', async () => {
  const page = await service.get('/docs/reference', { key: null });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(page.text.replaceAll(service.address, '')).not.toMatch(/https?:/);
  const loaded = [...page.text.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, path]) => path as string);
  expect(loaded.map((path) => path.split('/').pop())).toEqual(['estate.css', 'page.js', 'docs.js']);
  for (const path of loaded) {
    const { status, headers, text } = await service.get(path, { key: null });
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, expect.stringMatching(/^public, /)]);
    expect(text.length).toBeGreaterThan(0);
  }
});

test.each(['/docs/', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/tables/nothing', '/docs/guide/start.md', '/openapi.json/'])(
  '%s is a 404',
  async (path) => {
    expect((await service.get(path)).status).toBe(404);
  },
);
