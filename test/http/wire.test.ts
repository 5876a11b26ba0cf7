import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { exchange, type WireAnswer } from '../support/wire.ts';

const limit = 100_000;
let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: String(limit) } });
});
afterAll(() => service.stop());

const host = 'Host: localhost\r\n';
const key = `X-API-Key: ${keys.nordEnterprise}\r\n`;
const get = (target: string, headers = `${host}${key}`, version = '1.1') => `GET ${target} HTTP/${version}\r\n${headers}\r\n`;
const ask = async (bytes: string | readonly string[]): Promise<WireAnswer> => {
  const [answer] = (await exchange(service.port, bytes)).filter(({ status }) => status >= 200);
  if (!answer) throw new Error(`The connection was closed without an answer to ${JSON.stringify(bytes).slice(0, 300)}`);
  return answer;
};

/** The limit of the API, and that of pages: `/` is a page (contract: page limit). */
const limits = /^(100000|2000000)$/;

/** The response is never a 5xx and was counted. An error is a problem document. */
const expectSound = ({ status, headers, body }: WireAnswer, isHead = false) => {
  expect(status).toBeLessThan(500);
  expect(headers.get('x-ratelimit-limit')).toMatch(limits);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  if (status < 400 || isHead) return;
  if (headers.get('content-type')?.startsWith('application/json')) {
    expect(Object.keys(JSON.parse(body))).toEqual(['detail']);
    return;
  }
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = JSON.parse(body);
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'instance']);
  expect([problem.type, problem.status]).toEqual(['about:blank', status]);
  expect(problem.instance).not.toContain('?');
};

describe('malformed requests get a problem document too (contract: order of checks; problem documents)', () => {
  test.each<readonly [string, string, number, string]>([
    ['no HTTP', 'NO HTTP AT ALL\r\n\r\n', 400, '/'],
    ['no version', 'GET /catalog\r\n\r\n', 400, '/catalog'],
    ['a version that is none', 'GET /catalog?x=1 HTTP/9.x\r\n\r\n', 400, '/catalog'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, '/'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, '/'],
    ['a header without a colon', get('/catalog?a=b', `${host}nonsense\r\n`), 400, '/catalog'],
    ['a header name with a blank', get('/catalog', `${host}X API: 1\r\n`), 400, '/catalog'],
    ['a control character in a header', get('/catalog', `${host}X-API-Key: a\x01b\r\n`), 400, '/catalog'],
    ['a NUL in the path', get('/cata\0log'), 400, '/cata\0log'],
    ['no Host', get('/catalog?x=1', key), 400, '/catalog'],
    ['two Hosts', get('/catalog?x=1', `${host}${host}${key}`), 400, '/catalog'],
    ['two Hosts over HTTP/1.0', get('/catalog', `${host}${host}${key}`, '1.0'), 400, '/catalog'],
    ['bad percent-encoding', get('/operations/%zz?x=%zz'), 400, '/operations/%zz'],
    ['percent-encoding that is no UTF-8', get('/operations/%FF'), 400, '/operations/%FF'],
    ['half a percent-encoding', get('/raw/%'), 400, '/raw/%'],
    ['two lengths', get('/catalog', `${host}${key}Content-Length: 1\r\nContent-Length: 2\r\n`), 400, '/catalog'],
    ['a length that is none', get('/catalog', `${host}${key}Content-Length: x\r\n`), 400, '/catalog'],
    ['a length and chunks', get('/catalog', `${host}${key}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n`), 400, '/catalog'],
    ['oversized headers', get('/catalog?x=1', `${host}A: ${'a'.repeat(20_000)}\r\n`), 431, '/catalog'],
    ['an oversized path', get(`/${'a'.repeat(20_000)}`), 431, `/${'a'.repeat(20_000)}`],
    ['an unknown expectation', get('/catalog?x=1', `${host}${key}Expect: the-unexpected\r\n`), 417, '/catalog'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405, '/'],
    ['OPTIONS for the server', `OPTIONS * HTTP/1.1\r\n${host}${key}\r\n`, 405, '*'],
    ['TRACE', `TRACE /catalog HTTP/1.1\r\n${host}${key}\r\n`, 405, '/catalog'],
    ['an unknown method', `FOO /catalog?x=1 HTTP/1.1\r\n${host}${key}\r\n`, 405, '/catalog'],
    ['a method in lower case', `get /catalog HTTP/1.1\r\n${host}${key}\r\n`, 405, '/catalog'],
  ])('%s', async (_, bytes, status, instance) => {
    const answer = await ask(bytes);
    expectSound(answer);
    expect([answer.status, JSON.parse(answer.body).instance.slice(0, 15_000)]).toEqual([status, instance.slice(0, 15_000)]);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : undefined);
  });

  test('headers in several pieces', async () => {
    const answer = await ask(['GET /cata', 'log HTTP/1.1\r\nHo', `st: x\r\nA: ${'a'.repeat(9_000)}`, 'b'.repeat(9_000), '\r\n\r\n']);
    expectSound(answer);
    expect(answer.status).toBe(431);
  });
});

describe('unusual but valid requests are answered as usual', () => {
  test.each<readonly [string, string, number]>([
    ['HTTP/1.0 without Host', get('/catalog', key, '1.0'), 200],
    ['HTTP/1.0 with Host', get('/property/properties?limit=1', `${host}${key}`, '1.0'), 200],
    ['absolute form', get('http://localhost/catalog'), 200],
    ['absolute form with another case and a query', get('HTTP://LOCALHOST:80/property/properties?limit=1'), 200],
    ['absolute form of nothing', get('http://localhost/nothing'), 404],
    ['a body on GET', `${get('/catalog', `${host}${key}Content-Type: text/csv\r\nContent-Length: 5\r\n`)}hello`, 200],
    ['chunks on GET', `${get('/catalog', `${host}${key}Transfer-Encoding: chunked\r\n`)}5\r\nhello\r\n0\r\n\r\n`, 200],
    ['Expect: 100-continue', `${get('/catalog', `${host}${key}Content-Length: 2\r\nExpect: 100-continue\r\n`)}{}`, 200],
    ['a very long parameter', get(`/operations/orders?order_number=${'a'.repeat(12_000)}`), 200],
    ['a very long path', get(`/operations/${'a'.repeat(12_000)}`), 404],
    ['many parameters', get(`/operations/orders?limit=1${'&limit=1'.repeat(1_500)}`), 200],
    ['an upgrade', get('/catalog', `${host}${key}Connection: Upgrade\r\nUpgrade: websocket\r\n`), 200],
    ['percent-encoded letters', get('/operations/%6frders?limit=1'), 200],
    ['nothing in the query', get('/catalog?'), 200],
  ])('%s', async (_, bytes, status) => {
    const answer = await ask(bytes);
    expectSound(answer);
    expect(answer.status).toBe(status);
  });

  test('pipelined requests are answered in order', async () => {
    const paths = ['/catalog', '/nothing', '/raw/tables', '/operations/orders?limit=2', '/operations/orders?limit=0'];
    const answers = await exchange(service.port, paths.map((path) => get(path)).join(''), paths.length);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 422]);
    answers.forEach((answer) => void expectSound(answer));
  });

  test('a malformed request after a valid one', async () => {
    const answers = await exchange(service.port, `${get('/catalog')}NO HTTP\r\n\r\n`, 2);
    expect(answers.map(({ status }) => status)).toContain(400);
    answers.forEach((answer) => void expectSound(answer));
  });

  test('HEAD has no body', async () => {
    const [answer] = await exchange(service.port, `HEAD /nothing HTTP/1.1\r\n${host}${key}\r\n`);
    expectSound(answer as WireAnswer, true);
    expect(answer?.status).toBe(404);
  });
});

describe('no request ends the service', () => {
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'QUERY', 'get', 'FOO', 'PROPFIND', '');
  const piece = fc.oneof(
    fc.constantFrom('operations', 'orders', 'raw', 'tables', 'v1', 'catalog', 'meta', 'values', 'status', 'property', 'changes', 'graphql'),
    fc.constantFrom(
      '',
      '.',
      '..',
      '%00',
      '%zz',
      '%',
      '%2F',
      '*',
      '+',
      ';',
      ':',
      '%F0%9F%98%80',
      '%E2%82',
      '__proto__',
      '"',
      '\\',
      '{}',
      '#',
    ),
    fc.string({ maxLength: 5 }),
  );
  const parameter = fc.tuple(
    fc.constantFrom(
      'limit',
      'offset',
      'cursor',
      'since',
      'property_id',
      'order_type',
      'is_insurance_claim',
      'report_date',
      '',
      '%',
      '__proto__',
    ),
    fc.oneof(
      fc.constantFrom(
        '1',
        '0',
        '-1',
        '5.0',
        '1e3',
        '%00',
        '%',
        '%zz',
        '',
        '2024-01-01',
        '2024-02-30',
        'true',
        '99999999999999999999',
        "'",
        '%F0',
      ),
      fc.string({ maxLength: 8 }),
    ),
  );
  const header = fc.constantFrom(
    key,
    key,
    key,
    'X-API-Key: x\r\n',
    'Accept-Encoding: gzip;q=x, br\r\n',
    'If-None-Match: *\r\n',
    'If-None-Match: "x", W/"y\r\n',
    'Range: bytes=0-1\r\n',
    'Content-Length: 3\r\n',
    'Content-Type: application/json\r\n',
    'Origin: null\r\n',
    'X-Forwarded-For: x\r\n',
    'Cookie: =;=\r\n',
    'X-HTTP-Method-Override: DELETE\r\n',
    'Accept: nothing/at+all\r\n',
    'A\r\n',
    ': b\r\n',
  );
  const request = fc
    .record({
      method,
      path: fc.array(piece, { maxLength: 5 }),
      query: fc.array(parameter, { maxLength: 4 }),
      version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '2.0', ''),
      hosts: fc.constantFrom(host, host, host, '', host + host),
      headers: fc.array(header, { maxLength: 4 }),
    })
    .map(({ method, path, query, version, hosts, headers }) => {
      const target = `/${path.join('/')}${query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : ''}`;
      return `${method} ${target} HTTP/${version}\r\n${hosts}${[...new Set(headers)].join('')}Connection: close\r\n\r\n`;
    });

  test('300 random requests all get a response, never a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const answers = await exchange(service.port, bytes);
        expect(answers.length).toBeGreaterThan(0);
        for (const answer of answers) expectSound(answer, bytes.startsWith('HEAD '));
      }),
      { numRuns: 300, seed: 20_260 },
    );
    expect((await service.get('/catalog')).status).toBe(200);
  }, 60_000);
});
