/** The columns of a row of an export by name, with those that the service adds. */
import { createHash } from 'node:crypto';
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import { type Cell, cellOfRow, type SourceList, type SourceRow } from '../source-rows.ts';

export type ReadCell = (row: SourceRow) => Cell;

const maxRowsWithoutKey = 2_000_000;

/**
 * Keys of rows that have none: a hash of the row, and a number for equal rows. The same rows have the same keys, whatever their order.
 * The hashes are in memory, so the number of such rows is bounded.
 */
export class RowKeys {
  readonly #seen = new Map<string, number>();
  #last: SourceRow | undefined;
  #key = '';

  keyOf(row: SourceRow): string {
    if (row === this.#last) return this.#key;
    const text = JSON.stringify(row.cells, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const times = (this.#seen.get(hash) ?? 0) + 1;
    if (times === 1 && this.#seen.size >= maxRowsWithoutKey)
      throw new OperatorError(
        `$row identifies at most ${maxRowsWithoutKey.toLocaleString('en')} rows of a table: state columns in primaryKey.`,
      );
    this.#seen.set(hash, times);
    this.#last = row;
    this.#key = times === 1 ? hash : `${hash} ${times}`;
    return this.#key;
  }
}

/** Finds columns of one list by name. */
export class RowColumns {
  readonly #list: SourceList;
  readonly #keys: RowKeys;
  readonly #missing: 'refuse' | 'null';
  readonly #used = new Set<string>();

  constructor(list: SourceList, keys: RowKeys, missing: 'refuse' | 'null' = 'refuse') {
    this.#list = list;
    this.#keys = keys;
    this.#missing = missing;
  }

  /** The columns of the list that nothing reads. */
  get unused(): readonly string[] {
    return this.#list.columns.filter((name) => !this.#used.has(name));
  }

  /** The place of a column in the rows; -1 if it is none of the list. */
  indexOf(name: string): number {
    return this.#list.columns.indexOf(name);
  }

  /** The reader of a column. Throws an `OperatorError` if the list lacks it. */
  find(name: string): ReadCell {
    this.#used.add(name);
    if (name === '$row') return (row) => this.#keys.keyOf(row);
    if (name === '$line') return ({ line }) => String(line);
    if (name === '$file') return () => this.#list.name;
    const index = this.#list.columns.indexOf(name);
    if (index >= 0) return (row) => cellOfRow(row, index);
    const fact = this.#list.facts?.[name];
    if (fact !== undefined) return () => fact;
    if (this.#missing === 'null') return () => null;
    throw new OperatorError(
      `${shown(this.#list.name)} has no column '${shown(name)}'. It has: ${shown(this.#list.columns.join(', '), 600)}. If exports may lack it: missingColumns: 'null'.`,
    );
  }
}
