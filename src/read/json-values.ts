/**
 * Writes one value as JSON, from the bytes of Postgres' text format straight to bytes.
 *
 * Nothing is decoded: a number keeps the digits that the database sent, text is copied and escaped where JSON asks for it, four bytes at
 * a time (see `words.ts`).
 * What each kind looks like is settled (contract: row values).
 */
import pg from 'pg';
import { copyBytes, pieceOf, putPiece } from './words.ts';

/** What a value's bytes are, as far as writing them goes. */
export const Wire = { text: 0, number: 1, boolean: 2, date: 3, timestamp: 4, json: 5 } as const;
export type Wire = (typeof Wire)[keyof typeof Wire];

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID, BOOL, DATE, TIMESTAMP, TIMESTAMPTZ, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const wires = new Map<number, Wire>([
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID].map((oid) => [oid, Wire.number] as const),
  [BOOL, Wire.boolean],
  [DATE, Wire.date],
  [TIMESTAMP, Wire.timestamp],
  [TIMESTAMPTZ, Wire.timestamp],
  [JSON_TYPE, Wire.json],
  [JSONB, Wire.json],
]);

/** What the server calls a type, as what is written of it. */
export const wireOf = (dataTypeID: number): Wire => wires.get(dataTypeID) ?? Wire.text;

/** The widest that one byte of a value becomes: `\u001f`. */
export const widest = 6;
const hex = Buffer.from('0123456789abcdef');
export const literal = { null: pieceOf('null'), true: pieceOf('true'), false: pieceOf('false') };
/** What follows the backslash for the bytes that have a short escape. */
const shortEscape = new Uint8Array(128);
for (const [byte, letter] of ['"', '\\', '\bb', '\ff', '\nn', '\rr', '\tt'].map(
  (s) => [s.charCodeAt(0), s.charCodeAt(s.length - 1)] as const,
))
  shortEscape[byte] = letter;

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const SPACE = 32;
const LETTER_T = 84;
const LETTER_Z = 90;

/** `infinity` or `-infinity`; every date and time begins with a digit. */
const isInfinite = (bytes: DataView, from: number): boolean => bytes.getUint8(from) === 0x69 || bytes.getUint8(from) === MINUS;

/** Digits as they are; NaN, Infinity and -Infinity, which JSON does not have, are null. */
const writeNumber = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  const sign = bytes.getUint8(from);
  const first = sign === MINUS ? bytes.getUint8(from + 1) : sign;
  return first > DIGIT_9 || first < DIGIT_0 ? putPiece(out, at, literal.null) : copyBytes(out, at, bytes, from, end);
};

const isPlain = (byte: number): boolean => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH;

/** Whether all of four bytes are plain: none is below a space, and none becomes 0 with the bits of a quote or a backslash turned. */
const arePlain = (word: number): boolean => {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const low = ((word - 0x20202020) & ~word) | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return (low & 0x80808080) === 0;
};

const writeEscape = (out: DataView, at: number, byte: number): number => {
  let to = at;
  out.setUint8(to++, BACKSLASH);
  const letter = shortEscape[byte]!;
  if (letter !== 0) {
    out.setUint8(to++, letter);
    return to;
  }
  out.setUint8(to++, 0x75);
  out.setUint8(to++, DIGIT_0);
  out.setUint8(to++, DIGIT_0);
  out.setUint8(to++, hex[byte >> 4]!);
  out.setUint8(to++, hex[byte & 15]!);
  return to;
};

/** A JSON string; Postgres sends valid UTF-8, so only quotes, backslashes and control characters are touched. */
const writeText = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  let to = at;
  let i = from;
  out.setUint8(to++, QUOTE);
  while (i < end) {
    const word = i + 4 <= end ? bytes.getInt32(i, true) : 0;
    // Four bytes of 0 are not plain.
    if (arePlain(word)) {
      out.setInt32(to, word, true);
      to += 4;
      i += 4;
      continue;
    }
    const byte = bytes.getUint8(i++);
    if (isPlain(byte)) out.setUint8(to++, byte);
    else to = writeEscape(out, to, byte);
  }
  out.setUint8(to++, QUOTE);
  return to;
};

/** Length of `2024-11-30 03:00:00`, and of the fraction that may follow. */
const secondsLength = 19;
const fractionDigits = 6;

/** `2024-11-30 03:00:00.5+00` becomes `"2024-11-30T03:00:00.500000Z"`; the session's zone is UTC. */
const writeTimestamp = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  let to = at;
  out.setUint8(to++, QUOTE);
  if (end - from > secondsLength && bytes.getUint8(from + secondsLength) === PLUS) {
    to = copyBytes(out, to, bytes, from, from + secondsLength);
    out.setUint8(to - 9, LETTER_T);
  } else {
    let fraction = -1;
    for (let i = from; i < end; i++) {
      const byte = bytes.getUint8(i);
      if (byte === PLUS) break;
      if (fraction >= 0) fraction++;
      if (byte === POINT) fraction = 0;
      out.setUint8(to++, byte === SPACE ? LETTER_T : byte);
    }
    if (fraction >= 0) for (; fraction < fractionDigits; fraction++) out.setUint8(to++, DIGIT_0);
  }
  out.setUint8(to++, LETTER_Z);
  out.setUint8(to++, QUOTE);
  return to;
};

/** Writes the value in `bytes` from `from` to `end` at `at`; gives back where it ends. */
export const writeValue = (out: DataView, at: number, wire: Wire, bytes: DataView, from: number, end: number): number => {
  switch (wire) {
    case Wire.number:
      return writeNumber(out, at, bytes, from, end);
    case Wire.text:
      return writeText(out, at, bytes, from, end);
    case Wire.date:
      return isInfinite(bytes, from) ? putPiece(out, at, literal.null) : writeText(out, at, bytes, from, end);
    case Wire.timestamp:
      return isInfinite(bytes, from) ? putPiece(out, at, literal.null) : writeTimestamp(out, at, bytes, from, end);
    case Wire.boolean:
      return putPiece(out, at, bytes.getUint8(from) === 0x74 ? literal.true : literal.false);
    default:
      return copyBytes(out, at, bytes, from, end);
  }
};
