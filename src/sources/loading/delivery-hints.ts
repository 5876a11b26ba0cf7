/** Facts of a delivery that no single row shows: a file that is there twice, and reversals that nothing reads. */
import { createHash, type Hash } from 'node:crypto';
import type { DeliveryPlace, Reason } from '../../sync/files/rejections.ts';
import { isRejected, type MappedBatch, type MappedRow, type RejectedRow } from '../mapped-rows.ts';
import { isReversal, reversalColumn } from '../readers/datev.ts';
import type { TableRule } from '../source-file.ts';

interface FileRows {
  readonly name: string;
  readonly hash: Hash;
  rows: number;
}

export class DeliveryHints {
  readonly #comparesFiles: boolean;
  readonly #isDatev: boolean;
  #reversalAt = -1;
  #file: FileRows | undefined;
  readonly #files: FileRows[] = [];

  constructor({ files, latest, format }: TableRule) {
    // With latest, a row that is there twice counts once.
    this.#comparesFiles = files === 'all' && latest === undefined;
    this.#isDatev = format === 'datev';
  }

  /** A list is opened: its columns, and those that nothing reads. */
  opened({ columns }: MappedRow['list'], unused: readonly string[]): void {
    const name = this.#isDatev ? unused.find((one) => reversalColumn.test(one)) : undefined;
    this.#reversalAt = name === undefined ? -1 : columns.indexOf(name);
  }

  /** The rows; a reversal that would be loaded as a booking is rejected. */
  judge(rows: MappedBatch): MappedBatch {
    if (this.#comparesFiles) for (const row of rows) this.#see(row);
    return this.#reversalAt < 0 ? rows : rows.map((row) => this.#judge(row));
  }

  #judge(row: MappedRow | RejectedRow): MappedRow | RejectedRow {
    if (isRejected(row)) return row;
    const mark = row.cells[this.#reversalAt];
    if (typeof mark !== 'string' || !isReversal(mark)) return row;
    const column = row.list.columns[this.#reversalAt]!;
    const reason = 'is a reversal, and the source does not read the column: name it in keep or skip, and negate the amounts of reversals';
    const { file, line, key, cells, list } = row;
    return { file, line, key, cells, columns: list.columns, facts: list.facts, reasons: [{ column, reason, value: mark }] };
  }

  #see({ file, cells }: MappedRow | RejectedRow): void {
    if (this.#file?.name !== file) {
      this.#file = { name: file, hash: createHash('sha256'), rows: 0 };
      this.#files.push(this.#file);
    }
    this.#file.rows++;
    this.#file.hash.update(`${JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`);
  }

  /** The files whose rows are those of an earlier file. */
  repeatedFiles(): readonly { readonly place: DeliveryPlace; readonly reason: Reason }[] {
    const first = new Map<string, string>();
    return this.#files.flatMap(({ name, hash, rows }) => {
      const digest = `${rows} ${hash.digest('base64')}`;
      const other = first.get(digest);
      if (other === undefined) {
        first.set(digest, name);
        return [];
      }
      const reason = `has the same ${rows.toLocaleString('en')} rows as ${other}: deliver each batch once`;
      return [{ place: { file: name }, reason: { reason } }];
    });
  }
}
