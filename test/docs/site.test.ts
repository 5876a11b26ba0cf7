/** The documentation as the service serves it: every page without a key, links with targets, complete tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable } from '../../src/catalogue/table.ts';
import { problems } from '../../src/errors.ts';
import { limits } from '../../src/graphql/document/limits.ts';
import { guidePages } from '../../src/web/docs/guide.ts';
import { termsOf } from '../../src/web/docs/tables.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { DELTA_RETENTION_HOURS: '77', RATE_LIMIT: '4321' } });
});
afterAll(() => service.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => service.get(path, { key: null, headers });

const guide = [...guidePages.map((name) => (name === 'start' ? '' : `/${name}`)), '/changelog'];
const dictionary = ['/tables', '/codes', '/glossary', '/raw', '/reference'];
const tables = [...catalogue.tables.keys()].map((name) => `/tables/${name}`);
const pages = [...guide, ...dictionary, ...tables].map((path) => `/docs${path}`);

test('every page needs no key, runs only its own script, and is a 304 for clients that have it', async () => {
  for (const path of pages) {
    const { status, headers, text } = await get(path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(text).not.toMatch(/ on\w+="|<script>/);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect((await get(path, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
  }
});

/** Pages that link to other sites. */
const withSources = ['/docs/agents', '/docs/comparison', '/docs/connect', '/docs/webhooks'];

test('links lead to existing pages and anchors', async () => {
  const tablePaths = [...catalogue.tables.values()].map(pathOfTable);
  const texts = new Map<string, string>();
  const textOf = async (path: string) => {
    const text = texts.get(path) ?? (await get(path, { Accept: 'text/html' })).text;
    texts.set(path, text);
    return text;
  };
  for (const page of pages)
    for (const [, href = ''] of (await textOf(page)).matchAll(/<a [^>]*href="([^"]+)"/g)) {
      // Sources on other sites, which a test cannot reach.
      if (href.startsWith('https://')) {
        expect(withSources).toContain(page);
        continue;
      }
      const [path, part] = href.split('#');
      const target = await textOf(path || page);
      expect([page, href, target.length > 500]).toEqual([page, href, true]);
      // The fragment of Explore is a request for rows or groups of a table.
      if (path === '/explore') expect(['', ...tablePaths]).toContain((part ?? '').replace(/\?.*$/, '').replace(/\/groups$/, ''));
      else if (part !== undefined && path !== '/graphql')
        expect([page, href, target.includes(`id="${decodeURIComponent(part)}"`)]).toEqual([page, href, true]);
    }
});

test('the search finds only existing targets', async () => {
  const [, index = ''] = /data-index="([^"]+)"/.exec((await get('/docs')).text) ?? [];
  const entries: { kind: string; title: string; address: string }[] = Object.values((await get(index)).json.storedFields);
  expect(entries.length).toBeGreaterThan(1_000);
  const columns = [...catalogue.tables.values()].reduce((sum, table) => sum + Object.keys(table.columns).length, 0);
  expect(entries.filter(({ kind }) => kind === 'column')).toHaveLength(columns);
  const texts = new Map<string, string>();
  for (const { kind, title, address } of entries) {
    const [path = '', part = ''] = address.split('#');
    if (!texts.has(path)) texts.set(path, (await get(path)).text);
    // Their pages read the part of the address by a script.
    const isThere = kind === 'example' || part === '' || texts.get(path)?.includes(`id="${decodeURIComponent(part)}"`);
    expect([kind, title, address, isThere]).toEqual([kind, title, address, true]);
  }
});

test('the table of errors contains every error that a client can get', async () => {
  const { text } = await get('/docs/errors');
  for (const [kind, [status, detail]] of Object.entries(problems))
    if (kind !== 'abandoned') expect(text).toMatch(new RegExp(`<strong>${status}</strong>.*\\n?.*${detail.replaceAll(/[{}()]/g, '\\$&')}`));
});

test('limits are those of the settings and of the code', async () => {
  const { text } = await get('/docs/limits');
  for (const shown of ['4,321', '77 h', '100,000', '500,000', ...Object.values(limits).map((max) => max.toLocaleString('en'))])
    expect(text).toContain(`>${shown}<`);
});

describe('a table', () => {
  test.each([...catalogue.tables.keys()])('%s has a German name', (name) => expect(termsOf(name)).not.toEqual([]));

  test('shows its names in REST, GraphQL and German, with its codes and sources', async () => {
    const { text } = await get('/docs/tables/notifications');
    for (const shown of [
      'One notification (Meldung).',
      'Schadensmeldung',
      '/v1/operations/notifications',
      'notificationById',
      'reportDate',
      'rh.report_type_key',
      'In progress',
      'technicalObject',
    ])
      expect(text).toContain(shown);
  });

  test('shows samples with the public URL, and nothing from a Host header', async () => {
    const { text } = await get('/docs/tables/orders');
    expect(text).toContain(`${service.address}/operations/orders?limit=10`);
    expect((await get('/docs/tables/orders', { 'X-Forwarded-Host': '"><script>' })).text).toBe(text);
  });
});

test('an unknown address is a 401 without a key and a 404 with one', async () => {
  expect((await get('/docs/nothing')).status).toBe(401);
  expect((await service.get('/docs/nothing')).status).toBe(404);
});
