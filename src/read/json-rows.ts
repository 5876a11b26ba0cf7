/**
 * Writes rows as JSON, from the bytes of Postgres' text format straight to bytes.
 *
 * Nothing is decoded: a number keeps the digits that the database sent, text is copied and escaped where JSON asks for it.
 * One table of kinds drives one loop; generated straight-line code was slower for wide rows. Semantics 20 says what each
 * kind looks like.
 */
import pg from 'pg';
import type { Field, RowSink } from './row-query.ts';

const Kind = { text: 0, number: 1, boolean: 2, date: 3, timestamp: 4, json: 5 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID, BOOL, DATE, TIMESTAMP, TIMESTAMPTZ, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const kinds = new Map<number, Kind>([
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID].map((oid) => [oid, Kind.number] as const),
  [BOOL, Kind.boolean],
  [DATE, Kind.date],
  [TIMESTAMP, Kind.timestamp],
  [TIMESTAMPTZ, Kind.timestamp],
  [JSON_TYPE, Kind.json],
  [JSONB, Kind.json],
]);

/** Length of a chunk, unless a single row needs more. */
export const chunkSize = 128 * 1024;
/** The widest that one byte of a value becomes: `\u001f`. */
const widest = 6;
const hex = Buffer.from('0123456789abcdef');
const literal = { null: Buffer.from('null'), true: Buffer.from('true'), false: Buffer.from('false') };
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

export interface RowsOptions {
  /** Leading columns that are not written; those of the first row are kept in `hidden`. */
  readonly hidden: number;
  /** Rows beyond this many are counted, not written. */
  readonly limit: number;
  /** Takes each full chunk; the rows together are one JSON array. */
  readonly emit: (chunk: Buffer) => void;
  /** Where chunks come from. */
  readonly allocate?: (length: number) => Buffer;
}

export class JsonRows implements RowSink {
  /** Rows received, written or not. */
  count = 0;
  /** Text of the hidden columns of the first row and of the last written one. */
  first: readonly (string | null)[] | undefined;
  last: readonly (string | null)[] | undefined;
  readonly #options: RowsOptions;
  #keys: Uint8Array[] = [];
  #kinds: Kind[] = [];
  #keysLength = 0;
  #out: Buffer;
  #at = 0;

  constructor(options: RowsOptions) {
    this.#options = options;
    this.#out = this.#allocate(chunkSize);
    this.#out[this.#at++] = 0x5b;
  }

  describe(fields: readonly Field[]): void {
    const { hidden } = this.#options;
    const shown = fields.slice(hidden);
    this.#keys = shown.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#kinds = shown.map(({ dataTypeID }) => kinds.get(dataTypeID) ?? Kind.text);
    this.#keysLength = this.#keys.reduce((sum, key) => sum + key.length + 2, 4);
  }

  row(bytes: Buffer, start: number, end: number): void {
    let at = start + 2;
    const { hidden, limit } = this.#options;
    this.count++;
    if (this.count > limit) return;
    if (hidden > 0) {
      const texts: (string | null)[] = [];
      for (let column = 0; column < hidden; column++) {
        const length = bytes.readInt32BE(at);
        at += 4;
        texts.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
        if (length > 0) at += length;
      }
      this.first ??= texts;
      this.last = texts;
    }
    this.#reserve((end - at) * widest + this.#keysLength);
    if (this.count > 1) this.#out[this.#at++] = 0x2c;
    this.#values(bytes, at);
    this.#out[this.#at++] = 0x7d;
  }

  /** Closes the array and hands out what is left. */
  end(): void {
    this.#reserve(1);
    this.#out[this.#at++] = 0x5d;
    this.#flush();
  }

  #reserve(length: number): void {
    if (this.#out.length - this.#at >= length) return;
    this.#flush();
    this.#out = this.#allocate(Math.max(chunkSize, length));
  }

  #allocate(length: number): Buffer {
    return this.#options.allocate?.(length) ?? Buffer.allocUnsafe(length);
  }

  #flush(): void {
    if (this.#at > 0) this.#options.emit(this.#out.subarray(0, this.#at));
    this.#out = this.#out.subarray(this.#at);
    this.#at = 0;
  }

  #values(bytes: Buffer, start: number): void {
    const keys = this.#keys;
    const kindOf = this.#kinds;
    const out = this.#out;
    let from = start;
    let to = this.#at;
    for (let column = 0; column < keys.length; column++) {
      const key = keys[column]!;
      for (let i = 0; i < key.length; i++) out[to++] = key[i]!;
      const length = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
      from += 4;
      if (length < 0) {
        to = put(out, to, literal.null);
        continue;
      }
      const end = from + length;
      switch (kindOf[column]) {
        case Kind.number:
          to = writeNumber(out, to, bytes, from, end);
          break;
        case Kind.text:
          to = writeText(out, to, bytes, from, end);
          break;
        case Kind.date:
          to = isInfinite(bytes, from) ? put(out, to, literal.null) : writeText(out, to, bytes, from, end);
          break;
        case Kind.timestamp:
          to = isInfinite(bytes, from) ? put(out, to, literal.null) : writeTimestamp(out, to, bytes, from, end);
          break;
        case Kind.boolean:
          to = put(out, to, bytes[from] === 0x74 ? literal.true : literal.false);
          break;
        default:
          to += bytes.copy(out, to, from, end);
      }
      from = end;
    }
    this.#at = to;
  }
}

const put = (out: Buffer, at: number, bytes: Uint8Array): number => {
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
