/** The check of a source against an export: what a load would do and what the data will answer. It changes nothing. */
import { catalogue } from '../catalogue/index.ts';
import { lookups } from '../catalogue/lookups.ts';
import type { RawTableName } from '../catalogue/raw/index.ts';
import { rawColumnFacts } from '../catalogue/raw-columns.ts';
import { checksWith } from '../checks/settings.ts';
import { keyInWords } from './keys/key-text.ts';
import { rawTableOf } from './keys/key-type.ts';
import type { MappedRow } from './mapped-rows.ts';
import { type Loaded, type PreparedLoad, withPreparedExport, withPreparedLoad } from './prepare-load.ts';
import { type RejectionCount, Rejections, shown } from './rejections.ts';
import type { Source, TableRule } from './source-file.ts';
import type { Cell } from './source-rows.ts';
import { catalogueTarget, requiredWithout } from './target-table.ts';
import { type Usable, usableWith } from './usable.ts';

const samples = 5;

/** A row of the export and what it becomes. */
export interface Sample {
  readonly file: string;
  readonly line: number;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string | null>>;
}

export interface CheckedTable {
  readonly table: string;
  readonly read: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly valid: number;
  /** Keys that rows of the export no longer have. */
  readonly deletes: number;
  /** Columns of each list that no table reads. The first table of a list names them. */
  readonly unused: Readonly<Record<string, readonly string[]>>;
  /** Required columns without a source. The table is not read then. */
  readonly missing: readonly string[];
  /** Amounts that the source states as one constant. What computes with them is not among the answers. */
  readonly constantAmounts: readonly string[];
  /** Codes that no code list has, with their number. */
  readonly unknownCodes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly samples: readonly Sample[];
}

export interface SourceCheck extends Usable {
  readonly source: string;
  readonly tables: readonly CheckedTable[];
  readonly rejections: readonly RejectionCount[];
  /** The rejections in words. */
  readonly errors: readonly string[];
  /** Whether a load would be possible. */
  readonly isLoadable: boolean;
}

const textOf = (cell: Cell): string => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''));

/** Whether all entries of the table state the same constant for the column. */
const isConstant = (rules: readonly TableRule[], column: string): boolean => {
  const values = rules.map(({ columns }) => {
    const rule = columns[column];
    if (typeof rule !== 'object' || rule.from !== undefined || rule.join !== undefined) return undefined;
    return rule.constant ?? rule.default;
  });
  return values[0] !== undefined && values.every((value) => value === values[0]);
};

/** What is collected about one raw table. */
class TableCheck {
  readonly samples: Sample[] = [];
  readonly codes = new Map<string, Map<string, number>>();
  columns: readonly string[] = [];
  /** The columns of the list that is read, and whether the table has a use for them. */
  names: readonly (readonly [name: string, isRead: boolean])[] = [];
  readonly filled = new Set<string>();
  readonly constantAmounts: readonly string[];
  readonly #lookups: readonly (readonly [index: number, column: string, codes: ReadonlySet<string>])[];

  constructor(table: string, columns: readonly string[], constantAmounts: readonly string[]) {
    this.columns = columns;
    this.constantAmounts = constantAmounts;
    this.#lookups = columns.flatMap((column, index) => {
      const lookup = rawTableOf(table) && rawColumnFacts(table as RawTableName, column).lookup;
      return lookup ? [[index, column, new Set(lookups[lookup].map(([code]) => code))] as const] : [];
    });
  }

  see(row: MappedRow, key: number, keyColumn: string): void {
    for (const [index, column, known] of this.#lookups) {
      const code = row.values[index];
      if (code === null || code === undefined || known.has(code)) continue;
      const counts = this.codes.get(column) ?? new Map<string, number>();
      this.codes.set(column, counts.set(code, (counts.get(code) ?? 0) + 1));
    }
    row.values.forEach((value, index) => {
      const column = this.columns[index]!;
      if (value !== null && !this.constantAmounts.includes(column)) this.filled.add(column);
    });
    this.filled.add(keyColumn);
    if (this.samples.length >= samples) return;
    const before = Object.fromEntries(
      this.names.flatMap(([name, isRead], index) => (isRead ? [[name, shown(textOf(row.cells[index] ?? null))]] : [])),
    );
    const inWords = (value: string | null | undefined) => (value === null || value === undefined ? null : keyInWords(value));
    const after = Object.fromEntries(this.columns.map((column, index) => [column, inWords(row.values[index])]));
    this.samples.push({ file: row.file, line: row.line, before, after: { [keyColumn]: String(key), ...after } });
  }

  get unknownCodes(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.codes].map(([column, counts]) => [column, Object.fromEntries(counts)]));
  }
}

/** The columns of lists that no table reads. */
class UnusedColumns {
  readonly #lists = new Map<string, { readonly table: string; names: readonly string[] }>();

  /** A table has opened a list, and does not read these columns. */
  add(list: string, table: string, names: readonly string[]): void {
    const known = this.#lists.get(list);
    if (known) known.names = known.names.filter((name) => names.includes(name));
    else this.#lists.set(list, { table, names });
  }

  of(table: string): Record<string, readonly string[]> {
    return Object.fromEntries(
      [...this.#lists].flatMap(([list, one]) => (one.table === table && one.names.length > 0 ? [[list, one.names]] : [])),
    );
  }
}

const missingOf = (rules: readonly TableRule[]): string[] => {
  const target = catalogueTarget(rules[0]!.table);
  return target ? [...new Set(rules.flatMap((rule) => ((rule.mode ?? 'full') === 'full' ? requiredWithout(rule, target) : [])))] : [];
};

const tablesOf = (source: Source): ReadonlyMap<string, readonly TableRule[]> => {
  const tables = new Map<string, TableRule[]>();
  for (const rule of source.tables) tables.set(rule.table, [...(tables.get(rule.table) ?? []), rule]);
  return tables;
};

/**
 * Checks a source. `documents`: the questions of analysts, as GraphQL documents by name. `loaded`: the customer whose keys and rows count;
 * without it, the tables are taken as empty.
 */
export const checkSource = async (
  { source, folder, documents }: { source: Source; folder: string; documents: Readonly<Record<string, string>> },
  loaded: Loaded | undefined,
): Promise<SourceCheck> => {
  checksWith(catalogue, [source.checks ?? []]);
  const tables = tablesOf(source);
  const incomplete = new Map(
    [...tables].map(([table, rules]) => [table, missingOf(rules)] as const).filter(([, missing]) => missing.length > 0),
  );
  const readable = source.tables.filter(({ table }) => !incomplete.has(table));
  const checks = new Map<string, TableCheck>();
  const unusedColumns = new UnusedColumns();
  for (const [table, rules] of tables) {
    const all = catalogueTarget(table)?.columns;
    const amounts = all ? [...all].filter(([name, { type }]) => type.startsWith('numeric') && isConstant(rules, name)) : [];
    const fills = all
      ? [...all.keys()].filter((name) => name !== rawTableOf(table)?.key && rules.some(({ columns }) => name in columns))
      : [];
    checks.set(
      table,
      new TableCheck(
        table,
        fills,
        amounts.map(([name]) => name),
      ),
    );
  }
  const observer = {
    opened: (list: { readonly name: string; readonly columns: readonly string[] }, unused: readonly string[], table: string) => {
      const current = checks.get(table)!;
      current.names = list.columns.map((name) => [name, !unused.includes(name)]);
      unusedColumns.add(list.name, table, unused);
    },
    mapped: (table: string, row: MappedRow, key: number) => checks.get(table)?.see(row, key, rawTableOf(table)?.key ?? 'key'),
  };
  const checked = (table: string, counts: { read: number; skipped: number; rejected: number }, deletes: number): CheckedTable => {
    const check = checks.get(table)!;
    return {
      table,
      ...counts,
      valid: counts.read - counts.skipped - counts.rejected,
      deletes,
      unused: unusedColumns.of(table),
      missing: incomplete.get(table) ?? [],
      constantAmounts: check.constantAmounts,
      unknownCodes: check.unknownCodes,
      samples: check.samples,
    };
  };
  const none = { read: 0, skipped: 0, rejected: 0 };
  const notRead = [...incomplete.keys()].map((table) => checked(table, none, 0));
  const result = (done: readonly CheckedTable[], rejections: Rejections): SourceCheck => ({
    source: source.name,
    tables: [...done, ...notRead],
    rejections: rejections.kinds,
    errors: rejections.lines(),
    isLoadable: rejections.count === 0 && incomplete.size === 0,
    ...usableWith(new Map([...checks].map(([table, { filled }]) => [table, filled])), documents),
  });
  if (readable.length === 0) return result([], new Rejections());
  const look = async (prepared: PreparedLoad): Promise<SourceCheck> =>
    result(
      prepared.tables.map(({ target, counts, deletes }) => checked(target.table, counts, deletes.length)),
      prepared.rejections,
    );
  const preparation = { source: { ...source, tables: readable }, folder, isDryRun: true, observer };
  return loaded ? withPreparedLoad(loaded, preparation, look) : withPreparedExport(preparation, look);
};
