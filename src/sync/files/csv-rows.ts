/** Rows of CSV in the bytes of their file. A cell becomes text when something reads it, and most values never do. */
import { isAscii } from 'node:buffer';
import { type CsvCharacters, CsvScanner } from './scan-csv.ts';

/** The numbers of a field: its start, its end, and whether it has quotes. */
export const numbersOfField = 3;
/** The numbers that a batch has room for at least. */
const leastRoom = 1024;

/** The fields of the records of one chunk. */
export interface CsvFields {
  bytes: Buffer;
  at: Int32Array;
  readonly isAscii: boolean;
  /** The character of quotes. Within quotes it is doubled. */
  readonly quote: string;
}

export class CsvRow {
  readonly line: number;
  readonly fields: CsvFields;
  /** The place of its first field among the numbers. */
  readonly first: number;
  /** How many values it has. */
  readonly width: number;
  #cells: readonly string[] | undefined;

  constructor(line: number, fields: CsvFields, first: number, width: number) {
    this.line = line;
    this.fields = fields;
    this.first = first;
    this.width = width;
  }

  get cells(): readonly string[] {
    this.#cells ??= Array.from({ length: this.width }, (_, index) => this.cell(index));
    return this.#cells;
  }

  cell(index: number): string {
    const { bytes, at, isAscii: isPlain, quote } = this.fields;
    const first = this.first + index * numbersOfField;
    const text = bytes.toString(isPlain ? 'latin1' : 'utf8', at[first], at[first + 1]);
    return at[first + 2] === 0 ? text : text.replaceAll(quote + quote, () => quote);
  }

  /** Whether a cell is empty and has no quotes. */
  isMissing(index: number): boolean {
    const { at } = this.fields;
    const first = this.first + index * numbersOfField;
    return at[first] === at[first + 1] && at[first + 2] === 0;
  }

  /** Whether a cell has a letter, a digit or a sign of ASCII at its start. Then the row is not blank. */
  get isFilled(): boolean {
    const { bytes, at } = this.fields;
    for (let first = this.first; first < this.first + this.width * numbersOfField; first += numbersOfField) {
      const byte = bytes[at[first] as number] as number;
      if ((at[first] as number) < (at[first + 1] as number) && byte > 0x20 && byte < 0x7f) return true;
    }
    return false;
  }
}

export interface CsvReading {
  /** The characters of the file, which its first bytes may show. */
  readonly charactersOf: (start: Buffer) => CsvCharacters;
  readonly quote: string;
  /** An error in the form; its record is left out. `column` counts from 0. */
  readonly problem: (line: number, column: number | undefined, what: string) => void;
}

/** The records of a text, a batch for each chunk. */
export async function* csvRows(
  text: AsyncIterable<Buffer> | Iterable<Buffer>,
  { charactersOf, quote, problem }: CsvReading,
): AsyncGenerator<readonly CsvRow[]> {
  let batch: CsvRow[] = [];
  let fields: CsvFields = { bytes: Buffer.alloc(0), at: new Int32Array(0), isAscii: true, quote };
  /** The numbers of the batch that are used, and those before the record. */
  let [used, first] = [0, 0];
  const handlers = {
    field: (bytes: Uint8Array, start: number, end: number, _column: number, isQuoted: boolean) => {
      if (used === 0) fields.bytes = bytes as Buffer;
      if (used + numbersOfField > fields.at.length) {
        const larger = new Int32Array(fields.at.length * 2);
        larger.set(fields.at);
        fields.at = larger;
      }
      const { at } = fields;
      at[used] = start;
      at[used + 1] = end;
      at[used + 2] = isQuoted ? 1 : 0;
      used += numbersOfField;
    },
    record: (line: number, width: number) => {
      batch.push(new CsvRow(line, fields, first, width));
      first = used;
    },
    problem: (line: number, column: number | undefined, what: string) => {
      used = first;
      problem(line, column, what);
    },
  };
  /** A row keeps the fields of its batch. */
  const begin = (isPlain: boolean) => {
    // The batch before shows how many numbers a chunk has.
    fields = { bytes: fields.bytes, at: new Int32Array(Math.max(leastRoom, used + (used >> 3))), isAscii: isPlain, quote };
    [used, first] = [0, 0];
    batch = [];
  };
  let scanner: CsvScanner | undefined;
  /** Whether the bytes that a record may have begun in are ASCII. */
  let wasPlain = true;
  for await (const chunk of text) {
    scanner ??= new CsvScanner(handlers, { characters: charactersOf(chunk) });
    const isPlain = isAscii(chunk);
    begin(wasPlain && isPlain);
    const complete = scanner.scan(chunk);
    wasPlain = isPlain && (wasPlain || complete.length > 0);
    yield batch;
  }
  begin(false);
  scanner?.end();
  yield batch;
}
