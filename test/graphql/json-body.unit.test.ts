/** Names of a JSON text are counted as the parser would find them (contract: document limits). */
import { expect, test } from 'vitest';
import { checkNames } from '../../src/graphql/document/json-body.ts';
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
  checkNames(objectWith(limits.names, indentation));
  expect(() => checkNames(objectWith(limits.names + 1, indentation))).toThrow(tooMany);
});

test('all whitespace of JSON can stand before a colon', () => {
  const text = Array.from({ length: limits.names + 1 }, (_, index) => `"${index}" \t\r\n :1`).join();
  expect(() => checkNames(`{${text}}`)).toThrow(tooMany);
});

test('the letters of different names have a limit', () => {
  const of = (letters: number) =>
    JSON.stringify({ ['a'.repeat(10)]: 1, list: [{ ['b'.repeat(letters - 14)]: 1 }, { ['a'.repeat(10)]: many }] });
  checkNames(of(limits.letters));
  expect(() => checkNames(of(limits.letters + 1))).toThrow(
    `The document exceeds the limit of ${limits.letters} for letters: it has ${limits.letters + 1}`,
  );
  const [name, count] = ['n'.repeat(100), Math.ceil(limits.letters / 103)];
  expect(() =>
    checkNames(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${100 + index}`, many])))),
  ).toThrow('for letters');
});

test('a name counts once, and a value does not count', () => {
  checkNames(JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ orderId: { eq: `${index}":` } }))));
});

test.each([
  ['ends in a string', `${many}"abc`],
  ['ends after a backslash', `${many}"abc\\`],
  ['has no string', many],
  ['is a name', `${many}"abc":`],
])('a text that %s is left to the parser', (_, text) => {
  checkNames(text);
});

test.each([
  ['values', (count: number) => JSON.stringify(Array(count).fill(''))],
  ['names', (count: number) => `[${Array(count).fill('{"a":1}')}]`],
])('more %s than the variables may have are refused', (_, textOf) => {
  checkNames(textOf(limits.inputs));
  expect(() => checkNames(textOf(limits.inputs + 1))).toThrow(
    `The document exceeds the limit of ${limits.inputs} for inputs: it has ${limits.inputs + 1}`,
  );
});
