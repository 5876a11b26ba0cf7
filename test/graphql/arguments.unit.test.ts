import { buildSchema, type FieldNode, getArgumentValues, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createArguments } from '../../src/graphql/selection/fields.ts';

const schema = buildSchema(`
  enum Direction { ASC DESC }
  input Step { column: String!, direction: Direction = ASC }
  input Filter { eq: Int, among: [Int!], note: String = "none", and: [Filter!], or: [Filter] }
  type Query { rows(filter: Filter, orderBy: [Step!], first: Int = 100, ids: [ID!], must: Int! = 1, needed: Int!): Int }
`);
const field = schema.getQueryType()!.getFields().rows!;

/** The arguments by GraphQL and by the cached field for each set of variables, in order. */
const compare = (document: string, given: readonly Readonly<Record<string, unknown>>[]) => {
  const operation = parse(document).definitions[0] as OperationDefinitionNode;
  const node = operation.selectionSet.selections[0] as FieldNode;
  const argumentsOf = createArguments(field, node);
  const readOutcome = (read: () => unknown) => {
    try {
      return JSON.parse(JSON.stringify(read()));
    } catch (error) {
      return (error as Error).message;
    }
  };
  // Twice, because the first call fills the cache.
  return [...given, ...given].map((variables) => {
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    expect(errors).toBeUndefined();
    return { now: readOutcome(() => argumentsOf(coerced!)), by: readOutcome(() => getArgumentValues(field, node, coerced)) };
  });
};

describe('equal those of GraphQL', () => {
  test.each([
    ['no variables', '{ rows(filter: { eq: 1, among: 2, and: { eq: 3 } }, orderBy: { column: "a" }, needed: 1) }', [{}]],
    ['none at all, where one is needed', '{ rows }', [{}]],
    [
      'a whole argument',
      'query ($f: Filter, $n: Int!) { rows(filter: $f, needed: $n) }',
      [{ n: 1 }, { n: 2, f: null }, { n: 3, f: { eq: 4 } }, { n: 4, f: { and: [{ among: [1, 2] }, { note: null }] } }],
    ],
    [
      'deep in lists and objects',
      `query ($a: Int, $b: [Int!], $c: Direction, $d: String!) {
      rows(filter: { and: [{ eq: $a }, { or: [{ among: $b }, null] }], or: { eq: $a } }, orderBy: [{ column: $d, direction: $c }], needed: 1) }`,
      [
        { d: 'x' },
        { a: 1, b: [1, 2], c: 'DESC', d: 'x' },
        { a: 2, b: [], c: 'ASC', d: '' },
        { a: null, b: null, c: 'DESC', d: 'x' },
        { a: 0, d: 'y' },
      ],
    ],
    [
      'items of a list',
      'query ($a: ID!, $b: ID!) { rows(ids: [$a, "k", $b, $a], needed: 1) }',
      [
        { a: '1', b: '2' },
        { a: 3, b: 'x' },
      ],
    ],
    [
      'defaults',
      'query ($a: Int = 7, $m: Int) { rows(first: $a, must: $m, needed: $a) }',
      [{}, { a: 8 }, { a: null }, { m: null }, { m: 2 }],
    ],
  ])('%s', (_what, document, given) => {
    for (const { now, by } of compare(document, given)) expect(now).toEqual(by);
  });
});

test('the arguments of one request are not used for the next one', () => {
  const given = [{ n: 1, f: { eq: 1 } }, { n: 2, f: { eq: 2 } }, { n: 3 }, { n: 4, f: { eq: 4 } }];
  const answers = compare('query ($f: Filter, $n: Int!) { rows(filter: { or: [$f] }, needed: $n) }', given);
  expect(answers.slice(0, 4).map(({ now }) => now.needed)).toEqual([1, 2, 3, 4]);
  for (const { now, by } of answers) expect(now).toEqual(by);
});
