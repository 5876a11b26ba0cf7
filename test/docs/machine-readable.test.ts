/** The documentation for programs: its types, its links, and what it says without a key (contract: documentation for programs). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guidePages } from '../../src/web/docs/guide.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '500' } });
});
afterAll(() => service.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => service.get(path, { key: null, headers });

/** Addresses of this service in a text, as paths. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/\]\((http[^)\s]+)\)/g)]
    .map(([, address = '']) => new URL(address))
    .filter(({ origin }) => origin === new URL(service.address).origin)
    .map(({ pathname }) => pathname);

test('llms.txt lists each page of the guide as Markdown, and every link leads to a page', async () => {
  const { status, headers, text } = await get('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Estate\n\n> .+\n/);
  const paths = pathsIn(text);
  expect(paths.filter((path) => path.endsWith('.md'))).toEqual(guidePages.map((page) => `/docs/${page}.md`));
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('a page as Markdown has its generated tables, addresses of this service, and links that lead to pages', async () => {
  for (const page of guidePages) {
    const { headers, text } = await get(`/docs/${page}.md`);
    expect([page, headers.get('content-type')]).toEqual([page, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# /);
    expect([page, text.match(/<!--.*|estate\.example\.com/)]).toEqual([page, null]);
    for (const path of new Set(pathsIn(text)))
      expect([page, path, (await get(path)).status]).toEqual([page, path, path === '/graphql' ? 401 : 200]);
  }
  expect((await get('/docs/errors.md')).text).toContain('Rate limit exceeded');
});

test('the list of interfaces is a link set with targets that exist, and names itself', async () => {
  const { headers, json } = await get('/.well-known/api-catalog');
  expect(headers.get('content-type')).toMatch(/^application\/linkset\+json/);
  expect(headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  const [first, ...others] = json.linkset as Record<string, string | { href: string }[]>[];
  expect([first, ...others].map((links) => links?.anchor)).toEqual(['/', '/graphql', '/mcp'].map((path) => service.address + path));
  const targets = [first, ...others]
    .flatMap((links) => Object.values(links ?? {}))
    .flatMap((each) => (typeof each === 'string' ? [] : each));
  for (const { href } of targets) expect([href, (await fetch(href)).status]).toEqual([href, 200]);
});

test('they are cached by their tag, and count as pages', async () => {
  for (const path of ['/llms.txt', '/docs/paging.md', '/.well-known/api-catalog']) {
    const { headers } = await get(path);
    expect((await get(path, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
    expect(Number(headers.get('x-ratelimit-limit'))).toBe(20 * 500);
  }
});
