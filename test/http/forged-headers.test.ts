/** No byte of an answer comes from a header that names the service (contract: public URL). */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePages } from '../../src/web/docs/guide.ts';
import { Operator, password } from '../portal/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const forgedNames = [
  'Host',
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Prefix',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'X-Forwarded-Scheme',
  'X-Original-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
];
const everywhere = (value: string): Record<string, string> => Object.fromEntries(forgedNames.map((name) => [name, value]));
const rest = "$'$`$&".repeat(700);
const forgeries: readonly Readonly<Record<string, string>>[] = [
  {
    ...everywhere('evil.example'),
    Forwarded: 'host=evil.example;proto=https',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Prefix': '/evil',
  },
  { ...everywhere(`"><script>alert('1')</script>`), 'X-Forwarded-Proto': 'javascript' },
  // The requests that were the most expensive ones: three long headers are as much as a request may have.
  { Host: rest, 'X-Forwarded-Host': rest, 'X-Forwarded-Proto': rest },
];

const publicPaths = [
  '/',
  '/explore',
  '/docs/reference',
  '/docs/tables',
  '/docs/tables/orders',
  '/docs/files/estate.sql',
  '/docs/changelog',
  ...guidePages.flatMap((page) => [page === 'start' ? '/docs' : `/docs/${page}`, `/docs/${page}.md`]),
  '/llms.txt',
  '/.well-known/api-catalog',
  '/openapi.json',
  '/health/ready',
  '/portal',
  '/docs/nothing',
  '/graphql',
];
const dataPaths = [
  '/catalog',
  '/tables',
  '/me',
  '/changes?since=2000-01-01',
  '/raw/tables',
  '/raw/person?limit=2',
  '/operations/orders?limit=2',
  '/operations/orders?limit=2&format=csv',
  '/operations/orders?limit=0',
  '/operations/orders/groups?by=status',
  '/files',
  '/files/orders/latest.parquet',
  '/questions',
  '/explore/description',
  '/explore/figures?day=2026-10-31',
  '/openapi.json',
  '/docs/tables/orders',
  '/docs/files/estate.sql',
  '/nowhere',
  '/graphql?query={me{tables{endpointUrl}}}',
];

interface Whole {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Headers that differ from one answer to the next. */
const changing = new Set(['date', 'x-request-id', 'server-timing', 'set-cookie']);
/** Times of the answer, counts of the quota, and the id of a request in an error page. */
const changingText = /"(?:age_seconds|remaining|reset_seconds)":\d+|"generated_at":"[^"]*"|request [\da-f-]{36}/g;

describe.each(['0', '1'])('TRUST_PROXY=%s', (TRUST_PROXY) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ environment: { TRUST_PROXY, PORTAL_PASSWORD: password } });
  });
  afterAll(() => service.stop());

  const read = (path: string, headers: Readonly<Record<string, string>>): Promise<Whole> =>
    new Promise((resolve, reject) => {
      const call = request(
        { host: '127.0.0.1', port: service.port, path, headers: { 'Accept-Encoding': 'identity', ...headers } },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part) => parts.push(part)).on('error', reject);
          answer.on('end', () => {
            const kept = Object.entries(answer.headers).filter(([name]) => !changing.has(name));
            resolve({
              status: answer.statusCode,
              headers: Object.fromEntries(kept),
              body: String(Buffer.concat(parts)).replaceAll(changingText, ''),
            });
          });
        },
      );
      call.on('error', reject).end();
    });

  test.each([
    ['without a key, as a program', publicPaths, {}],
    ['without a key, as a browser', publicPaths, { Accept: 'text/html,application/xhtml+xml' }],
    ['with a key', dataPaths, { 'X-API-Key': keys.nordEnterprise }],
  ] as const)('every answer %s is the same', async (_who, paths, headers) => {
    for (const path of paths) {
      const clean = await read(path, headers);
      expect([path, clean.status]).not.toEqual([path, 500]);
      for (const [at, forged] of forgeries.entries())
        expect([path, at, await read(path, { ...headers, ...forged })]).toEqual([path, at, clean]);
    }
  });

  test('no page of the portal repeats a header', async () => {
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'javascript', Forwarded: 'host=evil.example' };
    const operator = await new Operator(service, forged).signIn();
    for (const path of ['/portal', '/portal/customers/nord', '/portal/keys', '/portal/keys/new?customer=nord', '/portal/usage']) {
      const { status, text, headers } = await operator.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(`${text}${JSON.stringify([...headers])}`).not.toMatch(/evil\.example|javascript:/);
    }
  });
});
