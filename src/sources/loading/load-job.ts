/** What the steps of the preparation of a load share. */
import type { QuarantinedRow } from '../../database/control/quarantine.ts';
import { Rejections } from '../../sync/files/rejections.ts';
import type { Mode } from '../../sync/files/source-files.ts';
import type { Latest } from '../columns/latest.ts';
import type { Keys } from '../keys/assigned-keys.ts';
import { IntegerSet } from '../keys/integer-set.ts';
import { integerOf, type KeyType } from '../keys/key-text.ts';
import type { Spool } from '../keys/spool.ts';
import type { MappedBatch, MappedRow, Mapping, RowCounts, Watch } from '../mapped-rows.ts';
import type { Source, TableRule } from '../source-file.ts';
import type { TargetTable } from '../target-table.ts';
import type { Unread } from '../unread.ts';
import { FailedRows, type Treatment } from './failed-rows.ts';
import type { UniqueValues } from './unique-values.ts';

/** What a check sees of each row and list. */
export interface Observer {
  readonly opened?: NonNullable<Watch['opened']>;
  readonly mapped?: (table: string, row: MappedRow, key: number) => void;
  readonly progress?: (name: string, rows: number) => void;
}

/** Integers by raw table. */
export class TableKeys {
  readonly #sets = new Map<string, IntegerSet>();

  of(table: string): IntegerSet {
    let set = this.#sets.get(table);
    if (!set) {
      set = new IntegerSet();
      this.#sets.set(table, set);
    }
    return set;
  }
}

/** Where the keys and the earlier rows of the customer come from. */
export interface Earlier {
  readonly keys: Keys;
  /** The rows of a table in quarantine, which an upsert tries again. */
  readonly quarantined: (table: string) => Promise<readonly QuarantinedRow[]>;
}

/** Reads an export: in this process, or in another. */
export interface ExportReader {
  /** Reads and maps the rows of one table of the source. */
  rows(mapping: Mapping, watch: Watch, since: string | undefined): AsyncIterable<MappedBatch>;
  /** The files and sheets that no table reads. */
  unread(): Promise<readonly Unread[]>;
  /** Begins to watch the files. The result refuses the load if one has changed since. */
  watch(): Promise<() => void>;
}

export interface Job extends Earlier {
  readonly source: Source;
  readonly reader: ExportReader;
  /** What refuses the load. */
  readonly rejections: Rejections;
  readonly failed: FailedRows;
  readonly observer: Observer;
  readonly scratch: string;
  /** The keys that have a row or a place in this load. */
  readonly delivered: TableKeys;
  /** The keys of rows that are not loaded, of which the customer has an earlier version. It stays. */
  readonly staying: TableKeys;
  /** The tables of which an earlier row stays. */
  readonly stayingIn: Set<string>;
}

export const jobOf = (given: Earlier & Pick<Job, 'source' | 'reader' | 'observer' | 'scratch'>): Job => ({
  ...given,
  rejections: new Rejections(),
  failed: new FailedRows(),
  delivered: new TableKeys(),
  staying: new TableKeys(),
  stayingIn: new Set(),
});

/** Keeps the earlier versions of rows that are not loaded: a row that cannot be read is no deletion. */
export const keepEarlier = async ({ keys, staying, stayingIn }: Job, table: string, failed: readonly number[]): Promise<void> => {
  if (failed.length === 0) return;
  for (const key of await keys.presentIn(table, failed)) {
    staying.of(table).add(key);
    stayingIn.add(table);
  }
};

/** The spool of a raw table, and what is known about it after its rows were mapped. */
export interface Spooled {
  readonly target: TargetTable;
  readonly rules: readonly TableRule[];
  readonly columns: readonly string[];
  /** The mapping of each rule, and the treatment of its rows that cannot be loaded. */
  readonly mappings: readonly Mapping[];
  readonly treatments: readonly Treatment[];
  readonly spool: Spool;
  readonly latest: Latest | undefined;
  /** The keys of its rows, and those that several rows have. */
  readonly rowKeys: RowKeySet;
  readonly uniques: UniqueValues;
  readonly counts: RowCounts;
  readonly watermark: string | undefined;
}

const textsKept = 1_000;

/** The keys of the rows of one raw table. */
export class RowKeySet {
  readonly #all = new IntegerSet();
  readonly #repeated = new IntegerSet();
  #hasRepeated = false;
  /** The first repeated keys as the export writes them, for messages. */
  readonly #texts = new Map<number, string>();

  add(key: number, text: string): void {
    if (!this.#all.has(key)) {
      this.#all.add(key);
      return;
    }
    this.#repeated.add(key);
    this.#hasRepeated = true;
    if (this.#texts.size < textsKept) this.#texts.set(key, text);
  }

  get hasRepeated(): boolean {
    return this.#hasRepeated;
  }

  isRepeated(key: number): boolean {
    return this.#repeated.has(key);
  }

  textOf(key: number): string | undefined {
    return this.#texts.get(key);
  }
}

/**
 * The forms in which a delivery writes integer keys. `0107` and `107` are one key, but in one delivery they are probably two objects, so
 * `latest` must not replace one by the other.
 */
export class KeyForms {
  /** The first form of each key that has zeros before it. */
  readonly #padded = new Map<number, string>();
  readonly #plain = new IntegerSet();

  /** Gives the other form that an earlier row has; undefined if there is none. */
  add(key: number, text: string, type: KeyType): string | undefined {
    const value = integerOf(text, type);
    if (value === undefined) return undefined;
    const padded = this.#padded.get(key);
    if (text === String(value)) {
      this.#plain.add(key);
      return padded;
    }
    if (padded === undefined) this.#padded.set(key, text);
    if (this.#plain.has(key)) return String(value);
    return padded === text ? undefined : padded;
  }
}

/** The smallest share that the entries of a table state. */
export const maxDeletedOf = (rules: readonly TableRule[]): number | undefined => {
  const stated = rules.flatMap(({ maxDeleted }) => maxDeleted ?? []);
  return stated.length > 0 ? Math.min(...stated) : undefined;
};

export const modeOf = (rules: readonly TableRule[]): Mode => (rules.some(({ mode }) => mode === 'upsert') ? 'upsert' : 'full');

export const isShared = (rules: readonly TableRule[]): boolean => rules.some(({ shared }) => shared === true);
