/** The response to an invalid request is short, whatever the number of errors (contract: GraphQL errors; wrong parameters). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invalidRequests } from '../../bench/neighbours/invalid-requests.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { ask } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
});
afterAll(() => service.stop());

interface Told {
  readonly message: string;
  readonly locations?: readonly object[];
}

test.each(invalidRequests().map((request) => [request.name, request] as const))('%s', async (_name, { path, body }) => {
  const type = { 'Content-Type': 'application/json' };
  const post = body && { method: 'POST', body: body(1) };
  const answer = await fetch(service.url + path, { ...post, headers: { 'X-API-Key': keys.nordEnterprise, ...(post && type) } });
  const text = await answer.text();
  expect(answer.status).toBeLessThan(500);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
  const { errors = [] } = JSON.parse(text) as { errors?: readonly Told[] };
  expect(errors.slice(1).some(({ message }) => message.includes('Did you mean'))).toBe(false);
  expect(errors.length).toBeLessThanOrEqual(6);
  for (const { message, locations = [] } of errors) {
    expect(message.length).toBeLessThanOrEqual(200);
    expect(locations.length).toBeLessThanOrEqual(2);
  }
});

test('the first five errors are reported, and that there are more', async () => {
  const { errors } = await ask(service, '{\n  orders { a\n b c d e f g } }');
  expect(errors.map(({ message }) => message)).toEqual([
    ...['a', 'b', 'c', 'd', 'e'].map((name) => `Cannot query field "${name}" on type "OrderConnection".`),
    'Too many validation errors, error limit reached. Validation aborted.',
  ]);
  expect(errors[1]).toEqual({
    message: 'Cannot query field "b" on type "OrderConnection".',
    locations: [{ line: 3, column: 2 }],
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('only the first error suggests other names', async () => {
  const { errors } = await ask(service, '{ orders(first: 1) { nodez { orderId } } orderz { totalCount } }');
  expect(errors.map(({ message }) => message)).toEqual([
    'Cannot query field "nodez" on type "OrderConnection". Did you mean "nodes"?',
    'Cannot query field "orderz" on type "Query".',
  ]);
  expect(errors[0]).toMatchObject({ locations: [{ line: 1, column: 22 }], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
});

test('a suggestion has only names that the key may read', async () => {
  const suggested = async (key: string) => (await ask(service, '{ orderz { totalCount } }', { key })).errors[0].message;
  expect(await suggested(keys.nordEnterprise)).toBe(
    'Cannot query field "orderz" on type "Query". Did you mean "orders", "offers", or "owner"?',
  );
  expect(await suggested(keys.nordBasic)).toBe('Cannot query field "orderz" on type "Query".');
});

test('a repeated document is refused with the same errors', async () => {
  const answers = [await ask(service, '{ nothing }'), await ask(service, '{ nothing }')];
  expect(answers[0]!.errors).toHaveLength(1);
  expect(answers[1]).toMatchObject({ status: 400, errors: answers[0]!.errors });
  const syntax = [await ask(service, '{ nothing'), await ask(service, '{ nothing')];
  expect(syntax[0]!.errors).toEqual([
    {
      message: 'Syntax Error: Expected Name, found <EOF>.',
      locations: [{ line: 1, column: 10 }],
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    },
  ]);
  expect(syntax[1]).toMatchObject({ status: 400, errors: syntax[0]!.errors });
});

test('the path of an error is omitted if it is long', async () => {
  const alias = 'a'.repeat(20_000);
  const { errors } = await ask(service, `{ ${alias}: orders(first: -1) { totalCount } }`);
  expect(errors[0].message).toContain('first:');
  expect(errors[0].path).toBeUndefined();
});

test('values of variables are shortened, and their path is reported', async () => {
  const { errors } = await ask(service, 'query ($filter: OrderFilter) { orders(filter: $filter) { totalCount } }', {
    variables: { filter: { and: [{ subject: { eq: { a: 1 } } }, { orderId: { eq: 'x'.repeat(1_000) } }] } },
  });
  expect(errors.map(({ message }) => message)).toEqual([
    'Variable "$filter" got invalid value {…} at "filter.and[0].subject.eq"; Expected type "String".',
    expect.stringMatching(/^Variable "\$filter" got invalid value "x{49}…" at "filter\.and\[1\]\.orderId\.eq"; .*…$/),
  ]);
});
