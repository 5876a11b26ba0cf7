/**
 * The context of all generators: dates, amounts, the target of rows and the source of randomness.
 *
 * Rows are collected by table and passed on in batches, so that no table is in memory as a whole. Generators produce the content of a row.
 * Only this file knows the column order, the currency and the audit columns.
 */
import { type RawRow, type RawTableName, rawTables } from '../src/catalogue/raw/index.ts';
import type { Batch, Value } from '../src/sync/first-load.ts';
import type { Random } from './random.ts';
import type { Volume } from './scale.ts';
import { type Day, date, type Month } from './values.ts';

export interface Setting {
  readonly volume: Volume;
  /** Snapshot date. The data contains nothing later. */
  readonly asOf: Day;
  readonly lettingsFrom: Day;
  readonly maintenanceFrom: Day;
  /** First month of the debit runs; after `asOf` if there are none. */
  readonly bookingsFrom: Month;
  readonly batches: Batches;
  readonly ids: Ids;
  /** A separate random stream for a subject, such as ('lettings', 17). */
  random(...path: readonly (string | number)[]): Random;
}

/** The first values of sequences, like in a system that has grown, far below 2^31. */
const firstIds: Partial<Record<RawTableName, number>> = {
  property_hdr: 1001,
  building: 2001,
  contract_end: 2801,
  to_hdr: 4401,
  tenancy_hdr: 5001,
  person: 9001,
  floor_area: 40001,
  order_hdr: 55001,
  report_hdr: 88001,
  account: 200001,
  contract_condition: 930001,
  debit_change: 512001,
  booking_hdr: 7000001,
  booking_pos: 22000001,
};

/** Consecutive numbers, one sequence per table. */
export class Ids {
  readonly #next = new Map<RawTableName, number>();

  next(table: RawTableName): number {
    const id = this.#next.get(table) ?? firstIds[table] ?? 1;
    this.#next.set(table, id + 1);
    return id;
  }
}

/** A row of a generator, checked against the catalogue. */
type Draft<T extends RawTableName> = Omit<RawRow<T>, 'currency' | 'created_at' | 'changed_at'>;

/** A part of a row. Parts use `satisfies Columns<...>`, because a spread is not checked for unknown columns. */
export type Columns<T extends RawTableName> = Partial<Draft<T>>;

interface Sheet {
  readonly table: RawTableName;
  /** Position of each column. */
  readonly columns: ReadonlyMap<string, number>;
  readonly currency: number | undefined;
  readonly createdAt: number | undefined;
  readonly changedAt: number;
  rows: Value[][];
}

const batchRows = 5000;

const sheetOf = (table: RawTableName): Sheet => {
  const columns = new Map(Object.keys(rawTables[table].columns).map((column, i) => [column, i]));
  const [currency, createdAt] = [columns.get('currency'), columns.get('created_at')];
  return { table, columns, currency, createdAt, changedAt: columns.get('changed_at')!, rows: [] };
};

export class Batches {
  readonly #lastNight: Day;
  readonly #sheets = new Map<RawTableName, Sheet>((Object.keys(rawTables) as RawTableName[]).map((table) => [table, sheetOf(table)]));
  #full: Batch[] = [];
  #count = 0;

  /** Audit times end the day before `asOf`, the day of the snapshot. */
  constructor(asOf: Day) {
    this.#lastNight = asOf - 1;
  }

  /** Adds a row with the times of creation and last change. Missing columns are null. */
  put<T extends RawTableName>(table: T, row: Draft<T>, created: Day, changed: Day = created): void {
    const sheet = this.#sheets.get(table)!;
    const values = new Array<Value>(sheet.columns.size).fill(null);
    for (const column in row) {
      const at = sheet.columns.get(column);
      if (at === undefined) throw new RangeError(`${table} has no column ${column}`);
      values[at] = (row as Readonly<Record<string, Value>>)[column]!;
    }
    this.#stamp(sheet, values, created, changed);
    sheet.rows.push(values);
    if (sheet.rows.length === batchRows) this.#close(sheet);
  }

  /** The full batches. */
  *full(): Iterable<Batch> {
    yield* this.#full;
    this.#full = [];
  }

  /** The remaining rows at the end. */
  *rest(): Iterable<Batch> {
    for (const sheet of this.#sheets.values()) if (sheet.rows.length > 0) this.#close(sheet);
    yield* this.full();
  }

  #stamp(sheet: Sheet, values: Value[], created: Day, changed: Day): void {
    const minutes = (this.#count++ * 37) % 300;
    const recorded = Math.min(created, this.#lastNight);
    if (sheet.currency !== undefined) values[sheet.currency] = 'EUR';
    if (sheet.createdAt !== undefined) values[sheet.createdAt] = `${date(recorded)}T${clock(6, minutes)}`;
    values[sheet.changedAt] = `${date(Math.max(recorded, Math.min(changed, this.#lastNight)))}T${clock(12, minutes)}`;
  }

  #close(sheet: Sheet): void {
    this.#full.push({ table: sheet.table, rows: sheet.rows });
    sheet.rows = [];
  }
}

/** Created in the morning, changed in the afternoon, so that the order is correct within a day. */
const clock = (fromHour: number, minutes: number): string => {
  const hour = fromHour + Math.floor(minutes / 60);
  const minute = minutes % 60;
  return `${hour < 10 ? '0' : ''}${hour}:${minute < 10 ? '0' : ''}${minute}:00Z`;
};
