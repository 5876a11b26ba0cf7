/** Converts fields in PostgreSQL's text format to JSON, from bytes to bytes, in reused buffers. */
import type { ServerResponse } from 'node:http';
import type { Column } from './postgres.ts';

const size = 64 * 1024;
const buffers: Buffer[] = [];
/** The maximum size of one escaped byte. */
const widest = 6;
/** The property names of a row, and its text if all values are null. */
const keysAtMost = 4 * 1024;

const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
const [BOOLEAN, TIMESTAMP, TIMESTAMPTZ] = [16, 1114, 1184];

type Kind = 'text' | 'number' | 'boolean' | 'time';
const kindOf = (type: number): Kind => {
  if (numbers.has(type)) return 'number';
  if (type === BOOLEAN) return 'boolean';
  return type === TIMESTAMP || type === TIMESTAMPTZ ? 'time' : 'text';
};

/**
 * The JSON object of a row: each column with the text before its value, or the object of a joined row. A joined row is null if its first
 * column is null.
 */
export interface Shape {
  readonly fields: readonly { readonly before: Buffer; readonly value: Kind | Shape }[];
  /** The number of columns. */
  readonly width: number;
  /** The closing text. */
  readonly after: Buffer;
}

/** The shape of columns in order. `offer.status` belongs to a nested object, which follows the row's own columns. */
export const shapeOf = (columns: readonly Column[], after = '}'): Shape => {
  const names = [...new Set(columns.map(({ name }) => name.split('.')[0]!))];
  const fields = names.map((key, index) => {
    const inner = columns.filter(({ name }) => name.startsWith(`${key}.`));
    const own = columns.find(({ name }) => name === key);
    const before = Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    const value = own ? kindOf(own.type) : shapeOf(inner.map(({ name, type }) => ({ name: name.slice(key.length + 1), type })));
    return { before, value };
  });
  return { fields, width: columns.length, after: Buffer.from(after) };
};

/** The source of rows. */
interface Source {
  pause(): void;
  resume(): void;
}

/** The number of bytes that may wait for the client. */
const ahead = 1024 * 1024;

export class Out {
  readonly #response: ServerResponse;
  readonly #source: Source;
  #buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(size);
  #at = 0;

  constructor(response: ServerResponse, source: Source) {
    this.#response = response;
    this.#source = source;
  }

  put(bytes: Uint8Array): void {
    if (this.#at + bytes.length > size) this.#flush();
    this.#at = copy(this.#buffer, this.#at, bytes);
  }

  /** Writes the row with the fields in `bytes`. */
  row(shape: Shape, bytes: Buffer, at: number, end: number): void {
    if (this.#at + (end - at) * widest + keysAtMost > size) this.#flush();
    this.#object(shape, bytes, at);
  }

  end(): void {
    const buffer = this.#buffer;
    this.#response.end(buffer.subarray(0, this.#at), () => buffers.push(buffer));
  }

  #flush(): void {
    const buffer = this.#buffer;
    const isTaken = this.#response.write(buffer.subarray(0, this.#at), () => buffers.push(buffer));
    if (!isTaken && this.#response.writableLength > ahead) {
      this.#source.pause();
      this.#response.once('drain', () => this.#source.resume());
    }
    this.#buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(size);
    this.#at = 0;
  }

  #object({ fields, after }: Shape, bytes: Buffer, start: number): number {
    const out = this.#buffer;
    let from = start;
    for (let field = 0; field < fields.length; field++) {
      const { before, value } = fields[field]!;
      this.#at = copy(out, this.#at, before);
      const length = lengthAt(bytes, from);
      if (typeof value === 'object') {
        if (length >= 0) from = this.#object(value, bytes, from);
        else {
          // A missing joined row has null in all its columns.
          this.#at = copy(out, this.#at, NULL);
          from += 4 * value.width;
        }
        continue;
      }
      from += 4;
      if (length < 0) this.#at = copy(out, this.#at, NULL);
      else {
        this.#at = writeValue(out, this.#at, value, bytes, from, from + length);
        from += length;
      }
    }
    this.#at = copy(out, this.#at, after);
    return from;
  }
}

export const lengthAt = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

const copy = (out: Buffer, at: number, bytes: Uint8Array): number => {
  for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i]!;
  return at + bytes.length;
};

const writeValue = (out: Buffer, start: number, kind: Kind, bytes: Buffer, from: number, end: number): number => {
  if (kind === 'boolean') return copy(out, start, bytes[from] === 0x74 ? TRUE : FALSE);
  let at = start;
  if (kind === 'number') {
    for (let i = from; i < end; i++) out[at++] = bytes[i]!;
    return at;
  }
  out[at++] = 0x22;
  if (kind === 'time') at = writeTime(out, at, bytes, from, end);
  else
    for (let i = from; i < end; i++) {
      const byte = bytes[i]!;
      if (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c) out[at++] = byte;
      else at += out.write(JSON.stringify(String.fromCharCode(byte)).slice(1, -1), at, 'latin1');
    }
  out[at++] = 0x22;
  return at;
};

/** Converts `2024-11-30 03:00:00.5+00` to `2024-11-30T03:00:00.500000Z`. */
const writeTime = (out: Buffer, start: number, bytes: Buffer, from: number, end: number): number => {
  const zone = end - 3;
  let at = start;
  for (let i = from; i < zone; i++) out[at++] = bytes[i] === 0x20 ? 0x54 : bytes[i]!;
  if (zone - from > 19) for (let digits = zone - from - 20; digits < 6; digits++) out[at++] = 0x30;
  out[at++] = 0x5a;
  return at;
};
