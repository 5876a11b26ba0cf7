/** Which requests are executed without Yoga (contract: GraphQL requests). */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { JsonBody } from '../../src/graphql/document/json-body.ts';
import { type PlainRequest, ValidatedDocuments } from '../../src/graphql/document/known-documents.ts';

const text = '{ orders { totalCount } }';
const document = parse(text);
const headers = { 'content-type': 'application/json; charset=utf-8' };
const json = (value: unknown) => new JsonBody(JSON.stringify(value));
const plain: PlainRequest = {
  method: 'POST',
  url: '/graphql',
  contentType: 'application/json',
  accept: '*/*',
  body: json({ query: text, variables: { a: 1 } }),
};
const before = new ValidatedDocuments(new Map([[text, document]]));
const known = new ValidatedDocuments(new Map([[text, document]]));
known.answered(plain, headers);

test('a valid cached document, requested with a known Accept header', () => {
  expect(before.find(plain)).toBeUndefined();
  before.answered(plain, headers);
  expect(before.find(plain)).toEqual({ document, headers, operationName: undefined, variableValues: { a: 1 } });
});

test.each<[what: string, change: Partial<PlainRequest>]>([
  ['another method', { method: 'GET' }],
  ['another address', { url: '/graphql?query=x' }],
  ['another type', { contentType: 'application/json; charset=latin1' }],
  ['another Accept header', { accept: 'application/json' }],
  ['no body', { body: undefined }],
  ['a body that is no JSON', { body: new JsonBody('{') }],
  ['a body that is no object', { body: json([]) }],
  ['another document', { body: json({ query: `${text} ` }) }],
  ['a parameter that may ask for more', { body: json({ query: text, extensions: {} }) }],
  ['variables that are none', { body: json({ query: text, variables: 'x' }) }],
])('%s goes to Yoga', (_what, change) => {
  expect(known.find(plain)).toBeDefined();
  expect(known.find({ ...plain, ...change })).toBeUndefined();
});

test('only headers of every response are cached', () => {
  const after = new ValidatedDocuments(new Map([[text, document]]));
  after.answered(plain, { ...headers, 'retry-after': '5', 'set-cookie': 'a=b' });
  expect(after.find(plain)?.headers).toEqual(headers);
});

test('an invalid body is parsed once', () => {
  const body = new JsonBody('{');
  const attempt = (): unknown => {
    try {
      return body.parse();
    } catch (error) {
      return error;
    }
  };
  expect(attempt()).toBeInstanceOf(SyntaxError);
  expect(attempt()).toBe(attempt());
});
