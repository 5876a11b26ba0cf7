/** Conflicts between fields of one name are those of GraphQL's own rule, in linear time. */
import {
  buildSchema,
  type DocumentNode,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  print,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { conflictOf } from '../../src/graphql/document/merging.ts';

const schema = buildSchema(`
  interface Named { name: String named(first: Int, where: Where): [Named!] }
  input Where { a: Int b: [String] }
  type Query { thing: Thing other: Other any: Any named(first: Int, where: Where): [Named!] }
  union Any = Thing | Other
  type Thing implements Named { name: String value: Int thing(a: Int, b: String): Thing other: Other list: [Other] named(first: Int, where: Where): [Named!] any: Any }
  type Other implements Named { name: String value: String thing(a: Int, b: String): Other other: Thing list: [Other!] named(first: Int, where: Where): [Named!] any: Any }
`);

const otherRules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const isOtherwiseValid = (document: DocumentNode): boolean => validate(schema, document, otherRules).length === 0;

const isSame = (document: DocumentNode): boolean =>
  (conflictOf(schema, document) === undefined) === (validate(schema, document, [OverlappingFieldsCanBeMergedRule]).length === 0);

/** Seeded random integers. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Random = ReturnType<typeof randomFrom>;
const oneOf = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!;

const fieldsOf: Readonly<Record<string, readonly (readonly [field: string, type: string | undefined])[]>> = {
  Query: [
    ['thing', 'Thing'],
    ['other', 'Other'],
    ['any', 'Any'],
    ['named', 'Named'],
    ['named(first: 1)', 'Named'],
  ],
  Any: [['__typename', undefined]],
  Named: [
    ['name', undefined],
    ['named', 'Named'],
    ['named(first: 1, where: { a: 1, b: ["x"] })', 'Named'],
    ['named(where: { b: ["x"], a: 1 }, first: 1)', 'Named'],
  ],
  Thing: [
    ['name', undefined],
    ['value', undefined],
    ['thing', 'Thing'],
    ['thing(a: 1)', 'Thing'],
    ['thing(b: "1")', 'Thing'],
    ['other', 'Other'],
    ['list', 'Other'],
    ['any', 'Any'],
    ['named', 'Named'],
  ],
  Other: [
    ['name', undefined],
    ['value', undefined],
    ['thing', 'Other'],
    ['thing(a: 1)', 'Other'],
    ['other', 'Thing'],
    ['list', 'Other'],
    ['any', 'Any'],
    ['named', 'Named'],
  ],
};
const objects = ['Thing', 'Other', 'Named'];

const selection = (random: Random, type: string, depth: number): string => {
  const part = (): string => {
    const choice = random(8);
    if (choice === 0 && type !== 'Query') {
      const inner = oneOf(random, objects);
      return `... on ${inner} { ${selection(random, inner, depth)} }`;
    }
    if (choice === 1) return `... { ${selection(random, type, depth)} }`;
    if (choice === 2 && type !== 'Query') return `...f${random(3)}`;
    const [field, inner] = oneOf(random, fieldsOf[type]!);
    const alias = random(12) === 0 ? `${oneOf(random, ['name', 'value', 'thing', 'x'])}: ` : '';
    if (inner === undefined) return alias + field;
    return depth === 0 ? '__typename' : `${alias}${field} { ${selection(random, inner, depth - 1)} }`;
  };
  return Array.from({ length: 1 + random(3) }, part).join(' ');
};

/** A fragment spreads only later fragments. */
const randomDocument = (seed: number): DocumentNode => {
  const random = randomFrom(seed);
  const fragments = [0, 1, 2].map((index) => {
    const type = oneOf(random, objects);
    const text = selection(random, type, 1).replaceAll(/\.\.\.f(\d)/g, (spread, at) => (Number(at) > index ? spread : '__typename'));
    return `fragment f${index} on ${type} { ${text} }`;
  });
  return parse(`{ ${selection(random, 'Query', 2)} any { ...f0 ...f1 ...f2 } } ${fragments.join(' ')}`);
};

describe('conflicts', () => {
  test('equal those of GraphQL in random documents, some of which have conflicts', () => {
    let [documents, conflicts] = [0, 0];
    for (let seed = 1; documents < 400; seed++) {
      const document = randomDocument(seed);
      if (!isOtherwiseValid(document)) continue;
      documents++;
      expect(isSame(document), print(document)).toBe(true);
      if (conflictOf(schema, document)) conflicts++;
    }
    expect(conflicts).toBeGreaterThan(40);
    expect(conflicts).toBeLessThan(360);
  });

  test.each([
    ['{ thing { x: name x: value } }', 'Fields "x" conflict because "name" and "value" are different fields.'],
    ['{ thing { thing(a: 1) { name } thing(a: 2) { name } } }', 'Fields "thing" conflict because they have differing arguments.'],
    [
      '{ any { ... on Thing { value } ... on Other { value } } }',
      'Fields "value" conflict because they return conflicting types "Int" and "String".',
    ],
  ])('%s', (text, message) => {
    expect(conflictOf(schema, parse(text))?.message).toBe(
      `${message} Use different aliases on the fields to fetch both if this was intentional.`,
    );
  });
});

/** The number of inspections of arguments during validation. */
const looks = (text: string): number => {
  let count = 0;
  const document = visit(parse(text), {
    [Kind.FIELD]: (node) => {
      const { arguments: values } = node;
      return Object.defineProperty({ ...node }, 'arguments', {
        enumerable: true,
        get: () => {
          count++;
          return values;
        },
      });
    },
  });
  count = 0;
  expect(conflictOf(schema, document)).toBeUndefined();
  return count;
};

test.each([
  ['fields of one name', (count: number) => `{ ${'thing { name } '.repeat(count)} }`],
  ['inline fragments', (count: number) => `{ thing { ${'... { name value } '.repeat(count)} } }`],
  ['fragments', (count: number) => `{ thing { ${'thing { ...f } '.repeat(count)} } } fragment f on Thing { name value }`],
])('work is linear in the number of %s', (_name, text) => {
  expect(looks(text(200))).toBeGreaterThan(0);
  expect(looks(text(400))).toBeLessThanOrEqual(2.1 * looks(text(200)));
});
