/**
 * Requests that no ordinary client sends: each gets a GraphQL error or a problem document, and never a 500 (contract: GraphQL requests; problem
 * documents).
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  readonly json: any;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const send = ({ method = 'POST', path = '/graphql', headers = {}, body }: Sent): Promise<Response> =>
  new Promise((resolve, reject) => {
    const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
    const all = { 'X-API-Key': keys.nordEnterprise, ...type, ...headers };
    const call = httpRequest(service.url + path, { method, agent, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) });
      });
    });
    call.on('error', reject).end(body);
  });

const typename = '{ __typename }';
const answered = { data: { __typename: 'Query' } };
const refusal = (code: string) => ({ errors: [{ extensions: { code } }] });
const get = (query: string): Sent => ({ method: 'GET', path: `/graphql?${query}` });
const encoded = encodeURIComponent(typename);
const list = (length: number, make: (index: number) => string): string => Array.from({ length }, (_, index) => make(index)).join();
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const graphqlAnswers: readonly (readonly [string, Sent, number, object])[] = [
  ['half of a body', { body: '{"query":"{ __typename }"' }, 400, refusal('BAD_REQUEST')],
  ['a body with a byte order mark', { body: '\uFEFF{"query":"{ __typename }"}' }, 400, refusal('BAD_REQUEST')],
  ['null', { body: 'null' }, 400, refusal('BAD_REQUEST')],
  ['brackets in brackets', { body: nested(100_000) }, 400, refusal('BAD_REQUEST')],
  ['an empty list of requests', { body: '[]' }, 400, refusal('BAD_REQUEST')],
  ['a list of 1,000 requests', { body: `[${list(1_000, () => '{"query":"{ __typename }"}')}]` }, 400, refusal('BAD_REQUEST')],
  ['a member twice', { body: '{"query":"{ nothing }","query":"{ __typename }"}' }, 200, answered],
  ['__proto__ beside the document', { body: '{"query":"{ __typename }","__proto__":{"query":"{ x }"}}' }, 400, refusal('BAD_REQUEST')],
  ['__proto__ instead of the document', { body: '{"__proto__":{"query":"{ __typename }"}}' }, 400, refusal('BAD_REQUEST')],
  ['constructor as a member', { body: '{"query":"{ __typename }","constructor":1}' }, 400, refusal('BAD_REQUEST')],
  ['__proto__ as a variable', { body: '{"query":"{ __typename }","variables":{"__proto__":{"a":1}}}' }, 200, answered],
  [
    '__proto__ as a name of the operation',
    { body: '{"query":"{ __typename }","operationName":"__proto__"}' },
    200,
    refusal('OPERATION_RESOLUTION_FAILURE'),
  ],
  ['a name of an operation that is a list', { body: '{"query":"{ __typename }","operationName":["a"]}' }, 400, refusal('BAD_REQUEST')],
  ['a document that is an object', { body: '{"query":{"kind":"Document","definitions":[]}}' }, 400, refusal('BAD_REQUEST')],
  ['a document that is false', { body: '{"query":false}' }, 400, refusal('BAD_REQUEST')],
  ['an empty document', { body: '{"query":""}' }, 400, refusal('BAD_REQUEST')],
  ['a document of spaces', { body: '{"query":"  "}' }, 200, refusal('GRAPHQL_PARSE_FAILED')],
  ['a document of fragments', { body: '{"query":"fragment f on Query { __typename }"}' }, 200, refusal('OPERATION_RESOLUTION_FAILURE')],
  [
    'no operation of the name',
    { body: '{"query":"query A { __typename }","operationName":"B"}' },
    200,
    refusal('OPERATION_RESOLUTION_FAILURE'),
  ],
  ['no choice', { body: '{"query":"query A { __typename } query B { __typename }"}' }, 200, refusal('OPERATION_RESOLUTION_FAILURE')],
  ['extensions of 200 KB', { body: `{"query":"{ __typename }","extensions":{"x":"${'x'.repeat(200_000)}"}}` }, 200, answered],
  ['extensions that are a list', { body: '{"query":"{ __typename }","extensions":[]}' }, 400, refusal('BAD_REQUEST')],
  [
    'a hash that is an object',
    { body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":{"toString":1}}}}' },
    400,
    refusal('BAD_REQUEST'),
  ],
  [
    'a hash that is a name of JavaScript',
    { body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"constructor"}}}' },
    200,
    refusal('PERSISTED_QUERY_NOT_SUPPORTED'),
  ],
  ['a persisted operation that is null', { body: '{"extensions":{"persistedQuery":null}}' }, 400, refusal('BAD_REQUEST')],
  ['20,000 variables', { body: `{"query":"{ __typename }","variables":{${list(20_000, (i) => `"v${i}":1`)}}}` }, 200, answered],
  [
    '20,001 variables',
    { body: `{"query":"{ __typename }","variables":{${list(20_001, (i) => `"v${i}":1`)}}}` },
    200,
    refusal('LIMIT_EXCEEDED'),
  ],
  [
    'variables that are nested deeply',
    { body: `{"query":"{ __typename }","variables":{"v":${nested(1_000)}}}` },
    200,
    refusal('LIMIT_EXCEEDED'),
  ],
  [
    'bytes that are no UTF-8',
    {
      body: Buffer.concat([Buffer.from('{"query":"{ __typename }","operationName":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
    },
    200,
    refusal('OPERATION_RESOLUTION_FAILURE'),
  ],
  [
    'half of a surrogate pair',
    { body: '{"query":"{ __typename }","operationName":"\\ud800"}' },
    200,
    refusal('OPERATION_RESOLUTION_FAILURE'),
  ],
  ['the character 0 in a document', { body: '{"query":"{ __typename \\u0000 }"}' }, 200, refusal('GRAPHQL_PARSE_FAILED')],
  ['a mutation by POST', { body: '{"query":"mutation { a }"}' }, 200, refusal('INVALID_PARAMETER')],
  ['a subscription by POST', { body: '{"query":"subscription { a }"}' }, 200, refusal('INVALID_PARAMETER')],
  ['a subscription by GET', get(`query=${encodeURIComponent('subscription { a }')}`), 200, refusal('INVALID_PARAMETER')],
  ['a GET without a document', get(''), 400, refusal('BAD_REQUEST')],
  ['a GET that ends like a health check', get(`query=${encoded}&path=/health`), 200, answered],
  ['a GET with a percent sign', get(`query=${encoded}&variables=%`), 400, refusal('BAD_REQUEST')],
  ['a GET with bytes that are no UTF-8', get(`query=${encoded}&operationName=%ff%c0`), 200, refusal('OPERATION_RESOLUTION_FAILURE')],
  ['a GET with variables that are a number', get(`query=${encoded}&variables=1`), 400, refusal('BAD_REQUEST')],
  ['a GET with variables that are null', get(`query=${encoded}&variables=null`), 200, answered],
  ['a GET with 1,000 parameters', get(`query=${encoded}&${list(1_000, (i) => `q${i}=1`).replaceAll(',', '&')}`), 200, answered],
  ['an encoded path', { method: 'GET', path: `/%67raphql?query=${encoded}` }, 200, answered],
  ['a host that is no host', { body: '{"query":"{ __typename }"}', headers: { Host: 'a b:c]' } }, 200, answered],
  ['a body of a GET', { ...get(`query=${encoded}`), headers: { 'Content-Length': '2' }, body: '{}' }, 200, answered],
];

test.each(graphqlAnswers)('%s', async (_name, sent, status, expected) => {
  const answer = await send(sent);
  expect(answer.json).toMatchObject(expected);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
});

describe('a mutation by GET', () => {
  const path = `/graphql?query=${encodeURIComponent('mutation { a }')}`;

  test.each(['application/json', 'application/graphql-response+json', 'text/event-stream'])('is a 405 as %s', async (Accept) => {
    const call = await fetch(service.url + path, { headers: { 'X-API-Key': keys.nordEnterprise, Accept } });
    expect([call.status, call.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await call.text()).toContain('"extensions":{"code":"BAD_REQUEST"}');
  });

  test('is none if the operation of the name is a query', async () => {
    const query = encodeURIComponent('query A { __typename } mutation B { a }');
    expect(await send(get(`query=${query}&operationName=A`))).toMatchObject({ status: 200, json: answered });
    expect((await send(get(`query=${query}&operationName=B`))).status).toBe(405);
  });
});

const problems: readonly (readonly [string, Sent, number])[] = [
  ['a body above 256 KB', { body: `{"query":"{ __typename }","extensions":{"x":"${'x'.repeat(262_144)}"}}` }, 413],
  ['a form with files', { body: '--x\r\n\r\n--x--', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }, 415],
  ['a form', { body: `query=${encoded}`, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
  ['a document as text', { body: typename, headers: { 'Content-Type': 'application/graphql' } }, 415],
  ['another type of GraphQL', { body: '{}', headers: { 'Content-Type': 'application/graphql+json' } }, 415],
  ['a list of types', { body: '{}', headers: { 'Content-Type': 'application/json, multipart/form-data' } }, 415],
  ['an unknown charset', { body: '{}', headers: { 'Content-Type': 'application/json; charset=utf-7' } }, 415],
  ['an empty charset', { body: '{}', headers: { 'Content-Type': 'application/json; charset=' } }, 415],
  ['HEAD', { method: 'HEAD' }, 405],
  ['OPTIONS', { method: 'OPTIONS' }, 405],
  ['a path below it', { method: 'GET', path: '/graphql/health' }, 404],
];

test.each(problems)('%s is refused before GraphQL', async (_name, sent, status) => {
  const answer = await send(sent);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json; charset=utf-8']);
  if (sent.method !== 'HEAD') expect(answer.json).toMatchObject({ status });
});

test('the REST requests of a document have the same checks', async () => {
  const path = '/graphql/rest';
  const body = (query: string) => JSON.stringify({ query });
  expect((await send({ path, body: '[]' })).json).toMatchObject(refusal('BAD_REQUEST'));
  expect((await send({ path, body: body('{ nothing }') })).json).toMatchObject(refusal('GRAPHQL_VALIDATION_FAILED'));
  expect((await send({ path, body: body('mutation { a }') })).json).toMatchObject(refusal('INVALID_PARAMETER'));
  expect((await send({ path, body: body('{ orders(first: 1) { nodes { orderId } } }') })).json.data.requests).toHaveLength(1);
});
