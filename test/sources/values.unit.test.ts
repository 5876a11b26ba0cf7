/** Values of exports are read exactly, or rejected with a remedy. */
import { expect, test } from 'vitest';
import { converter } from '../../src/sources/columns/values.ts';
import { Rejection, shown } from '../../src/sync/files/rejections.ts';

const german = { decimalChar: ',', groupChar: '.', dateFormats: ['%d.%m.%Y'], timezone: 'Europe/Berlin' };
const read = (type: string, text: string, formats: object = german): string => {
  try {
    return converter(type, formats)(text, false);
  } catch (error) {
    if (error instanceof Rejection) return `rejected: ${error.reason}`;
    throw error;
  }
};

test.each([
  ['numeric(12,2)', '1.234,56', '1234.56'],
  ['numeric(12,2)', '1234,5', '1234.5'],
  ['numeric(12,2)', '-0,00', '0.00'],
  ['integer', '1.000', '1000'],
  ['date', '01.03.2017', '2017-03-01'],
  ['date', '2017-03-01', '2017-03-01'],
  ['timestamptz', '01.07.2024', '2024-07-01T00:00:00+02:00'],
])('%s: %s is %s', (type, text, value) => {
  expect(read(type, text)).toBe(value);
});

test.each([
  ['numeric(12,2)', '1.23'],
  ['numeric(12,2)', '1,234'],
  ['numeric(4,2)', '123,45'],
  ['integer', '1,5'],
  ['integer', '3000000000'],
  ['date', '31.02.2024'],
  ['date', '31.12.24'],
  ['boolean', 'maybe'],
])('%s: %s is rejected', (type, text) => {
  expect(read(type, text)).toMatch(/^rejected: /);
});

test.each([
  ['12,50-', 'state trailingMinus: true in formats'],
  ['(12,50)', 'state parentheses: true in formats'],
  ['12,5x', 'state decimalChar, groupChar or bareNumber in formats'],
])('%s is rejected with the format that reads it', (text, remedy) => {
  expect(read('numeric(12,2)', text)).toContain(remedy);
});

test.each([
  ['29.02.2024', '2024-02-29'],
  ['29.02.2000', '2000-02-29'],
  ['31.12.2024', '2024-12-31'],
])('the day %s exists', (text, day) => {
  expect(read('date', text)).toBe(day);
});

test.each(['29.02.2023', '29.02.1900', '31.04.2024', '00.01.2024', '01.13.2024'])('the day %s does not exist', (text) => {
  expect(read('date', text)).toMatch(/^rejected: /);
});

test('an hour that summer time skips is rejected', () => {
  expect(read('timestamptz', '2024-03-31 02:30')).toMatch(/does not exist/);
});

test('text of a file reaches no terminal as control characters', () => {
  expect(shown('a\u001b[2Jb\u009b\u202e')).toBe('a\\u{1b}[2Jb\\u{9b}\\u{202e}');
});
