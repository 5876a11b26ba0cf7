/** Values of Parquet columns, from the text of fields (`fields` in wire/row-format.ts). */
import type { ParquetColumn } from './parquet-columns.ts';

const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e];

/** Integers of at most this many digits are exact as numbers. */
const exactDigits = 15;

/** The digits of a number between `from` and `end`, as an integer. */
const digits = (bytes: Uint8Array, from: number, end: number): number => {
  let value = 0;
  for (let i = from; i < end; i++) value = value * 10 + bytes[i]! - ZERO;
  return value;
};

/** A decimal times 10 to the power of `scale`. The text has at most `scale` digits after the point. */
const decimal = (bytes: Buffer, from: number, end: number, scale: number): bigint => {
  const isNegative = bytes[from] === MINUS;
  let value = 0;
  let places = -1;
  const begin = isNegative ? from + 1 : from;
  if (end - begin > exactDigits) {
    const text = bytes.toString('latin1', begin, end);
    const point = text.indexOf('.');
    const fraction = point < 0 ? '' : text.slice(point + 1);
    const whole = BigInt((point < 0 ? text : text.slice(0, point)) + fraction.padEnd(scale, '0'));
    return isNegative ? -whole : whole;
  }
  for (let i = begin; i < end; i++) {
    if (bytes[i] === POINT) places = 0;
    else {
      value = value * 10 + bytes[i]! - ZERO;
      if (places >= 0) places++;
    }
  }
  const missing = scale - Math.max(0, places);
  const whole = missing === 0 ? BigInt(value) : BigInt(value) * 10n ** BigInt(missing);
  return isNegative ? -whole : whole;
};

/** Days since 1970-01-01 in the Gregorian calendar. The year begins in March, so that the leap day is the last one. */
const daysSinceEpoch = (year: number, month: number, day: number): number => {
  const from = month <= 2 ? year - 1 : year;
  const century = Math.floor(from / 400);
  const inCentury = from - century * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return century * 146_097 + inCentury * 365 + Math.floor(inCentury / 4) - Math.floor(inCentury / 100) + dayOfYear - 719_468;
};

/** The length of `2024-11-30`, and of `2024-11-30T03:00:00`. */
const [dayLength, secondLength] = [10, 19];

const date = (bytes: Buffer, from: number, end: number): number => {
  if (end - from !== dayLength) throw new Error('A date outside of the years 1 to 9999');
  return daysSinceEpoch(digits(bytes, from, from + 4), digits(bytes, from + 5, from + 7), digits(bytes, from + 8, from + dayLength));
};

/** Microseconds since 1970 of `2024-11-30T03:00:00.500000Z`. */
const timestamp = (bytes: Buffer, from: number, end: number): bigint => {
  const [hour, minute, second] = [11, 14, 17].map((at) => digits(bytes, from + at, from + at + 2)) as [number, number, number];
  const seconds = date(bytes, from, from + dayLength) * 86_400 + hour * 3_600 + minute * 60 + second;
  const fraction = end - from > secondLength + 1 ? digits(bytes, from + secondLength + 1, end - 1) : 0;
  return BigInt(seconds) * 1_000_000n + BigInt(fraction);
};

/** The value of a field that is not null. */
export const readValue = ({ kind, scale }: ParquetColumn, bytes: Buffer, from: number, end: number): unknown => {
  switch (kind) {
    case 'integer':
      return bytes[from] === MINUS ? -digits(bytes, from + 1, end) : digits(bytes, from, end);
    case 'bigint':
      return end - from <= exactDigits && bytes[from] !== MINUS
        ? BigInt(digits(bytes, from, end))
        : BigInt(bytes.toString('latin1', from, end));
    case 'decimal':
      return decimal(bytes, from, end, scale);
    case 'double':
      return Number(bytes.toString('latin1', from, end));
    case 'boolean':
      return end - from === 'true'.length;
    case 'date':
      return date(bytes, from, end);
    case 'timestamp':
      return timestamp(bytes, from, end);
    case 'string':
      return bytes.toString('utf8', from, end);
  }
};
