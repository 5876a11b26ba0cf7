/** Converts a value of an export to the text that a column of a raw table takes. */

import { Rejection } from '../rejections.ts';
import type { Formats } from '../source-file.ts';
import type { Cell } from '../source-rows.ts';
import { dateParser, dayOf, instantOf, type Moment } from './dates.ts';
import { numberParser, plainNumber } from './numbers.ts';

/** Characters that text of a business does not have. They show that the encoding is wrong. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const foreign = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/;

/** The text of a cell as it is in the export; null if it has no value. */
export type ReadText = (cell: Cell) => string | null;

/** Removes blanks and finds the words for no value. */
export const textReader = ({ trim = true, missingValues = [''] }: Formats): ReadText => {
  const missing = new Set(missingValues);
  return (cell) => {
    if (cell === null || cell === undefined) return null;
    const text = typeof cell === 'string' ? (trim ? cell.trim() : cell) : plainText(cell);
    if (missing.has(text) || text === '') return null;
    if (foreign.test(text)) throw new Rejection('has control characters: state the encoding of the file', text);
    return text;
  };
};

/** The text of a typed value: a plain number, true, false, or ISO 8601. */
const plainText = (cell: Exclude<Cell, null>): string => {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return plainNumber(cell);
  if (cell instanceof Date) {
    const text = cell.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000Z', '').replace(/Z$/, '');
  }
  return String(cell);
};

/** Whether the text of a cell is in a plain form, so that the formats of the export do not apply. */
export const isTyped = (cell: Cell): boolean => cell !== null && typeof cell !== 'string';

/** Converts text of an export. `isPlain`: it is in the form of a typed value. */
export type Convert = (text: string, isPlain: boolean) => string;

const decimal = /^-?\d+(?:\.\d+)?$/;

const integerWithin =
  (bits: bigint) =>
  (digits: string, text: string): string => {
    const whole = /^(-?\d+)(?:\.0+)?$/.exec(digits)?.[1];
    if (whole === undefined) throw new Rejection('is no integer', text);
    const value = BigInt(whole);
    if (BigInt.asIntN(Number(bits), value) !== value) throw new Rejection(`is beyond ${bits} bits`, text);
    return String(value);
  };

const numeric =
  (precision: number, scale: number) =>
  (digits: string, text: string): string => {
    const point = digits.indexOf('.');
    // The usual value fits as it is.
    if ((point < 0 ? digits.length : point) <= precision - scale && (point < 0 || digits.length - point - 1 <= scale)) return digits;
    const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
    const significant = fraction.replace(/0+$/, '');
    if (significant.length > scale) throw new Rejection(`has more than ${scale} decimals: apply [{ round: ${scale} }]`, text);
    if (whole.replace(/^0+/, '').length > precision - scale)
      throw new Rejection(`has more than ${precision - scale} digits before the point`, text);
    return digits.includes('.')
      ? digits.slice(0, digits.length - (fraction.length - Math.min(fraction.length, scale))).replace(/\.$/, '')
      : digits;
  };

/** The conversion for an SQL type, such as `numeric(14,2)`. */
export const converter = (type: string, formats: Formats): Convert => {
  const [, name = '', digits = ''] = /^([a-z ]+?)(?:\((.*)\))?$/.exec(type) ?? [];
  const toNumber = numberParser(formats);
  const numberOf = (text: string, isPlain: boolean) => (isPlain && decimal.test(text) ? text : toNumber(text));
  const toMoment = dateParser(formats);
  const plainMoment = dateParser({});
  const momentOf = (text: string, isPlain: boolean): Moment => (isPlain ? plainMoment : toMoment)(text);
  const [precision = 1000, scale = 0] = digits.split(',').map(Number);
  switch (name) {
    case 'integer': {
      const toInteger = integerWithin(32n);
      return (text, isPlain) => toInteger(numberOf(text, isPlain), text);
    }
    case 'bigint': {
      const toInteger = integerWithin(64n);
      return (text, isPlain) => toInteger(numberOf(text, isPlain), text);
    }
    case 'numeric': {
      const toNumeric = numeric(precision, scale);
      return (text, isPlain) => toNumeric(numberOf(text, isPlain), text);
    }
    case 'date':
      return (text, isPlain) => dayOf(momentOf(text, isPlain), text);
    case 'timestamptz':
    case 'timestamp with time zone':
      return (text, isPlain) => instantOf(momentOf(text, isPlain), formats.timezone, text);
    case 'boolean': {
      const { trueValues = ['true', '1'], falseValues = ['false', '0'] } = formats;
      const meanings = new Map([
        ...trueValues.map((word) => [word.toLowerCase(), 'true'] as const),
        ...falseValues.map((word) => [word.toLowerCase(), 'false'] as const),
      ]);
      return (text, isPlain) => {
        if (isPlain && (text === 'true' || text === 'false')) return text;
        if (isPlain && (text === '1' || text === '0')) return text === '1' ? 'true' : 'false';
        const meaning = meanings.get(text.toLowerCase());
        if (meaning === undefined) throw new Rejection('is neither true nor false: state trueValues and falseValues in formats', text);
        return meaning;
      };
    }
    default:
      return (text) => text;
  }
};
