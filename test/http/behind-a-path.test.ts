/** Behind a path prefix of a real proxy, every link leads to the service, and none out of the prefix (contract: public URL). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Operator } from '../portal/operator.ts';
import { type PrefixedService, prefixingProxies, startPrefixed } from '../support/path-prefix.ts';
import { keys } from '../support/settings.ts';

const demoKeys = [{ name: 'nord, enterprise', key: keys.nordEnterprise }];

/** What a browser sends when it opens an address. */
const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Addresses in the attributes of a page, and those that its scripts request. */
const addressesIn = (text: string, prefix: string): string[] => [
  ...[...text.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&')),
  ...[...text.matchAll(/ data-(?:index|labels|demo-keys)="([^"]*)"/g)].map(([, path]) => `${prefix}${path}`),
];

/** Addresses in a style sheet. */
const filesIn = (text: string): string[] => [...text.matchAll(/url\((?!["']?data:)["']?([^"')]+)/g)].map(([, address = '']) => address);

describe.each(prefixingProxies)('behind %s (skipped only if it is not installed)', (name) => {
  let prefixed: PrefixedService;

  beforeAll(async () => {
    prefixed = await startPrefixed(name, { demoKeys });
  });
  afterAll(() => prefixed.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${prefixed.url}${path}`, { headers: { 'X-API-Key': keys.nordEnterprise, ...headers } });

  test('all links of all pages lead to the service', async () => {
    const { url, origin } = prefixed;
    const astray: string[] = [];
    const failed: string[] = [];
    const found = new Set([`${url}/`, `${url}/explore`, `${url}/graphql`, `${url}/docs/reference`, `${url}/portal`, `${url}/nothing`]);
    for (const address of found) {
      const answer = await fetch(address, { headers: asBrowser });
      const type = answer.headers.get('content-type') ?? '';
      const isExpected = answer.ok || address.endsWith('/nothing') || answer.status === 405;
      if (!isExpected || !answer.url.startsWith(url)) failed.push(`${answer.status} ${address} at ${answer.url}`);
      const text = await answer.text();
      const addresses = type.startsWith('text/html') ? addressesIn(text, '/estate') : type.startsWith('text/css') ? filesIn(text) : [];
      for (const target of addresses) {
        if (/^(?:#|data:|mailto:)/.test(target)) continue;
        const { href, origin: host } = new URL(target, answer.url);
        if (host !== origin) {
          // Sources on other sites.
          if (!href.startsWith('https://')) astray.push(`${address}: ${target}`);
        } else if (href !== url && !href.startsWith(`${url}/`)) astray.push(`${address}: ${target}`);
        else found.add(href.split('#')[0] as string);
      }
    }
    expect([astray, failed]).toEqual([[], []]);
    const paths = [...found].map((address) => address.slice(url.length));
    expect(paths.length).toBeGreaterThan(60);
    for (const part of [
      '/assets/',
      '/docs/tables/',
      '/docs/operating',
      '/openapi.json',
      '/portal/sign-in',
      '/docs/demo-keys',
      'graphiql.js',
    ])
      expect([part, paths.some((path) => path.includes(part))]).toEqual([part, true]);
  });

  test('documents for programs lead to the service', async () => {
    for (const path of ['/llms.txt', '/docs/start.md', '/.well-known/api-catalog']) {
      const own = [...(await (await get(path)).text()).matchAll(/http:\/\/127[^\s)"'`]+/g)].map(([address]) => address);
      expect([path, own.length > 3, own.filter((address) => !address.startsWith(prefixed.url))]).toEqual([path, true, []]);
      for (const address of own.filter((each) => /\.(?:md|json)$/.test(each)))
        expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    }
  });

  test('a program follows links, locations and endpoint_url', async () => {
    const { tables } = (await (await get('/me')).json()) as { tables: { endpoint_url: string }[] };
    for (const { endpoint_url } of tables) {
      const { status } = await fetch(new URL(`${endpoint_url}?limit=1`, prefixed.url), { headers: { 'X-API-Key': keys.nordEnterprise } });
      // Bookings have required filters.
      expect([endpoint_url, status]).toEqual([endpoint_url, endpoint_url.includes('/accounting/booking_') ? 400 : 200]);
    }
    const first = await get('/operations/orders?limit=2&order=-order_id');
    const [, link = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await fetch(new URL(link, prefixed.url), { headers: { 'X-API-Key': keys.nordEnterprise } });
    const idsOf = async (answer: Response) => ((await answer.json()) as { order_id: number }[]).map(({ order_id }) => order_id);
    expect(new Set([...(await idsOf(first)), ...(await idsOf(second))]).size).toBe(4);
    const file = await get('/files/properties/latest.csv.gz');
    expect([file.status, file.redirected, new URL(file.url).pathname]).toEqual([
      200,
      true,
      expect.stringMatching(/^\/estate\/files\/properties\/\d+\.csv\.gz$/),
    ]);
    expect((await get('/changes?since=9999-12-31&wait=1')).status).toBe(200);
  });

  test('an operator signs in, and every form of the portal leads back to it', async () => {
    const operator = await new Operator({ url: prefixed.origin }).signIn('/estate');
    for (const path of ['', '/customers', '/customers/nord', '/keys', '/keys/new', '/usage', '/log']) {
      const { status, text } = await operator.get(`/estate/portal${path}`);
      const targets = addressesIn(text, '/estate').filter((target) => target.startsWith('/'));
      expect([path, status, targets.filter((target) => !target.startsWith('/estate/'))]).toEqual([path, 200, []]);
    }
    const added = await operator.submit('/estate/portal/customers', {
      name: `Behind ${name}`,
      slug: `behind-${name.toLowerCase()}`,
      tier: 'basic',
    });
    expect([added.status, added.location]).toEqual([303, expect.stringMatching(/^\/estate\/portal\/customers\//)]);
  });
});
