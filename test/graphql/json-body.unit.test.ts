/** The parts of a JSON text are counted as the parser would find them (contract: document limits). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBody } from '../../src/graphql/document/json-body.ts';
import { limits } from '../../src/graphql/document/limits.ts';

/** Parts of names and values that a scanner can misread. */
const parts = ['"', '\\', '\\"', '":', '{"a":1}', ' ', '\n', '\t', 'é', '🏠', ':', ',', '\u0000', '\\\\'];

const many = 'x'.repeat(5 * limits.names);
const tooMany = `The document exceeds the limit of ${limits.names} for names: it has ${limits.names + 1}`;

/** An object at several levels whose names and values contain unusual parts. */
const objectWith = (names: number, indentation: number): string => {
  const levels: Record<string, unknown>[] = [{}];
  for (let index = 0; index < names; index++) {
    const at = index % 7 === 6 ? 0 : levels.length - 1;
    const name = `${parts[index % parts.length]}${index}${parts[(index * 5) % parts.length]}`;
    const value = parts[(index * 3) % parts.length];
    if (index % 40 !== 39) levels[at]![name] = index % 3 === 0 ? [value, { [name]: value }] : value;
    else {
      const inner = {};
      levels[at]![name] = inner;
      levels.push(inner);
    }
  }
  return JSON.stringify([many, levels[0]], null, indentation);
};

test.each([0, 1, 4])('as many different names as the limit are accepted, one more is not; indentation %i', (indentation) => {
  checkBody(objectWith(limits.names, indentation));
  expect(() => checkBody(objectWith(limits.names + 1, indentation))).toThrow(tooMany);
});

test('all whitespace of JSON can stand before a colon', () => {
  const text = Array.from({ length: limits.names + 1 }, (_, index) => `"${index}" \t\r\n :1`).join();
  expect(() => checkBody(`{${text}}`)).toThrow(tooMany);
});

test('the letters of different names have a limit', () => {
  const of = (letters: number) =>
    JSON.stringify({ ['a'.repeat(10)]: 1, list: [{ ['b'.repeat(letters - 14)]: 1 }, { ['a'.repeat(10)]: many }] });
  checkBody(of(limits.letters));
  expect(() => checkBody(of(limits.letters + 1))).toThrow(
    `The document exceeds the limit of ${limits.letters} for letters: it has ${limits.letters + 1}`,
  );
  const [name, count] = ['n'.repeat(100), Math.ceil(limits.letters / 103)];
  expect(() =>
    checkBody(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${100 + index}`, many])))),
  ).toThrow('for letters');
});

test('a name counts once, and a value does not count as a name', () => {
  checkBody(JSON.stringify(Array.from({ length: 2_400 }, (_, index) => ({ orderId: { eq: `${index}":` } }))));
});

test('a string has a maximum length, as it is sent', () => {
  const of = (letters: number) => JSON.stringify({ query: '\n'.repeat(500) + 'x'.repeat(letters - 1_000), variables: {} });
  checkBody(of(limits.text));
  expect(() => checkBody(of(limits.text + 1))).toThrow(
    `The document exceeds the limit of ${limits.text} for text: it has ${limits.text + 1}`,
  );
});

test.each([
  ['ends in a string', `${many}"abc`],
  ['ends after a backslash', `${many}"abc\\`],
  ['has no string', many],
  ['is a name', `${many}"abc":`],
])('a text that %s is left to the parser', (_, text) => {
  checkBody(text);
});

test('a string without an end has the same maximum length', () => {
  expect(() => checkBody(`"${'x'.repeat(limits.text + 1)}`)).toThrow('for text');
});

test('names without values end the check, too', () => {
  expect(() => checkBody('"a":'.repeat(30_000))).toThrow('for inputs');
});

/** The body, its members and their content count as well. */
const bodyValues = 10;

test.each([
  ['texts', 'inputs', limits.inputs + bodyValues - 1, (count: number) => JSON.stringify(Array(count).fill(''))],
  ['numbers', 'inputs', limits.inputs + bodyValues - 1, (count: number) => JSON.stringify(Array(count).fill(-1.5e10))],
  ['words', 'inputs', limits.inputs + bodyValues - 1, (count: number) => JSON.stringify(Array(count).fill(null), null, 1)],
  ['lists', 'inputs', limits.inputs + bodyValues - 1, (count: number) => JSON.stringify(Array(count).fill([]))],
  ['objects', 'objects', limits.objects, (count: number) => JSON.stringify(Array(count).fill({}))],
] as const)('more %s than the limit are refused', (_, limit, max, textOf) => {
  checkBody(textOf(max));
  expect(() => checkBody(textOf(max + 1))).toThrow(
    `The document exceeds the limit of ${limits[limit]} for ${limit}: it has ${limits[limit] + 1}`,
  );
});

interface Counts {
  readonly objects: number;
  readonly values: number;
}

const countOf = (value: unknown): Counts => {
  if (typeof value !== 'object' || value === null) return { objects: 0, values: 1 };
  const own = { objects: Array.isArray(value) ? 0 : 1, values: 1 };
  return Object.values(value)
    .map(countOf)
    .reduce((sum, { objects, values }) => ({ objects: sum.objects + objects, values: sum.values + values }), own);
};

/** Random values of unusual texts, with few different names. */
const randomValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...parts, -1.5e10, 0, true, null, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...parts, 'a', 'b'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('random values are counted as the parser finds them', () => {
  fc.assert(
    fc.property(randomValue, fc.constantFrom('', ' ', '\n\t'), (value, indentation) => {
      const { objects, values } = countOf(value);
      // The list and its first element are values, too.
      const max = Math.floor(Math.min((limits.inputs + bodyValues - 2) / values, objects === 0 ? Infinity : limits.objects / objects));
      const textOf = (count: number) => JSON.stringify([many, ...Array(count).fill(value)], null, indentation);
      checkBody(textOf(max));
      expect(() => checkBody(textOf(max + 1))).toThrow(/for (inputs|objects)/);
    }),
    { numRuns: 60, seed: 20_262 },
  );
});
