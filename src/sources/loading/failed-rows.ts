/** What becomes of rows that cannot be loaded, and of the rows that refer to them (contract: rows that cannot be loaded). */
import type { QuarantinedRow } from '../../database/control/quarantine.ts';
import { placeInWords, type Reason, type RejectionCount, Rejections, reasonInWords } from '../../sync/files/rejections.ts';
import type { LeftOut } from '../../sync/left-out.ts';
import { IntegerSet } from '../keys/integer-set.ts';
import { integerOf } from '../keys/key-text.ts';
import { keyTypeOf } from '../keys/key-type.ts';
import type { KeptLine } from '../keys/spool-pages.ts';
import type { TableRule } from '../source-file.ts';

/** The rows of which a cause or a line is kept. More of them refuse the load. */
const maxKept = 100_000;
const reasonsKept = 5;

interface FailedRow {
  readonly file: string;
  readonly line: number;
  /** Absent if the row will not be kept. */
  readonly origin?: KeptLine | undefined;
}

export type Action = 'refuse' | 'skip' | 'quarantine';

/** The treatment of the rows of one list that cannot be loaded. */
export class Treatment {
  readonly table: string;
  readonly entry: number;
  readonly action: Action;
  readonly limit: number;
  /** The rejections of the load if a row refuses it, otherwise those of this list. */
  readonly rejections: Rejections;
  readonly kept: QuarantinedRow[] = [];
  rows = 0;
  /** The rows of the list that are not skipped by a rule. */
  read = 0;

  constructor({ table, invalidRows = 'refuse' }: Pick<TableRule, 'table' | 'invalidRows'>, entry: number, refused: Rejections) {
    this.table = table;
    this.entry = entry;
    this.action = invalidRows === 'refuse' ? 'refuse' : 'skip' in invalidRows ? 'skip' : 'quarantine';
    this.limit = invalidRows === 'refuse' ? 0 : 'skip' in invalidRows ? invalidRows.skip : invalidRows.quarantine;
    this.rejections = this.action === 'refuse' ? refused : new Rejections();
  }

  /** Adds a row. Gives the kind of its first reason. `of`: the kind that it is a consequence of. */
  add({ file, line, origin }: FailedRow, reasons: readonly Reason[], of?: RejectionCount): RejectionCount | undefined {
    this.rows++;
    if (this.action === 'quarantine' && origin && this.kept.length < maxKept) {
      const { table, entry } = this;
      const words = reasons
        .slice(0, reasonsKept)
        .map((reason) => `${reason.column === undefined ? '' : `column ${reason.column}: `}${reasonInWords(reason)}`);
      this.kept.push({ table, entry, file, line, reasons: words, ...origin, since: new Date(origin.since ?? Date.now()) });
    }
    if (of) {
      of.dependants++;
      return of;
    }
    const kinds = reasons.map(({ column, ...reason }) =>
      this.rejections.add({ file, line, ...(column !== undefined && { column }) }, reason),
    );
    return kinds[0];
  }

  /** Refuses the load if more rows are left out than the source allows. */
  refuseTooMany(refused: Rejections): void {
    if (this.action === 'refuse' || this.rows === 0) return;
    const { read } = this;
    const isOver = this.rows * 100 > this.limit * read;
    if (!isOver && this.rows <= maxKept) return;
    refused.take(this.rejections);
    const share = ((this.rows / Math.max(1, read)) * 100).toFixed(1);
    const rows = `${this.rows.toLocaleString('en')} of ${read.toLocaleString('en')} rows cannot be loaded`;
    refused.add(
      { file: this.table },
      { reason: isOver ? `${rows} (${share} %), and invalidRows allows ${this.limit} %` : `${rows}, and at most ${maxKept} are left out` },
    );
  }

  get report(): LeftOut | undefined {
    const { table, action, rows, rejections } = this;
    return action === 'refuse' || rows === 0 ? undefined : { table, action, rows, reasons: rejections.lines(5) };
  }
}

/** Why a row is not loaded. */
export interface Cause {
  readonly place: string;
  readonly kind: RejectionCount | undefined;
  readonly action: Action;
}

/** The rows of a load that are not loaded, by key. */
export class FailedRows {
  readonly #keys = new Map<string, IntegerSet>();
  readonly #byKey = new Map<string, Cause>();
  readonly #byText = new Map<string, Cause>();
  /** Tables of which no row could be read. */
  readonly #tables = new Map<string, Cause>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `key`: the integer of the row, if it has one. `text`: the text of its key in the export. */
  add({ table }: Treatment, { key, text }: { readonly key?: number | undefined; readonly text?: string | null }, cause: Cause): void {
    this.#count++;
    if (key !== undefined) {
      const keys = this.#keys.get(table) ?? new IntegerSet();
      this.#keys.set(table, keys);
      keys.add(key);
      if (this.#byKey.size < maxKept) this.#byKey.set(`${table} ${key}`, cause);
    }
    if (text !== null && text !== undefined && this.#byText.size < maxKept) this.#byText.set(nameOf(table, text), cause);
  }

  addTable(table: string, kind: RejectionCount | undefined): void {
    this.#tables.set(table, { place: `${table} was not read`, kind, action: 'refuse' });
  }

  hasAny(table: string): boolean {
    return this.#keys.has(table);
  }

  has(table: string, key: number): boolean {
    return this.#keys.get(table)?.has(key) ?? false;
  }

  /** Why the row that a reference names is not loaded; undefined if the export has no such row. */
  causeOf(table: string, key: number | undefined, text: string): Cause | undefined {
    return (
      (key === undefined ? undefined : this.#byKey.get(`${table} ${key}`)) ??
      this.#byText.get(nameOf(table, text)) ??
      this.#tables.get(table)
    );
  }
}

/** Equal keys have equal names: `0007` and `7` are one key. */
const nameOf = (table: string, text: string): string => `${table} ${integerOf(text, keyTypeOf(table)) ?? `'${text}`}`;

export const causeAt = (row: FailedRow, kind: RejectionCount | undefined, { action }: Treatment): Cause => ({
  place: placeInWords(row),
  kind,
  action,
});
