/**
 * Finds rows of an export that share the value of a unique column, such as two accounts of one number.
 *
 * The first reading notes in a fixed number of bits which values may be there twice. Only these values are counted in a second reading, so a
 * list of any size needs little memory.
 */

import { placeInWords } from '../../sync/files/rejections.ts';
import { endOfField, type RowFields, readField } from '../keys/copy-fields.ts';
import { keyInWords, keyText } from '../keys/key-text.ts';
import { rawTableOf } from '../keys/key-type.ts';
import type { Spool } from '../keys/spool.ts';
import type { SpooledRow } from '../keys/spool-pages.ts';

const bits = 2 ** 27;
const quote = 0x22;

/** The 32 bits of FNV-1a over the fields of a key; undefined if one is missing. */
const hashOf = ({ bytes }: RowFields, fields: readonly (readonly [start: number, end: number])[]): number | undefined => {
  let hash = 0x811c9dc5;
  for (const [start, end] of fields) {
    if (start === end) return undefined;
    // The same text can have quotes or none.
    const isQuoted = bytes[start] === quote;
    for (let at = isQuoted ? start + 1 : start; at < (isQuoted ? end - 1 : end); at++)
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  return hash >>> 0;
};

/** A value that several rows have. */
export interface Repeated {
  /** The value in words. */
  readonly value: string;
  /** The positions of its columns among those of the rows. */
  readonly columns: readonly number[];
  /** The place of the first row that has it; undefined for this row itself. */
  readonly first: string | undefined;
}

class UniqueColumns {
  readonly columns: readonly number[];
  #seen: Uint8Array | undefined;
  readonly #candidates = new Set<string>();
  readonly #places = new Map<string, { readonly position: number; readonly place: string; count: number }>();

  constructor(columns: readonly number[]) {
    this.columns = columns;
  }

  /** The places of its fields in a row. */
  #fieldsOf({ bytes, start, end }: RowFields): readonly (readonly [start: number, end: number])[] {
    const last = Math.max(...this.columns);
    const fields: (readonly [number, number])[] = [];
    for (let at = start, column = 0; column <= last; column++) {
      const next = endOfField(bytes, at, end);
      fields.push([at, next]);
      at = next + 1;
    }
    return this.columns.map((column) => fields[column]!);
  }

  textOf(row: SpooledRow): string | null {
    return keyText(this.columns.map((column) => row.value(column)));
  }

  note(row: RowFields): void {
    const fields = this.#fieldsOf(row);
    const hash = hashOf(row, fields);
    if (hash === undefined) return;
    this.#seen ??= new Uint8Array(bits / 8);
    const bit = hash % bits;
    const mask = 1 << (bit & 7);
    if ((this.#seen[bit >> 3]! & mask) === 0) this.#seen[bit >> 3]! |= mask;
    else this.#candidates.add(keyText(fields.map(([start, end]) => readField(row.bytes, start, end)))!);
  }

  get hasCandidates(): boolean {
    return this.#candidates.size > 0;
  }

  count(row: SpooledRow): void {
    const text = this.textOf(row);
    if (text === null || !this.#candidates.has(text)) return;
    const known = this.#places.get(text);
    if (known) known.count++;
    else this.#places.set(text, { position: row.position, place: placeInWords(row), count: 1 });
  }

  repeatedIn(row: SpooledRow): Repeated | undefined {
    if (this.#places.size === 0) return undefined;
    const text = this.textOf(row);
    const known = text === null ? undefined : this.#places.get(text);
    if (!known || known.count === 1) return undefined;
    return { value: keyInWords(text!), columns: this.columns, first: known.position === row.position ? undefined : known.place };
  }

  release(): void {
    this.#seen = undefined;
  }
}

export class UniqueValues {
  readonly #uniques: readonly UniqueColumns[];

  /** `columns`: those that the source fills, in the order of the rows. */
  constructor(table: string, columns: readonly string[]) {
    const all = (rawTableOf(table)?.unique ?? []).map((unique) => unique.map((name) => columns.indexOf(name)));
    this.#uniques = all.filter((unique) => !unique.includes(-1)).map((unique) => new UniqueColumns(unique));
  }

  /** Notes a row on its way into the spool. */
  note(row: RowFields): void {
    for (const unique of this.#uniques) unique.note(row);
  }

  /** Counts the values that may be there twice. `isCounted`: whether a row will be loaded. */
  async settle(spool: Spool, isCounted: (row: SpooledRow) => boolean): Promise<void> {
    const open = this.#uniques.filter(({ hasCandidates }) => hasCandidates);
    for (const unique of this.#uniques) unique.release();
    if (open.length === 0) return;
    for await (const page of spool.read()) for (const row of page.rows()) if (isCounted(row)) for (const unique of open) unique.count(row);
  }

  /** Whether some values are there twice. */
  get hasRepeated(): boolean {
    return this.#uniques.some((unique) => unique.hasCandidates);
  }

  /** The value that the row shares with another one; undefined if there is none. */
  repeatedIn(row: SpooledRow): Repeated | undefined {
    for (const unique of this.#uniques) {
      const found = unique.repeatedIn(row);
      if (found) return found;
    }
    return undefined;
  }
}
