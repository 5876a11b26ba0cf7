/**
 * Fast acceptance of ordinary values in the bytes of a CSV file. A value that is not accepted here is checked by `check-value.ts`, so these
 * functions accept fewer values and never decide that one is wrong.
 */

import type { TargetColumn } from '../target.ts';
import { typeName } from './check-value.ts';
import { isDayOfCalendar } from './days.ts';

/** Whether the bytes from `start` to before `end` are certainly a valid value. */
export type Accepts = (bytes: Uint8Array, start: number, end: number) => boolean;

const [zero, nine, minus, plus, point, colon, blank] = [0x30, 0x39, 0x2d, 0x2b, 0x2e, 0x3a, 0x20] as const;
const [upperT, upperZ, lowerT, lowerF] = [0x54, 0x5a, 0x74, 0x66] as const;

const areDigits = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < zero || byte > nine) return false;
  }
  return true;
};

const afterSign = (bytes: Uint8Array, start: number): number => (bytes[start] === minus ? start + 1 : start);

/** Integers of at most this many digits fit. */
const integerOf =
  (digits: number): Accepts =>
  (bytes, start, end) => {
    const first = afterSign(bytes, start);
    return first < end && end - first <= digits && areDigits(bytes, first, end);
  };

const numberOf =
  (before: number, after: number): Accepts =>
  (bytes, start, end) => {
    const first = afterSign(bytes, start);
    let at = first;
    while (at < end && bytes[at] !== point) at++;
    if (at === first || at - first > before || !areDigits(bytes, first, at)) return false;
    if (at === end) return true;
    return end - at > 1 && end - at - 1 <= after && areDigits(bytes, at + 1, end);
  };

const twoDigits = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) - zero) * 10 + (bytes[at + 1] as number) - zero;

/** Days from 0002 to 9998, so that no zone leaves the years 1 to 9999. */
const isOrdinaryDay = (bytes: Uint8Array, start: number): boolean => {
  if (bytes[start + 4] !== minus || bytes[start + 7] !== minus) return false;
  if (!areDigits(bytes, start, start + 4) || !areDigits(bytes, start + 5, start + 7) || !areDigits(bytes, start + 8, start + 10))
    return false;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  return year > 1 && year < 9999 && isDayOfCalendar(year, month, day);
};

const acceptsDate: Accepts = (bytes, start, end) => end - start === 10 && isOrdinaryDay(bytes, start);

/** `2024-12-28T23:59:59`, with decimals, and `Z` or whole hours. */
const acceptsZonedTime: Accepts = (bytes, start, end) => {
  if (end - start < 20 || !isOrdinaryDay(bytes, start)) return false;
  const separator = bytes[start + 10];
  if (separator !== upperT && separator !== blank) return false;
  if (bytes[start + 13] !== colon || bytes[start + 16] !== colon) return false;
  for (let at = start + 11; at < start + 19; at += 3) if (!areDigits(bytes, at, at + 2)) return false;
  if (twoDigits(bytes, start + 11) > 23 || twoDigits(bytes, start + 14) > 59 || twoDigits(bytes, start + 17) > 59) return false;
  let at = start + 19;
  if (bytes[at] === point) {
    const first = ++at;
    while (at < end && areDigits(bytes, at, at + 1)) at++;
    if (at === first || at - first > 6) return false;
  }
  if (bytes[at] === upperZ) return at + 1 === end;
  if (bytes[at] !== plus && bytes[at] !== minus) return false;
  return end - at === 3 && areDigits(bytes, at + 1, end) && twoDigits(bytes, at + 1) <= 14;
};

const isWord = (bytes: Uint8Array, start: number, word: string): boolean => {
  for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word.charCodeAt(index)) return false;
  return true;
};

const acceptsBoolean: Accepts = (bytes, start, end) => {
  const length = end - start;
  if (length === 1) return bytes[start] === lowerT || bytes[start] === lowerF || bytes[start] === zero || bytes[start] === zero + 1;
  return (length === 4 && isWord(bytes, start, 'true')) || (length === 5 && isWord(bytes, start, 'false'));
};

const accepts = (type: string): Accepts | 'everything' | undefined => {
  const [precision = 0, scale = 0] = /\((.*?)\)/.exec(type)?.[1]?.split(',').map(Number) ?? [30, 15];
  switch (typeName(type)) {
    case 'text':
      return 'everything';
    case 'integer':
      return integerOf(9);
    case 'bigint':
      return integerOf(18);
    case 'numeric':
      return numberOf(precision - scale, scale);
    case 'date':
      return acceptsDate;
    case 'timestamptz':
      return acceptsZonedTime;
    case 'timestamp with time zone':
      return type.includes('(') ? undefined : acceptsZonedTime;
    case 'boolean':
      return acceptsBoolean;
    default:
      return undefined;
  }
};

/** Accepts all texts. The file is searched for NUL and invalid UTF-8 as a whole. */
export const acceptAll: Accepts = () => true;

const nothing: Accepts = () => false;

/** The fast acceptance of a column's values. */
export const acceptsBytes = ({ type }: TargetColumn): Accepts => {
  const found = accepts(type);
  return found === 'everything' ? acceptAll : (found ?? nothing);
};
