/** The formats of rows: JSON, NDJSON, CSV as in RFC 4180, and plain fields (contract: row values; CSV; files). */
import { literal, Wire, writeValue } from './json-values.ts';
import { type ByteLiteral, byteLiteral, copyBytes, putLiteral } from './words.ts';

export interface RowFormat {
  /** The text before the rows, from the names of the columns. */
  readonly begin: (names: readonly string[]) => Buffer;
  /** The text before a value: its name or a separator. */
  readonly before: (name: string, index: number) => ByteLiteral;
  readonly null: ByteLiteral;
  readonly write: typeof writeValue;
  /** The byte after a row, and the byte between two rows; 0 for none. */
  readonly endOfRow: number;
  readonly between: number;
  readonly end: Buffer;
}

/** Cached, because column names repeat with every page. */
const cached = (before: RowFormat['before']): RowFormat['before'] => {
  const [first, later] = [new Map<string, ByteLiteral>(), new Map<string, ByteLiteral>()];
  return (name, index) => {
    const known = index === 0 ? first : later;
    const piece = known.get(name) ?? before(name, index);
    known.set(name, piece);
    return piece;
  };
};

export const json: RowFormat = {
  begin: () => Buffer.from('['),
  before: cached((name, index) => byteLiteral(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)),
  null: literal.null,
  write: writeValue,
  endOfRow: 0x7d,
  between: 0x2c,
  end: Buffer.from(']'),
};

const nothing = Buffer.alloc(0);

/** One JSON object in each line. The last line has no line end. */
export const ndjson: RowFormat = { ...json, begin: () => nothing, between: 0x0a, end: nothing };

const [QUOTE, COMMA, CR, LF] = [0x22, 0x2c, 0x0d, 0x0a];

/** Whether a text needs quotes. An empty text has quotes, because null has none. */
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

const noBytes = byteLiteral('');

/** A writer of values without quotes. A value that JSON cannot hold becomes `none`. */
const unquoted =
  (none: ByteLiteral): typeof writeValue =>
  (out, at, wire, bytes, from, end) => {
    const to = writeValue(out, at, wire, bytes, from, end);
    if (to - at === literal.null.length && out.getInt32(at, true) === literal.null.words[0]) return putLiteral(out, at, none);
    if (out.getUint8(at) !== QUOTE) return to;
    for (let i = at; i < to - 2; i++) out.setUint8(i, out.getUint8(i + 1));
    return to - 2;
  };
const writeUnquoted = unquoted(noBytes);

/** Writes a value for CSV: text unescaped, and quotes only where they are needed. */
const writeField: typeof writeValue = (out, at, wire, bytes, from, end) =>
  wire === Wire.text || wire === Wire.json ? writeText(out, at, bytes, from, end) : writeUnquoted(out, at, wire, bytes, from, end);

const csv: RowFormat = {
  begin: (names) => Buffer.from(names.join(',')),
  // Each row starts with the line end of the previous line.
  before: (_name, index) => byteLiteral(index === 0 ? '\r\n' : ','),
  null: noBytes,
  write: writeField,
  endOfRow: 0,
  between: 0,
  end: Buffer.from('\r\n'),
};

const emptyText = byteLiteral('""');

/** CSV of one column. Null has quotes too, because readers skip blank lines (contract: CSV). */
const csvOfOneColumn: RowFormat = {
  ...csv,
  null: emptyText,
  write: (out, at, ...value) => {
    const to = writeField(out, at, ...value);
    return to === at ? putLiteral(out, at, emptyText) : to;
  },
};

/** CSV of these columns. */
export const csvFormat = (names: readonly string[]): RowFormat => (names.length === 1 ? csvOfOneColumn : csv);

/** The byte after each field, and the field of a null. Neither occurs in UTF-8. */
export const fieldMarks = { end: 0xff, null: 0xfe } as const;
const oneByte = (byte: number): ByteLiteral => ({ length: 1, words: Int32Array.of(byte) });
const nullField = oneByte(fieldMarks.null);
const fieldEnd = oneByte(fieldMarks.end);
const writeFieldOrNull = unquoted(nullField);

/** Fields without quotes and escapes, for another writer in this service. A row is known by the number of its fields. */
export const fields: RowFormat = {
  begin: () => nothing,
  before: (_name, index) => (index === 0 ? noBytes : fieldEnd),
  null: nullField,
  write: (out, at, wire, bytes, from, end) =>
    wire === Wire.text || wire === Wire.json ? copyBytes(out, at, bytes, from, end) : writeFieldOrNull(out, at, wire, bytes, from, end),
  endOfRow: fieldMarks.end,
  between: 0,
  end: nothing,
};

/** The format of a page, and names of columns that replace those of the database. */
export interface RowForm {
  readonly format: RowFormat;
  readonly names?: readonly string[] | undefined;
}

/** A page without rows. */
export const noRows = ({ format, names = [] }: RowForm): readonly Buffer[] => [Buffer.concat([format.begin(names), format.end])];
