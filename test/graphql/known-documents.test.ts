/** A document that was accepted before is neither parsed nor validated again. Its response is the same (contract: GraphQL requests). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0', RATE_LIMIT: '0' } });
});
afterAll(() => service.stop());

const orders = 'query ($n: Int, $after: String) { orders(first: $n, after: $after) { nodes { orderId } pageInfo { endCursor } } }';
const two = 'query A { catalog { table } } query B { orders(first: 1) { totalCount } }';
const both = 'application/graphql-response+json, application/json;q=0.9';

interface Asked {
  readonly body: unknown;
  readonly accept?: string;
  readonly type?: string;
  readonly path?: string;
}

const ask = async ({ body, accept = both, type = 'application/json', path = '/graphql' }: Asked) => {
  const headers = { 'X-API-Key': keys.nordEnterprise, 'Content-Type': type, Accept: accept };
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const passing = ['date', 'x-request-id', 'server-timing'];
  return { status: answer.status, headers: [...answer.headers].filter(([name]) => !passing.includes(name)), text: await answer.text() };
};

const asked: readonly (readonly [string, Asked])[] = [
  ['rows', { body: { query: orders, variables: { n: 3 } } }],
  ['no variables', { body: { query: orders } }],
  ['null for what is not given', { body: { query: orders, variables: null, operationName: null, extensions: null } }],
  ['one of two operations', { body: { query: two, operationName: 'B' } }],
  ['what the service says of itself', { body: { query: two, operationName: 'A' } }],
  ['introspection', { body: { query: '{ __schema { queryType { name } } }' } }],
  ['a client of plain JSON', { body: { query: orders, variables: { n: 2 } }, accept: 'application/json' }],
  ['any media type', { body: { query: orders, variables: { n: 2 } }, accept: '*/*' }],
  ['another spelling of the type', { body: { query: orders }, type: 'application/json; charset=utf-8' }],
  ['an operation that is not there', { body: { query: two, operationName: 'C' } }],
  ['no choice between two operations', { body: { query: two } }],
  ['a variable of another type', { body: { query: orders, variables: { n: 'three' } } }],
  ['an argument beyond its bounds', { body: { query: orders, variables: { n: 0 } } }],
  ['a cursor that is none', { body: { query: orders, variables: { n: 1, after: 'x' } } }],
  ['variables that are a list', { body: { query: orders, variables: [1] } }],
  ['a name that is a number', { body: { query: two, operationName: 1 } }],
  ['a parameter too many', { body: { query: orders, more: 1 } }],
  ['a list of requests', { body: [{ query: orders }] }],
  ['a document that is not valid', { body: { query: '{ orders { nothing } }' } }],
  ['no document', { body: { variables: {} } }],
  ['a query string beside it', { body: { query: orders }, path: '/graphql?operationName=A' }],
];

test.each(asked)('%s: the third response equals the first', async (_what, request) => {
  const first = await ask(request);
  // The document has been accepted by now, whatever the result of this request is.
  for (const query of [orders, two])
    await ask({ ...request, type: 'application/json', path: '/graphql', body: { query, operationName: query === two ? 'B' : null } });
  for (let time = 0; time < 2; time++) expect(await ask(request)).toEqual(first);
});
