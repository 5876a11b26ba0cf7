/** Variables are coerced like in GraphQL. Coercion stops after the first errors (contract: GraphQL errors; document limits). */
import { buildSchema, type GraphQLScalarType, type GraphQLSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { coerceVariables } from '../../src/graphql/document/variables.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';

const own = createSchema(catalogue, 'enterprise');
const small = buildSchema(`
  scalar Counted
  enum Color { RED GREEN }
  input Inner { a: Int! b: [Int!] c: Color = RED }
  input Choice @oneOf { a: Int b: String }
  type Query { f(inner: Inner, inners: [[Inner]], choice: Choice, counted: [Counted], id: ID, flag: Boolean!, n: Float): Int }
`);
const operationOf = (text: string) => parse(text).definitions[0] as OperationDefinitionNode;

const coerced = (schema: GraphQLSchema, text: string, values: Readonly<Record<string, unknown>>) => {
  const operation = operationOf(text);
  const expected = getVariableValues(schema, operation.variableDefinitions ?? [], values, { hideSuggestions: true });
  return { ...coerceVariables(schema, operation, values), expected };
};

describe('values', () => {
  const filter = 'query ($f: OrderFilter, $n: Int = 5, $o: [OrderOrderBy!]) { __typename }';
  const inner = 'query ($i: Inner, $l: [[Inner]], $c: Choice, $id: ID, $b: Boolean! = true, $n: Float) { f }';
  test.each<[string, GraphQLSchema, string, Record<string, unknown>]>([
    ['none', own, filter, {}],
    ['null', own, filter, { f: null, n: null, o: null }],
    ['a filter', own, filter, { f: { subject: { eq: 'x' }, orderId: { in: [1, 2] }, and: [{ not: {} }], or: null }, n: 3 }],
    ['one for a list', own, filter, { f: { and: { orderId: { in: 1 } } } }],
    ['defaults of fields', small, inner, { i: { a: 1 }, l: [[{ a: 1, c: 'GREEN' }, null], null] }],
    ['lists of one, twice', small, inner, { l: { a: 1, b: 2 } }],
    ['a choice', small, inner, { c: { b: 'x' } }],
    ['scalars', small, inner, { id: 7, n: 1, b: false }],
    ['names that are not asked for', small, inner, { nothing: { a: 1 } }],
  ])('%s', (_name, schema, text, values) => {
    const { variables, errors, expected } = coerced(schema, text, values);
    expect(errors).toEqual([]);
    expect(variables).toEqual(expected.coerced);
    expect(JSON.stringify(variables)).toBe(JSON.stringify(expected.coerced));
  });

  test.each<[string, Record<string, unknown>]>([
    ['a type', { i: 'x' }],
    ['a list for an object', { i: [{ a: 1 }] }],
    ['an object for a scalar', { id: { a: 1 } }],
    ['a list for a scalar', { n: [1, 2] }],
    ['a missing field', { i: {} }],
    ['a null that is not allowed', { i: { a: null } }],
    ['a null in a list', { i: { a: 1, b: [null] } }],
    ['a variable that may not be null', { b: null }],
    ['an unknown field', { i: { a: 1, d: 1 } }],
    ['a name of every object', { i: { a: 1, constructor: 1 } }],
    ['no member of an enum', { i: { a: 1, c: 'BLUE' } }],
    ['two choices', { c: { a: 1, b: 'x' } }],
    ['no choice', { c: {} }],
    ['a choice of null', { c: { a: null } }],
    ['a number for text', { c: { b: 1 } }],
  ])('%s is an error, like in GraphQL', (_name, values) => {
    const { errors, expected } = coerced(small, inner, values);
    expect(expected.errors?.length).toBeGreaterThan(0);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]!.message.split(/ (?:got|of) /)[0]).toBe(expected.errors![0]!.message.split(/ (?:got|of) /)[0]);
  });
});

test('after five errors no further value is checked', () => {
  let parsed = 0;
  (small.getType('Counted') as GraphQLScalarType).parseValue = () => {
    parsed++;
    throw new Error('No value is one of these');
  };
  const operation = operationOf('query ($c: [Counted]) { f }');
  const { errors } = coerceVariables(small, operation, { c: Array.from({ length: 10_000 }, (_, i) => i) });
  expect([errors.length, parsed]).toEqual([5, 5]);
});

test('at most as many fields are checked as the type has', () => {
  const fields = own.getType('OrderFilter') as { getFields?: () => object };
  expect(Object.keys(fields.getFields!()).length).toBeGreaterThan(60);
  const operation = operationOf('query ($f: OrderFilter) { __typename }');
  coerceVariables(own, operation, { f: {} });
  const { getFields } = fields;
  let asked = 0;
  fields.getFields = () => {
    asked++;
    return getFields!.call(fields);
  };
  try {
    coerceVariables(own, operation, { f: { or: Array.from({ length: 5_000 }, () => ({})) } });
  } finally {
    delete fields.getFields;
  }
  expect(asked).toBe(0);
});

test('more values than the limit are refused before coercion', () => {
  const operation = operationOf('query ($f: OrderFilter) { __typename }');
  const values = { f: { or: Array.from({ length: 20_000 }, () => ({})) } };
  expect(() => coerceVariables(own, operation, values)).toThrow('The document exceeds the limit of 20000 for inputs: it has 20001');
});
