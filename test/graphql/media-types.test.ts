/**
 * Every media type that a client accepts or sends, with every method and kind of body, in pairs, answered from the cache and without it. The expected
 * answers are written by hand (contract: GraphQL requests).
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

const [json, graphql, events] = ['application/json', 'application/graphql-response+json', 'text/event-stream'] as const;
type Type = typeof json | typeof graphql | typeof events;

/** What clients accept, and the media type of their answers. Undefined: none of them. */
const accepted: readonly (readonly [header: string | undefined, type: Type | undefined])[] = [
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['Application/JSON', json],
  ['application/json; charset=utf-8', json],
  ['APPLICATION/GRAPHQL-RESPONSE+JSON', graphql],
  [`${graphql}, ${json};q=0.9`, graphql],
  [`${graphql},${json}`, graphql],
  [`${json}, ${graphql}`, json],
  [`${graphql};q=0.1, ${json};q=0.9`, json],
  [`${json};q=0.1, ${graphql};q=0.2`, graphql],
  [`${json};q=0, */*`, graphql],
  [`application/*;q=0.5, ${json};q=0.1`, graphql],
  [`${graphql}, application/graphql+json, ${json}, ${events}, multipart/mixed`, graphql],
  [`multipart/mixed;deferSpec=20220824,${graphql},${json};q=0.9`, graphql],
  [`multipart/mixed;boundary="graphql";subscriptionSpec="1.0", ${json}`, json],
  [events, events],
  ['Text/Event-Stream', events],
  ['text/*', events],
  [`${events}, ${json};q=0.5`, events],
  [`${events};q=0.5, ${json}`, json],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
  ['text/csv', undefined],
  ['application/xml', undefined],
  ['multipart/mixed', undefined],
  [`${json};q=0`, undefined],
  ['nonsense', undefined],
];

/** What clients send, and whether the service takes it. */
const sent: readonly (readonly [header: string | undefined, isTaken: boolean])[] = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset=UTF-8', true],
  ['application/json; charset="utf-8"', true],
  ['Application/Json', true],
  ['APPLICATION/JSON;CHARSET=utf-8', true],
  ['application/json; charset=utf-16', false],
  ['application/json5', false],
  ['application/graphql', false],
  ['application/graphql-response+json', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['text/plain', false],
  [undefined, false],
];

interface Expected {
  /** The status where errors have statuses. */
  readonly status: number;
  /** The status for the other media types, if it is not 200. */
  readonly always?: number;
  readonly data: 'present' | 'null' | 'absent';
  readonly code?: string;
}

const rows = '{ orders(first: 2) { nodes { orderId subject } totalCount } }';
const missing: Expected = { status: 400, always: 400, data: 'absent', code: 'BAD_REQUEST' };
const answered: Expected = { status: 200, data: 'present' };

const bodies: Readonly<Record<string, readonly [body: string, expected: Expected]>> = {
  rows: [JSON.stringify({ query: rows }), answered],
  'null for what is not given': [JSON.stringify({ query: rows, variables: null, operationName: null, extensions: null }), answered],
  'what no data version covers': ['{"query":"{ catalog { category } }"}', answered],
  'no GraphQL': ['{"query":"{ orders"}', { status: 400, data: 'absent', code: 'GRAPHQL_PARSE_FAILED' }],
  'an unknown field': ['{"query":"{ nothing }"}', { status: 400, data: 'absent', code: 'GRAPHQL_VALIDATION_FAILED' }],
  'a limit': [JSON.stringify({ query: `{ ${'__typename '.repeat(2_001)} }` }), { status: 400, data: 'absent', code: 'LIMIT_EXCEEDED' }],
  'a variable that is missing': [
    '{"query":"query ($n: Int!) { orders(first: $n) { totalCount } }"}',
    { status: 400, data: 'absent', code: 'INVALID_PARAMETER' },
  ],
  'an argument beyond its bounds': [
    '{"query":"{ orders(first: 0) { totalCount } }"}',
    { status: 200, data: 'null', code: 'INVALID_PARAMETER' },
  ],
  'an unknown hash': [
    JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } }),
    { status: 200, data: 'absent', code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
  ],
  'no document': ['{}', missing],
  'a document that is a number': ['{"query":1}', missing],
  'variables that are a list': [JSON.stringify({ query: rows, variables: [] }), missing],
  'a parameter too many': [JSON.stringify({ query: rows, more: 1 }), missing],
  'a list of requests': [JSON.stringify([{ query: rows }]), missing],
  'a word': ['"query"', missing],
  'no JSON': ['{"query":', missing],
  nothing: ['', missing],
};

const hash = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } });
const queries: Readonly<Record<string, readonly [query: Readonly<Record<string, string>>, expected: Expected]>> = {
  rows: [{ query: rows }, answered],
  variables: [{ query: 'query ($n: Int) { orders(first: $n) { totalCount } }', variables: '{"n":3}' }, answered],
  'empty parameters': [{ query: rows, variables: '', operationName: '', extensions: '' }, answered],
  'a parameter of a proxy': [{ query: rows, utm_source: 'mail' }, answered],
  'variables that are not JSON': [{ query: rows, variables: '{x' }, missing],
  'extensions that are not JSON': [{ query: rows, extensions: '{' }, missing],
  'variables that are a list': [{ query: rows, variables: '[]' }, missing],
  'an unknown hash': [{ extensions: hash }, { status: 200, data: 'absent', code: 'PERSISTED_QUERY_NOT_SUPPORTED' }],
  'no GraphQL': [{ query: '{' }, { status: 400, data: 'absent', code: 'GRAPHQL_PARSE_FAILED' }],
};

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<Response> =>
  new Promise((resolve, reject) => {
    const call = httpRequest(
      service.url + path,
      { method, agent, headers: { 'X-API-Key': keys.nordEnterprise, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    call.on('error', reject).end(body);
  });

const without = ({ headers, ...rest }: Response): object => {
  const { date: _date, 'x-request-id': _id, 'server-timing': _timing, ...others } = headers;
  return { ...rest, headers: others };
};

/** The JSON of an answer in its framing. */
const resultIn = (type: Type, text: string): Record<string, unknown> => {
  if (type !== events) return JSON.parse(text);
  const [, data] = /^event: next\ndata: (.+)\n\nevent: complete\ndata:\n\n$/.exec(text) ?? [];
  return JSON.parse(data ?? 'no event stream');
};

const expectProblem = ({ status, headers, text }: Response, expected: number): void => {
  expect([status, headers['content-type'], JSON.parse(text).status]).toEqual([
    expected,
    'application/problem+json; charset=utf-8',
    expected,
  ]);
};

const expectAnswer = ({ status, headers, text }: Response, type: Type, { status: own, always = 200, data, code }: Expected): void => {
  expect(headers['content-type']).toBe(type === events ? events : `${type}; charset=utf-8`);
  expect(headers.vary).toContain('Accept,'.slice(0, -1));
  expect(status).toBe(type === graphql ? own : always);
  const result = resultIn(type, text);
  expect('data' in result ? (result.data === null ? 'null' : 'present') : 'absent').toBe(data);
  expect((result.errors as { extensions: object }[] | undefined)?.map(({ extensions }) => extensions)).toEqual(code && [{ code }]);
};

/** Sends a request twice: the second answer can come from the cache. */
const twice = async (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Response> => {
  const [first, second] = [await send(method, path, headers, body), await send(method, path, headers, body)];
  expect(without(second)).toEqual(without(first));
  return first;
};

const acceptHeaders = (header: string | undefined): Record<string, string> => (header === undefined ? {} : { Accept: header });

/** One header for each type of an answer, and one that none meets. */
const oneOfEach = accepted.filter(([, type], index) => accepted.findIndex((each) => each[1] === type) === index);

describe.each(Object.entries(bodies))('POST: %s', (name, [body, expected]) => {
  test.each(sent)('as %s', async (contentType, isTaken) => {
    // Each pair of a body, a type that is sent and a type that is accepted occurs. All combinations would take four times as long.
    for (const [accept, type] of name === 'rows' || contentType === json ? accepted : oneOfEach) {
      const headers = { ...acceptHeaders(accept), ...(contentType === undefined ? {} : { 'Content-Type': contentType }) };
      const response = await twice('POST', '/graphql', headers, body);
      if (!isTaken) expectProblem(response, 415);
      else if (type === undefined) expectProblem(response, 406);
      else expectAnswer(response, type, expected);
    }
  });
});

test.each(Object.entries(queries))('GET: %s', async (_name, [query, expected]) => {
  for (const [accept, type] of accepted) {
    // A browser that opens the address without a document gets GraphiQL.
    if (accept?.includes('text/html') && query.query === undefined) continue;
    const response = await twice('GET', `/graphql?${new URLSearchParams(query)}`, acceptHeaders(accept));
    if (type === undefined) expectProblem(response, 406);
    else expectAnswer(response, type, expected);
  }
});

test('of a repeated parameter the first one counts', async () => {
  const path = `/graphql?query=${encodeURIComponent('{ __typename }')}&query=${encodeURIComponent('{ nothing }')}`;
  expect(JSON.parse((await send('GET', path, {})).text)).toEqual({ data: { __typename: 'Query' } });
});

test('a browser gets GraphiQL, whatever the letter case of its types', async () => {
  const { status, headers } = await send('GET', '/graphql', { Accept: 'Text/HTML,*/*;q=0.8' });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test.each(['PUT', 'DELETE', 'PATCH', 'HEAD'])('%s is refused', async (method) => {
  for (const [accept] of accepted) expect((await send(method, '/graphql', acceptHeaders(accept))).status).toBe(405);
});
