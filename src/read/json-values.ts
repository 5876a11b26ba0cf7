/**
 * Writes one value as JSON, from the bytes of Postgres' text format straight to bytes.
 *
 * Nothing is decoded: a number keeps the digits that the database sent, text is copied and escaped where JSON asks for it.
 * What each kind looks like is settled (contract: row values).
 */
import pg from 'pg';

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
export const literal = { null: Buffer.from('null'), true: Buffer.from('true'), false: Buffer.from('false') };
/** What follows the backslash for the bytes that have a short escape. */
const shortEscape = new Uint8Array(128);
for (const [byte, letter] of ['"', '\\', '\bb', '\ff', '\nn', '\rr', '\tt'].map(
  (s) => [s.charCodeAt(0), s.charCodeAt(s.length - 1)] as const,
))
  shortEscape[byte] = letter;

const DIGIT_0 = 48;
const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const SPACE = 32;

export const put = (out: Buffer, at: number, bytes: Uint8Array): number => {
  for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i]!;
  return at + bytes.length;
};

/** `infinity` or `-infinity`; every date and time begins with a digit. */
const isInfinite = (bytes: Buffer, from: number): boolean => bytes[from]! === 0x69 || bytes[from]! === MINUS;

/** Digits as they are; NaN, Infinity and -Infinity, which JSON does not have, are null. */
const writeNumber = (out: Buffer, at: number, bytes: Buffer, from: number, end: number): number => {
  const first = bytes[from] === MINUS ? bytes[from + 1]! : bytes[from]!;
  if (first > 57 || first < DIGIT_0) return put(out, at, literal.null);
  let to = at;
  for (let i = from; i < end; i++) out[to++] = bytes[i]!;
  return to;
};

/** A JSON string; Postgres sends valid UTF-8, so only quotes, backslashes and control characters are touched. */
const writeText = (out: Buffer, at: number, bytes: Buffer, from: number, end: number): number => {
  let to = at;
  out[to++] = QUOTE;
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) {
      out[to++] = byte;
      continue;
    }
    out[to++] = BACKSLASH;
    const letter = shortEscape[byte]!;
    if (letter !== 0) {
      out[to++] = letter;
      continue;
    }
    out[to++] = 0x75;
    out[to++] = DIGIT_0;
    out[to++] = DIGIT_0;
    out[to++] = hex[byte >> 4]!;
    out[to++] = hex[byte & 15]!;
  }
  out[to++] = QUOTE;
  return to;
};

const FRACTION_DIGITS = 6;

/** `2024-11-30 03:00:00.5+00` becomes `"2024-11-30T03:00:00.500000Z"`; the session's zone is UTC. */
const writeTimestamp = (out: Buffer, at: number, bytes: Buffer, from: number, end: number): number => {
  let to = at;
  let fraction = -1;
  out[to++] = QUOTE;
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === 0x2b) break;
    if (fraction >= 0) fraction++;
    if (byte === 0x2e) fraction = 0;
    out[to++] = byte === SPACE ? 0x54 : byte;
  }
  if (fraction >= 0) for (; fraction < FRACTION_DIGITS; fraction++) out[to++] = DIGIT_0;
  out[to++] = 0x5a;
  out[to++] = QUOTE;
  return to;
};

/** Writes the value in `bytes` from `from` to `end` at `at`; gives back where it ends. */
export const writeValue = (out: Buffer, at: number, wire: Wire, bytes: Buffer, from: number, end: number): number => {
  switch (wire) {
    case Wire.number:
      return writeNumber(out, at, bytes, from, end);
    case Wire.text:
      return writeText(out, at, bytes, from, end);
    case Wire.date:
      return isInfinite(bytes, from) ? put(out, at, literal.null) : writeText(out, at, bytes, from, end);
    case Wire.timestamp:
      return isInfinite(bytes, from) ? put(out, at, literal.null) : writeTimestamp(out, at, bytes, from, end);
    case Wire.boolean:
      return put(out, at, bytes[from] === 0x74 ? literal.true : literal.false);
    default:
      return at + bytes.copy(out, at, from, end);
  }
};
