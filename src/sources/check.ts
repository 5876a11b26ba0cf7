/** The check of a source against an export: what a load would do and what the data will answer. It changes nothing. */
import { catalogue } from '../catalogue/index.ts';
import { rawLookups } from '../catalogue/raw/codes.ts';
import { rawColumnFacts } from '../catalogue/raw/columns.ts';
import type { RawTableName } from '../catalogue/raw/index.ts';
import { checksWith } from '../checks/settings.ts';
import { OperatorError, type Surface, textFor } from '../errors.ts';
import { type RejectionCount, rejectionsShown, shown } from '../sync/files/rejections.ts';
import { HeldLoad } from '../sync/guards.ts';
import type { LeftOut } from '../sync/left-out.ts';
import type { Progress, SyncResult } from '../sync/request.ts';
import { valuesOfRow } from './keys/copy-fields.ts';
import { keyInWords } from './keys/key-text.ts';
import { rawTableOf } from './keys/key-type.ts';
import { type LoadOptions, loadPrepared } from './load-source.ts';
import type { MappedRow } from './mapped-rows.ts';
import { type Export, type Loaded, type PreparedLoad, withPreparedExport, withPreparedLoad } from './prepare-load.ts';
import type { Source, TableRule } from './source-file.ts';
import type { Cell, SourceList } from './source-rows.ts';
import { catalogueTarget, requiredWithout } from './target-table.ts';
import { unreadInWords } from './unread.ts';
import { type QuestionColumns, type Usable, usableWith } from './usable.ts';

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
  /** Required columns without a source. No row of the table is read then. */
  readonly missing: readonly string[];
  /** Amounts that the source states as one constant. What computes with them is not among the answers. */
  readonly constantAmounts: readonly string[];
  /** Codes that no code list has, with their number. */
  readonly unknownCodes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly samples: readonly Sample[];
  /** What a person should know of the lists, as sentences. */
  readonly notes: readonly string[];
}

export interface SourceCheck extends Usable {
  readonly source: string;
  readonly tables: readonly CheckedTable[];
  readonly rejections: readonly (RejectionCount & { readonly reason: string })[];
  /** The rejections and the refusal of the load in words. */
  readonly errors: readonly string[];
  /** Rows that a load would leave out. */
  readonly leftOut: readonly LeftOut[];
  /** Files and sheets that no table reads. */
  readonly notLoaded: readonly string[];
  /** What the dry run of the load would do to the customer's tables; null without a customer, or if the load would be refused. */
  readonly load: Pick<SyncResult, 'tables' | 'failed_checks' | 'checks_error' | 'figures'> | null;
  /** Whether a load would be possible. */
  readonly isLoadable: boolean;
  /** Whether the load would be held for differences from the last delivery, which a person can declare right. */
  readonly isHeld: boolean;
}

const textOf = (cell: Cell): string => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''));

/** Whether all entries of the table state the same constant for the column. */
const isConstant = (rules: readonly TableRule[], column: string): boolean => {
  const values = rules.map(({ columns }) => {
    const rule = columns[column];
    if (typeof rule !== 'object' || rule.from !== undefined || rule.join !== undefined || rule.sum !== undefined) return undefined;
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
  readonly notes = new Set<string>();
  readonly constantAmounts: readonly string[];
  readonly #lookups: readonly (readonly [index: number, column: string, codes: ReadonlySet<string>])[];

  constructor(table: string, columns: readonly string[], constantAmounts: readonly string[]) {
    this.columns = columns;
    this.constantAmounts = constantAmounts;
    this.#lookups = columns.flatMap((column, index) => {
      const lookup = rawTableOf(table) && rawColumnFacts(table as RawTableName, column).lookup;
      return lookup ? [[index, column, new Set(rawLookups[lookup].map(([code]) => code))] as const] : [];
    });
  }

  see(row: MappedRow, key: number, keyColumn: string): void {
    const values = valuesOfRow(row.fields, this.columns.length);
    for (const [index, column, known] of this.#lookups) {
      const code = values[index];
      if (code === null || code === undefined || known.has(code)) continue;
      const counts = this.codes.get(column) ?? new Map<string, number>();
      this.codes.set(column, counts.set(code, (counts.get(code) ?? 0) + 1));
    }
    values.forEach((value, index) => {
      const column = this.columns[index]!;
      if (value !== null && !this.constantAmounts.includes(column)) this.filled.add(column);
    });
    this.filled.add(keyColumn);
    if (this.samples.length >= samples) return;
    const before = Object.fromEntries(
      this.names.flatMap(([name, isRead], index) => (isRead ? [[name, shown(textOf(row.cells[index] ?? null))]] : [])),
    );
    const inWords = (value: string | null | undefined) => (value === null || value === undefined ? null : keyInWords(value));
    const after = Object.fromEntries(this.columns.map((column, index) => [column, inWords(values[index])]));
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

/** What a person confirms after the check: deleted rows; differences from the last delivery, and columns without values. */
export type Allowed = 'deletes' | 'differences';

interface Checking {
  readonly allows?: readonly Allowed[];
  /** Where a person reads the check. */
  readonly surface?: Surface;
  readonly signal?: LoadOptions['signal'];
  readonly progress?: Progress;
}

/**
 * Tries the load, so that the check refuses what the load refuses. Gives the refusal, if there is one. Rows that cannot be loaded are
 * errors already; what the tables lose without them is none.
 */
const tryLoad = async (
  loaded: Loaded,
  source: Source,
  prepared: PreparedLoad,
  { allows = [], signal, progress }: Checking,
): Promise<SourceCheck['load'] | OperatorError> => {
  const tables = prepared.tables.map(({ target }) => target.table);
  const isAllowed = (what: Allowed) => allows.includes(what) || prepared.rejections.count > 0;
  const options = {
    dryRun: true,
    givesFigures: true,
    retentionHours: 0,
    ...(isAllowed('deletes') && { allowDeletes: tables }),
    ...(isAllowed('differences') && { allowEmptyColumns: tables, accept: true }),
    ...(signal && { signal }),
  };
  try {
    const {
      tables: changed,
      failed_checks,
      checks_error,
      figures,
    } = await loadPrepared({ ...loaded, catalogue }, source, prepared, options, progress);
    return { tables: changed, failed_checks, checks_error, ...(figures && { figures }) };
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
};

/**
 * Checks a source. With a customer, it is the dry run of the load. `questions`: the columns in which each question of analysts needs values. `loaded`: the customer whose keys and rows count;
 * without it, the tables are taken as empty.
 */
export const checkSource = async (
  { source, folder, reader, questions, ...checking }: Export & Checking & { readonly questions: QuestionColumns },
  loaded: Loaded | undefined,
): Promise<SourceCheck> => {
  checksWith(catalogue, [source.checks ?? []]);
  const tables = tablesOf(source);
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
  const { progress, surface = 'commandLine' } = checking;
  const observer = {
    ...(progress && { progress: (name: string, rows: number) => progress('read', name, rows) }),
    opened: (list: Pick<SourceList, 'name' | 'columns' | 'notes'>, unused: readonly string[], table: string) => {
      const current = checks.get(table)!;
      current.names = list.columns.map((name) => [name, !unused.includes(name)]);
      for (const note of list.notes ?? []) current.notes.add(`${list.name}: ${note}`);
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
      missing: missingOf(tables.get(table)!),
      constantAmounts: check.constantAmounts,
      unknownCodes: check.unknownCodes,
      samples: check.samples,
      notes: [...check.notes],
    };
  };
  const none = { read: 0, skipped: 0, rejected: 0 };
  const look = async (prepared: PreparedLoad): Promise<SourceCheck> => {
    const { rejections, leftOut, unread } = prepared;
    const read = new Map(prepared.tables.map((one) => [one.target.table, one]));
    const errors = rejections.lines(rejectionsShown, surface);
    const tried = loaded ? await tryLoad(loaded, source, prepared, checking) : null;
    const refusal = tried instanceof OperatorError ? tried : undefined;
    if (refusal)
      errors.push(
        ...textFor(surface, refusal.text)
          .split('\n')
          .filter((line) => !errors.includes(line)),
      );
    return {
      source: source.name,
      tables: [...tables.keys()].map((table) => {
        const one = read.get(table);
        return one ? checked(table, one.counts, one.deletes.length) : checked(table, none, 0);
      }),
      rejections: rejections.kinds.map((kind) => ({ ...kind, reason: textFor(surface, kind.reason) })),
      errors,
      isLoadable: errors.length === 0,
      leftOut,
      notLoaded: unread.map(unreadInWords),
      isHeld: refusal instanceof HeldLoad,
      load: tried instanceof OperatorError ? null : tried,
      ...usableWith(new Map([...checks].map(([table, { filled }]) => [table, filled])), questions),
    };
  };
  const preparation = { source, folder, reader, isDryRun: true, observer };
  return loaded ? withPreparedLoad(loaded, preparation, look) : withPreparedExport(preparation, look);
};
