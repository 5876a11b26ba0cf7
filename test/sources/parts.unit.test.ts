/** Parts of addresses, in the two usual orders. */
import { expect, test } from 'vitest';
import { partOf } from '../../src/sources/columns/parts.ts';
import { Rejection } from '../../src/sync/files/rejections.ts';

const parts = ['street', 'houseNumber', 'postalCode', 'city'] as const;
const read = (text: string) => parts.map((part) => partOf(part, text));

test.each([
  ['Seestraße 14a, 13353 Berlin', ['Seestraße', '14a', '13353', 'Berlin']],
  ['Seestraße 14', ['Seestraße', '14', null, null]],
  ['13353 Berlin', [null, null, '13353', 'Berlin']],
  ['14 High Street', ['High Street', '14', null, null]],
  ['131 N Lakeshore Dr', ['N Lakeshore Dr', '131', null, null]],
  ['14 b High Street', ['High Street', '14 b', null, null]],
  ['14E Main St', ['Main St', '14E', null, null]],
  ['14a High Street, London SW1A 1AA', ['High Street', '14a', 'SW1A 1AA', 'London']],
  ['2-4 King Edward Road, Milton Keynes, MK9 2AB', ['King Edward Road', '2-4', 'MK9 2AB', 'Milton Keynes']],
  ['1 rue de Rivoli, 75001 Paris', ['rue de Rivoli', '1', '75001', 'Paris']],
  ['7 Low Road, Leeds', ['Low Road', '7', null, 'Leeds']],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each(['14', 'a, b, c, d', 'Seestraße 14, 13353 Berlin, 2. Hof'])('%s is no address', (text) => {
  expect(() => partOf('street', text)).toThrow(Rejection);
});
