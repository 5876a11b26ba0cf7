/** The two forms that rows are written in: JSON, and CSV as RFC 4180 has it (contract: row values; CSV). */
import { literal, Wire, writeValue } from './json-values.ts';
import { copyBytes, type Piece, pieceOf } from './words.ts';

export interface RowFormat {
  /** What precedes the rows, which have these names. */
  readonly begin: (names: readonly string[]) => Buffer;
  /** What precedes a value: its name, or what separates it from the one before. */
  readonly before: (name: string, index: number) => Piece;
  readonly null: Piece;
  readonly write: typeof writeValue;
  /** Bytes behind a row, and between two; 0 for none. */
  readonly endOfRow: number;
  readonly between: number;
  readonly end: Buffer;
}

/** Column names are those of the catalogue and of raw tables: the same again with every page. */
const remembered = (before: RowFormat['before']): RowFormat['before'] => {
  const [first, later] = [new Map<string, Piece>(), new Map<string, Piece>()];
  return (name, index) => {
    const known = index === 0 ? first : later;
    const piece = known.get(name) ?? before(name, index);
    known.set(name, piece);
    return piece;
  };
};

export const json: RowFormat = {
  begin: () => Buffer.from('['),
  before: remembered((name, index) => pieceOf(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)),
  null: literal.null,
  write: writeValue,
  endOfRow: 0x7d,
  between: 0x2c,
  end: Buffer.from(']'),
};

const [QUOTE, COMMA, CR, LF] = [0x22, 0x2c, 0x0d, 0x0a];

/** Whether a text would be read as something else without quotes; empty text has them, since null has none. */
const needsQuotes = (bytes: DataView, from: number, end: number): boolean => {
  for (let i = from; i < end; i++) {
    const byte = bytes.getUint8(i);
    if (byte === QUOTE || byte === COMMA || byte === CR || byte === LF) return true;
  }
  return from === end;
};

const writeText = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  if (!needsQuotes(bytes, from, end)) return copyBytes(out, at, bytes, from, end);
  let to = at;
  out.setUint8(to++, QUOTE);
  for (let i = from; i < end; i++) {
    const byte = bytes.getUint8(i);
    if (byte === QUOTE) out.setUint8(to++, QUOTE);
    out.setUint8(to++, byte);
  }
  out.setUint8(to++, QUOTE);
  return to;
};

/** As JSON writes it, but text as it is, and without the quotes around what needs none. */
const writeField: typeof writeValue = (out, at, wire, bytes, from, end) => {
  if (wire === Wire.text || wire === Wire.json) return writeText(out, at, bytes, from, end);
  const to = writeValue(out, at, wire, bytes, from, end);
  if (to - at === literal.null.length && out.getInt32(at, true) === literal.null.words[0]) return at;
  if (out.getUint8(at) !== QUOTE) return to;
  for (let i = at; i < to - 2; i++) out.setUint8(i, out.getUint8(i + 1));
  return to - 2;
};

export const csv: RowFormat = {
  begin: (names) => Buffer.from(names.join(',')),
  // A row ends the line before it.
  before: (_name, index) => pieceOf(index === 0 ? '\r\n' : ','),
  null: pieceOf(''),
  write: writeField,
  endOfRow: 0,
  between: 0,
  end: Buffer.from('\r\n'),
};

/** How a page is written; rows have the names that the database gives them unless others are given. */
export interface RowForm {
  readonly format: RowFormat;
  readonly names?: readonly string[] | undefined;
}

/** A page without rows. */
export const noRows = ({ format, names = [] }: RowForm): readonly Buffer[] => [Buffer.concat([format.begin(names), format.end])];
