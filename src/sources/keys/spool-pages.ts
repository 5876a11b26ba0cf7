/** The pages of a spool: rows that were written together, as the input of COPY, and beside it the place and the key of each row. */
import type { QuarantinedRow } from '../../database/control/quarantine.ts';
import { endOfField, type FieldWriter, type RowFields, readField } from './copy-fields.ts';

/** What is kept of a row of the export if it cannot be loaded. */
export interface KeptLine {
  /** The text of its key; null if it has none. */
  readonly key: string | null;
  readonly row: QuarantinedRow['row'];
  readonly facts: QuarantinedRow['facts'];
  /** The time since which it waits; absent if this load delivered it. */
  readonly since?: Date | string | undefined;
}

/** Four numbers stand before a page: its rows and columns, and the bytes of its text and of its origins. */
export const headLength = 16;
export const headOf = (rows: number, columns: number, text: number, origins: number) => new Uint32Array([rows, columns, text, origins]);

/** The parts of a page in its bytes. */
export const partsOfPage = ({ buffer }: Uint8Array, head: Uint32Array) => {
  const [count, columns, text, origins] = head as unknown as [number, number, number, number];
  let at = headLength;
  const numbers = () => {
    at += count * 4;
    return new Uint32Array(buffer, at - count * 4, count);
  };
  const keys = new Float64Array(buffer, at, count);
  at += count * 8;
  const parts = { columns, keys, lines: numbers(), files: numbers(), rules: numbers(), ends: numbers() };
  return { ...parts, text: Buffer.from(buffer, at, text), origins: Buffer.from(buffer, at + text, origins) };
};

const bytesOfRow = 24;
export const lengthOfPage = ([rows, , text, origins]: Uint32Array): number => headLength + rows! * bytesOfRow + text! + origins!;

/** A row of the spool. Its values are read when they are needed. */
export class SpooledRow {
  readonly #page: SpoolPage;
  readonly #index: number;
  /** Other values than those of the spool, by column. */
  #replaced: (number | null | undefined)[] | undefined;

  constructor(page: SpoolPage, index: number) {
    this.#page = page;
    this.#index = index;
  }

  /** The number of the row in the spool. */
  get position(): number {
    return this.#page.first + this.#index;
  }

  get file(): string {
    return this.#page.fileOf(this.#index);
  }

  get line(): number {
    return this.#page.lines[this.#index]!;
  }

  get key(): number {
    return this.#page.keys[this.#index]!;
  }

  get rule(): number {
    return this.#page.rules[this.#index]!;
  }

  get origin(): KeptLine | undefined {
    return this.#page.originOf(this.#index);
  }

  /** The value of a column after the key. */
  value(column: number): string | null {
    const replaced = this.#replaced?.[column];
    if (replaced !== undefined) return replaced === null ? null : String(replaced);
    const [start, end] = this.#page.fieldOf(this.#index, column);
    return readField(this.#page.text, start, end);
  }

  get values(): (string | null)[] {
    return Array.from({ length: this.#page.columns }, (_, column) => this.value(column));
  }

  /** Puts a key in the place of a value, for the database. */
  put(column: number, key: number | null): void {
    this.#replaced ??= new Array(this.#page.columns);
    this.#replaced[column] = key;
  }

  /** Writes the fields after the key, with the values that were replaced. */
  write(out: FieldWriter): RowFields {
    const { columns, text } = this.#page;
    out.begin();
    for (let column = 0; column < columns; column++) {
      const replaced = this.#replaced?.[column];
      const [start, end] = this.#page.fieldOf(this.#index, column);
      if (replaced === null || (replaced === undefined && start === end)) out.none(text, start);
      else if (replaced === undefined) out.copy(text, start, end);
      else out.integer(replaced);
    }
    return out.end();
  }
}

/** The rows that were appended together. */
export class SpoolPage {
  readonly columns: number;
  /** The position of its first row. */
  readonly first: number;
  readonly keys: Float64Array;
  readonly lines: Uint32Array;
  readonly rules: Uint32Array;
  /** Where the line of each row ends in the text. */
  readonly ends: Uint32Array;
  /** The input of COPY: a line for each row, the key first. */
  readonly text: Buffer;
  readonly #files: Uint32Array;
  readonly #names: readonly string[];
  readonly #origins: Buffer;
  #kept: readonly (KeptLine | null)[] | undefined;
  /** The ends of all fields. */
  #bounds: Uint32Array | undefined;

  constructor(parts: ReturnType<typeof partsOfPage>, first: number, names: readonly string[]) {
    ({
      keys: this.keys,
      lines: this.lines,
      rules: this.rules,
      ends: this.ends,
      text: this.text,
      files: this.#files,
      origins: this.#origins,
    } = parts);
    this.columns = parts.columns;
    this.first = first;
    this.#names = names;
  }

  get count(): number {
    return this.keys.length;
  }

  rows(): SpooledRow[] {
    return Array.from({ length: this.count }, (_, index) => new SpooledRow(this, index));
  }

  fileOf(index: number): string {
    return this.#names[this.#files[index]!]!;
  }

  originOf(index: number): KeptLine | undefined {
    if (this.#origins.length === 0) return undefined;
    this.#kept ??= JSON.parse(this.#origins.toString('utf8')) as (KeptLine | null)[];
    return this.#kept[index] ?? undefined;
  }

  /** The start and the end of a field after the key. */
  fieldOf(index: number, column: number): readonly [start: number, end: number] {
    this.#bounds ??= this.#findBounds();
    const at = index * (this.columns + 1) + column;
    return [this.#bounds[at]! + 1, this.#bounds[at + 1]!];
  }

  #findBounds(): Uint32Array {
    const bounds = new Uint32Array(this.count * (this.columns + 1));
    let start = 0;
    let at = 0;
    for (let index = 0; index < this.count; index++) {
      const end = this.ends[index]! - 1;
      for (let column = 0; column <= this.columns; column++) {
        const next = endOfField(this.text, start, end);
        bounds[at++] = next;
        start = next + 1;
      }
    }
    return bounds;
  }
}
