/** Scalars accept the values that clients send, or explain the error. */
import { expect, test } from 'vitest';
import { BigIntScalar } from '../../src/graphql/schema/scalars.ts';

test('BigInt accepts integers, as exact JSON numbers and as strings of up to 40 digits', () => {
  expect(BigIntScalar.parseValue(-9007199254740991)).toBe('-9007199254740991');
  expect(BigIntScalar.parseValue('9007199254740993')).toBe('9007199254740993');
});

test.each([9007199254740992, -9007199254740992, 1e30])('BigInt reports that the JSON number %d has lost digits', (value) => {
  expect(() => BigIntScalar.parseValue(value)).toThrow(
    'BigInt takes a JSON number only up to 9007199254740991, since larger ones lose digits; send it as a string',
  );
});

test.each([1.5, '1.5', '', null, true, '1'.repeat(41)])('BigInt refuses %j', (value) => {
  expect(() => BigIntScalar.parseValue(value)).toThrow('BigInt takes a whole number of at most 40 digits');
});
