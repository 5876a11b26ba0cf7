/** Converts a value of an export to the text that a column of a raw table takes. */

import { Rejection } from '../../sync/files/rejections.ts';
import { booleanWords, typeCheck, typeName } from '../../sync/values/check-value.ts';
import { ZonedDays } from '../../sync/values/zoned-days.ts';
import type { Formats } from '../source-file.ts';
import { type Cell, ShownText, UnreadableCell } from '../source-rows.ts';
import { dateParser, dayOf, instantOf, type Moment } from './dates.ts';
import { isPlainNumber, numberParser, plainNumber } from './numbers.ts';

/** Characters that text of a business does not have. They show that the encoding is wrong. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const foreign = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/;

/** The text of a cell as it is in the export; null if it has no value. */
export type ReadText = (cell: Cell) => string | null;

/** Whether a text is of ASCII without control characters and without a blank at its ends. Most texts are. */
const isOrdinary = (text: string): boolean => {
  const last = text.length - 1;
  for (let at = 0; at <= last; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && (at === 0 || at === last))) return false;
  }
  return true;
};

/** Removes blanks and finds the words for no value. */
export const textReader = ({ trim = true, missingValues = [''] }: Formats): ReadText => {
  const missing = new Set(missingValues);
  const hasWords = missingValues.some((word) => word !== '');
  return (cell) => {
    if (cell === null || cell === undefined || cell === '') return null;
    if (typeof cell === 'string' && isOrdinary(cell)) return hasWords && missing.has(cell) ? null : cell;
    const text = typeof cell === 'string' ? (trim ? cell.trim() : cell) : plainText(cell);
    if (missing.has(text) || text === '') return null;
    if (cell instanceof ShownText && cell.shown.some((form) => missing.has(form))) return null;
    if (foreign.test(text)) throw new Rejection('has control characters: state the encoding of the file', text);
    return text;
  };
};

/** The text of a typed value: a plain number, true, false, or ISO 8601. */
export const plainText = (cell: Exclude<Cell, null>): string => {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return plainNumber(cell);
  if (cell instanceof UnreadableCell) throw new Rejection(cell.reason, cell.text);
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

/** A typed number without the zeros after its last digit that the column has no place for. */
const withoutZeros = (digits: string, scale: number): string => {
  const point = digits.indexOf('.');
  if (point < 0 || digits.length - point - 1 <= scale) return digits;
  const significant = digits.replace(/0+$/, '');
  return significant.length - point - 1 > scale ? digits : digits.slice(0, point + 1 + scale).replace(/\.$/, '');
};

/** What a source can state about a value that its column has no place for. */
const remedyOf = (defect: string, scale: number): string => (/decimals|no integer/.test(defect) ? `: apply [{ round: ${scale} }]` : '');

/** The conversion for an SQL type, such as `numeric(14,2)`: the formats give the plain form, and the rules of loads decide about it. */
export const converter = (type: string, formats: Formats): Convert => {
  const zone = formats.timezone === undefined ? undefined : new ZonedDays(formats.timezone);
  const check = typeCheck(type, zone);
  const toNumber = numberParser(formats);
  const toMoment = dateParser(formats);
  const plainMoment = dateParser({});
  // A whole number is no day in ISO 8601: 20240331 of a database has the format %Y%m%d.
  const momentOf = (text: string, isPlain: boolean): Moment => (isPlain && !/^\d+$/.test(text) ? plainMoment : toMoment)(text);
  const scale = Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 0);
  const numberOf = (text: string, isPlain: boolean): string => {
    const digits = isPlain && isPlainNumber(text) ? text.replace(/^(-?)0+(?=\d)/, '$1') : toNumber(text);
    const number = isPlain && (scale > 0 || type !== 'numeric') ? withoutZeros(digits, scale) : digits;
    const defect = check(number);
    if (defect !== undefined) throw new Rejection(`${defect}${remedyOf(defect, scale)}`, text);
    return number;
  };
  switch (typeName(type)) {
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
      return numberOf;
    case 'date':
      return (text, isPlain) => dayOf(momentOf(text, isPlain), text, isPlain);
    case 'timestamptz':
    case 'timestamp with time zone':
      return (text, isPlain) => {
        const instant = instantOf(momentOf(text, isPlain), zone, text);
        const defect = check(instant);
        if (defect !== undefined) throw new Rejection(defect, text);
        return instant;
      };
    case 'boolean': {
      const { trueValues = booleanWords.true, falseValues = booleanWords.false } = formats;
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
      return (text) => {
        const defect = check(text);
        if (defect !== undefined) throw new Rejection(defect, text);
        return text;
      };
  }
};
