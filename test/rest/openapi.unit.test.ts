/** The interface description (contract: interface description). */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { cursorColumn } from '../../src/catalogue/table.ts';
import { type EndpointGroup, endpointGroups, type Tier } from '../../src/catalogue/tiers.ts';
import { rowLists } from '../../src/query/rows.ts';
import type { OpenApiOperation, ParameterObject, Response } from '../../src/rest/openapi/document.ts';
import { describeInterface } from '../../src/rest/openapi.ts';

const tables = [...catalogue.tables.values()];
const whole = describeInterface(catalogue);
const shapedTo = (tier: Tier, ...groups: EndpointGroup[]) => describeInterface(catalogue, { tier, groups: new Set(groups) });
const operationAt = (path: string): OpenApiOperation => whole.paths[path]?.get as OpenApiOperation;

interface Property {
  readonly type: string | readonly string[];
  readonly description: string;
}

/** The target of a reference. */
const resolve = <T>(value: unknown): T => {
  const [, section, name] = /^#\/components\/(\w+)\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '') ?? [];
  return (section && name ? (whole.components as never)[section][name] : value) as T;
};
const parametersAt = (path: string) => (operationAt(path).parameters ?? []).map((parameter) => resolve<ParameterObject>(parameter));
const responseAt = (path: string, status: number) => resolve<Response>(operationAt(path).responses[status]);

const auxiliaryPaths = [
  '/catalog',
  '/tables',
  '/me',
  '/changes',
  '/meta/{api_table}/values/{column}',
  '/prints',
  '/openapi.json',
  '/health/live',
  '/health/ready',
];

/** A request of REST has prints. */
const withoutRest = auxiliaryPaths.filter((path) => path !== '/prints');

describe('the document', () => {
  test('equals the reviewed file; `npm test -- -u` updates it', async () => {
    await expect(`${JSON.stringify(whole, null, 2)}\n`).toMatchFileSnapshot('../goldens/openapi.json');
  });

  test.each([
    ['whole', whole],
    ['of a basic key', shapedTo('basic', 'rest', 'raw', 'graphql', 'files')],
    ['of a key for raw tables', shapedTo('enterprise', 'raw')],
    ['of a key for GraphQL', shapedTo('professional', 'graphql')],
  ])('%s, passes every recommended rule of Redocly', async (_name, document) => {
    // The service is given to its operator, without a public licence.
    const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test('has version 1.0.0 and the key in X-API-Key', () => {
    expect(whole).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/' }] });
    expect(whole.components.securitySchemes).toMatchObject({ 'X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key' } });
    expect(whole.security).toEqual([{ 'X-API-Key': [] }]);
  });

  test('has the paths of the catalogue, under /v1 the versioned tables, and no other', () => {
    expect(Object.keys(whole.paths)).toEqual([
      ...tables.map(({ category, name }) => `/${category}/${name}`),
      ...tables.filter(({ v1 }) => v1).map(({ category, name }) => `/v1/${category}/${name}`),
      ...tables.map(({ category, name }) => `/${category}/${name}/deltas`),
      ...tables.map(({ category, name }) => `/${category}/${name}/groups`),
      '/raw/tables',
      '/raw/{table_name}',
      '/raw/{table_name}/deltas',
      '/graphql',
      '/graphql/rest',
      '/questions',
      '/questions/{name}',
      '/files',
      ...['parquet', 'csv.gz', 'ndjson.gz'].map((format) => `/files/{api_table}/{version}.${format}`),
      ...['parquet', 'csv.gz', 'ndjson.gz'].map((format) => `/files/raw/{table_name}/{version}.${format}`),
      '/mcp',
      ...auxiliaryPaths,
    ]);
    for (const path of ['/v1/accounting/kontenmapping_ranges', '/v1/operations/offers', '/v1/operations/orders'])
      expect(whole.paths).not.toHaveProperty([path]);
  });

  test('names each operation once', () => {
    const ids = Object.values(whole.paths).flatMap(({ get, post }) => [get, post].flatMap((each) => each?.operationId ?? []));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a row', () => {
  test.each(tables.map((table) => [table.name, table] as const))('of %s has every column, in catalogue order', (name, table) => {
    const { properties, required } = whole.components.schemas[name] as { properties: Record<string, Property>; required: string[] };
    expect(Object.keys(properties)).toEqual(Object.keys(table.columns));
    expect(required).toEqual(Object.keys(table.columns));
    for (const [column, { meaning }] of Object.entries(table.columns)) {
      const [said] = properties[column]?.description.split(/; (?:references|codes of the list) /) ?? [];
      expect(said).toBe(meaning);
    }
  });

  test('has type, null, meaning, target, codes and example of a column', () => {
    expect(whole.components.schemas.orders).toMatchObject({
      properties: {
        order_id: { type: 'integer', format: 'int32', description: 'unique order identifier', examples: [55210] },
        offer_hdr_id: { type: ['integer', 'null'], description: 'offer the order was created from; references offers.offer_hdr_id' },
        total_net: { type: ['number', 'null'], examples: [1850] },
        order_date: { type: ['string', 'null'], format: 'date' },
        created_at: { type: ['string', 'null'], format: 'date-time' },
        is_insurance_claim: { type: ['boolean', 'null'] },
        status: { description: 'workflow status of the order; codes of the list order_status, see /meta/orders/values/status' },
      },
    });
    expect(whole.components.schemas.contract_debit_diffs).toMatchObject({
      properties: { contract_debit_diff_id: { type: 'integer', format: 'int64' } },
    });
  });
});

describe('a category endpoint', () => {
  test('takes limit, offset and cursor within their bounds', () => {
    expect(parametersAt('/v1/operations/notifications').slice(0, 3)).toMatchObject([
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100000, default: 1000 } },
      { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 500000, default: 0 } },
      { name: 'cursor', in: 'query', schema: { type: 'string' } },
    ]);
  });

  test('takes one string for each filterable column', () => {
    for (const table of tables) {
      const cursor = cursorColumn(table) ? ['cursor'] : [];
      const names = ['limit', 'offset', ...cursor, ...table.filters, ...rowLists, 'format', 'If-None-Match', 'Prefer'];
      expect(parametersAt(`/${table.category}/${table.name}`).map(({ name }) => name)).toEqual(names);
    }
    expect(parametersAt('/contracts/index_rent').filter(({ required }) => required)).toEqual([]);
    for (const name of ['property_id', 'account_id', 'index_name', 'base_year'])
      expect(parametersAt('/contracts/index_rent')).toContainEqual(expect.objectContaining({ name, schema: { type: 'string' } }));
  });

  test('requires filters like the catalogue, and describes the error for a missing one', () => {
    const required = parametersAt('/accounting/booking_positions').filter((parameter) => parameter.required);
    expect(required.map(({ name }) => name)).toEqual(['property_id', 'fiscal_year']);
    expect(responseAt('/v1/accounting/booking_positions', 400).content).toMatchObject({
      'application/problem+json': {
        examples: {
          missingFilters: {
            value: {
              type: 'about:blank',
              title: 'Bad Request',
              status: 400,
              detail: 'Missing required filter(s): property_id, fiscal_year',
              instance: '/v1/accounting/booking_positions',
            },
          },
        },
      },
    });
    expect(operationAt('/operations/orders').responses).not.toHaveProperty('400');
  });

  test('names its headers; X-Next-Cursor only if there is a cursor', () => {
    expect(Object.keys(responseAt('/operations/orders', 200).headers)).toEqual([
      'X-Total-Count',
      'X-Has-More',
      'X-Next-Offset',
      'X-Ignored-Parameters',
      'Preference-Applied',
      'X-Next-Cursor',
      'X-Unknown-Values',
      'X-Snapshot-At',
      'X-Data-Version',
      'ETag',
      'Link',
      'Content-Disposition',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'RateLimit-Policy',
      'Server-Timing',
      'X-Request-Id',
    ]);
    expect(responseAt('/accounting/kontenmapping_ranges', 200).headers).not.toHaveProperty('X-Next-Cursor');
  });

  test.each([401, 403, 404, 422, 429, 500, 503])('describes the problem with status %i', (status) => {
    const { content = {} } = responseAt('/operations/orders', status);
    expect(Object.keys(content)).toEqual(['application/problem+json']);
    for (const { value } of Object.values(content['application/problem+json']?.examples ?? {})) expect(value).toMatchObject({ status });
  });
});

describe('a raw endpoint', () => {
  test('takes any table name and lists the known ones', () => {
    const [table] = parametersAt('/raw/{table_name}');
    expect(table).toMatchObject({ in: 'path', required: true, schema: { type: 'string' } });
    expect(Object.keys(table?.examples ?? {})).toEqual(Object.keys(rawTables));
  });

  test('answers with the envelope', () => {
    expect(whole.components.schemas.RawPage).toMatchObject({ required: ['data', 'count', 'next_cursor', 'total_rows'] });
    expect(responseAt('/raw/{table_name}', 200).headers).toHaveProperty('X-Snapshot-At');
  });
});

test('/meta describes its own form of validation errors', () => {
  const { content } = responseAt('/meta/{api_table}/values/{column}', 422);
  expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' } } });
});

describe('deltas', () => {
  test('need the start version', () => {
    const required = parametersAt('/operations/orders/deltas').filter((parameter) => parameter.required);
    expect(required).toMatchObject([{ name: 'since_version', in: 'query', schema: { type: 'integer', minimum: 0 } }]);
  });

  test('answer with rows, keys and versions', () => {
    const schema = responseAt('/property/property_structure/deltas', 200).content?.['application/json']?.schema;
    expect(schema).toMatchObject({
      required: ['from_version', 'to_version', 'upserts', 'deletes', 'next_cursor'],
      properties: { upserts: { items: { $ref: '#/components/schemas/property_structure' } }, deletes: { items: { type: 'string' } } },
    });
  });

  test('describe the error for expired deltas', () => {
    const { examples } = responseAt('/raw/{table_name}/deltas', 410).content?.['application/problem+json'] ?? {};
    expect(examples?.deltasGone?.value).toMatchObject({ status: 410, title: 'Gone' });
  });
});

test('an unchanged page is a 304 without a body', () => {
  for (const path of ['/operations/orders', '/v1/property/properties', '/raw/{table_name}']) {
    expect(responseAt(path, 304)).not.toHaveProperty('content');
    expect(responseAt(path, 200).headers).toHaveProperty('ETag');
  }
});

test('a 429 has the time to wait', () => {
  expect(responseAt('/catalog', 429)).toMatchObject({ headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } });
});

describe('with a key', () => {
  const categoriesIn = (document: typeof whole) => new Set(Object.values(document.paths).map(({ get, post }) => (get ?? post)!.tags[0]));

  test('a basic key sees property only, and no name of another table', () => {
    const basic = shapedTo('basic', 'rest');
    expect(categoriesIn(basic)).toEqual(new Set(['property', 'auxiliary']));
    const names = Object.keys(basic.components.schemas).filter((name) => catalogue.tables.has(name));
    expect(names).toEqual(tables.filter(({ category }) => category === 'property').map(({ name }) => name));
    for (const { name } of tables.filter(({ category }) => category !== 'property'))
      expect(JSON.stringify(basic)).not.toMatch(new RegExp(`[/.]${name}\\b|references ${name}\\.`));
  });

  test('a professional key sees neither accounting nor depreciation', () => {
    const expected = ['contracts', 'operations', 'property', 'stakeholder', 'raw', 'auxiliary'];
    expect(categoriesIn(shapedTo('professional', 'rest', 'raw'))).toEqual(new Set(expected));
  });

  test('an enterprise key with every group sees everything', () => {
    expect(shapedTo('enterprise', ...endpointGroups)).toEqual(whole);
    expect(Object.keys(shapedTo('enterprise', 'agents').paths)).toEqual(['/mcp', ...withoutRest]);
  });

  test('missing endpoint groups are left out', () => {
    expect(Object.keys(shapedTo('enterprise', 'raw').paths)).toEqual([
      '/raw/tables',
      '/raw/{table_name}',
      '/raw/{table_name}/deltas',
      ...withoutRest,
    ]);
    expect(Object.keys(shapedTo('enterprise', 'graphql').paths)).toEqual([
      '/graphql',
      '/graphql/rest',
      '/questions',
      '/questions/{name}',
      ...withoutRest,
    ]);
  });

  test('raw tables above its tier are not shown', () => {
    const shown = shapedTo('basic', 'raw').components.parameters.rawTable as ParameterObject;
    const basic = Object.entries(rawTables).filter(([, { tier }]) => tier === 'basic');
    expect(Object.keys(shown.examples ?? {})).toEqual(basic.map(([name]) => name));
  });
});
