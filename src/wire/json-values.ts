/**
 * Writes one value as JSON, from the bytes of PostgreSQL's text format to bytes.
 *
 * Nothing is decoded. A number keeps the digits that the database sent. Text is copied, and escaped where JSON requires it, four bytes at a
 * time (see `words.ts`). (contract: row values)
 */
import pg from 'pg';
import { byteLiteral, copyBytes, putLiteral } from './words.ts';

/** The writer of a value, by its type on the wire. */
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

/** The writer of a server type. */
export const wireOf = (dataTypeID: number): Wire => wires.get(dataTypeID) ?? Wire.text;

/** The maximum number of output bytes per input byte: `\u001f`. */
export const mostBytesPerByte = 6;
const hex = Buffer.from('0123456789abcdef');
export const literal = { null: byteLiteral('null'), true: byteLiteral('true'), false: byteLiteral('false') };
/** The character after the backslash, for bytes with a short escape. */
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

/** `infinity` or `-infinity`. All other dates and times start with a digit. */
const isInfinite = (bytes: DataView, from: number): boolean => bytes.getUint8(from) === 0x69 || bytes.getUint8(from) === MINUS;

/** Copies the digits. NaN, Infinity and -Infinity do not exist in JSON and become null. */
const writeNumber = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  const sign = bytes.getUint8(from);
  const first = sign === MINUS ? bytes.getUint8(from + 1) : sign;
  return first > DIGIT_9 || first < DIGIT_0 ? putLiteral(out, at, literal.null) : copyBytes(out, at, bytes, from, end);
};

const isPlain = (byte: number): boolean => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH;

/** Whether four bytes need no escape: none is below a space, and none becomes 0 after XOR with a quote or a backslash. */
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

/** A JSON string. PostgreSQL sends valid UTF-8, so only quotes, backslashes and control characters need an escape. */
const writeText = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  let to = at;
  let i = from;
  out.setUint8(to++, QUOTE);
  while (i < end) {
    const word = i + 4 <= end ? bytes.getInt32(i, true) : 0;
    // Four zero bytes count as not plain.
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

/** The length of `2024-11-30 03:00:00`, and the maximum length of a fraction. */
const secondsLength = 19;
const fractionDigits = 6;

/** Converts `2024-11-30 03:00:00.5+00` to `"2024-11-30T03:00:00.500000Z"`. The time zone of the session is UTC. */
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

/** Writes the value between `from` and `end` of `bytes` at `at`. Returns the end of the output. */
export const writeValue = (out: DataView, at: number, wire: Wire, bytes: DataView, from: number, end: number): number => {
  switch (wire) {
    case Wire.number:
      return writeNumber(out, at, bytes, from, end);
    case Wire.text:
      return writeText(out, at, bytes, from, end);
    case Wire.date:
      return isInfinite(bytes, from) ? putLiteral(out, at, literal.null) : writeText(out, at, bytes, from, end);
    case Wire.timestamp:
      return isInfinite(bytes, from) ? putLiteral(out, at, literal.null) : writeTimestamp(out, at, bytes, from, end);
    case Wire.boolean:
      return putLiteral(out, at, bytes.getUint8(from) === 0x74 ? literal.true : literal.false);
    default:
      return copyBytes(out, at, bytes, from, end);
  }
};
