/**
 * Prepares the load of a source: reads the export, assigns keys and resolves references.
 *
 * Rows are mapped and spooled first, each with its own integer key. Then references are resolved, because a row may refer to a row of a
 * later file. Keys are assigned in one transaction; a check rolls it back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { withClient } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { OperatorError } from '../errors.ts';
import type { Mode } from '../sync/files/source-files.ts';
import { Latest } from './columns/latest.ts';
import { AssignedKeys, type Keys, recordLoads } from './keys/assigned-keys.ts';
import { IntegerSet } from './keys/integer-set.ts';
import { keyInWords } from './keys/key-text.ts';
import { MemoryKeys } from './keys/memory-keys.ts';
import { Spool, type SpooledRow } from './keys/spool.ts';
import { type MappedRow, type Mapping, mappedRows, mappingOf, type Reference, type RowCounts, type Watch } from './mapped-rows.ts';
import { formatsOf } from './readers/open-list.ts';
import { Rejection, Rejections } from './rejections.ts';
import type { Source, TableRule } from './source-file.ts';
import { catalogueTarget, findTarget, type TargetTable } from './target-table.ts';

const batchSize = 1_000;

/** Rows of one raw table with integer keys. */
export interface PreparedTable {
  readonly target: TargetTable;
  /** The key first. */
  readonly columns: readonly string[];
  /** Counts by table of the source. */
  readonly counts: RowCounts;
  /** The columns as messages name them, by rule. */
  readonly labels: readonly (readonly string[])[];
  rows(): AsyncIterable<readonly SpooledRow[]>;
  /** The keys to delete. */
  readonly deletes: readonly number[];
}

export interface PreparedLoad {
  /** upsert: some tables keep rows that the export lacks. Then `deletes` has the keys of the others. */
  readonly mode: Mode;
  readonly tables: readonly PreparedTable[];
  readonly rejections: Rejections;
  /** The state to record after the load. */
  readonly watermarks: ReadonlyMap<string, string | undefined>;
}

/** What a check sees of each row and list. */
export interface Observer {
  readonly opened?: NonNullable<Watch['opened']>;
  readonly mapped?: (table: string, row: MappedRow, key: number) => void;
  readonly progress?: (name: string, rows: number) => void;
}

interface Job {
  readonly source: Source;
  readonly folder: string;
  readonly keys: Keys;
  readonly rejections: Rejections;
  readonly observer: Observer;
  readonly scratch: string;
  /** The keys of the rows of this load, by raw table. */
  readonly delivered: Map<string, IntegerSet>;
}

const deliveredOf = ({ delivered }: Pick<Job, 'delivered'>, table: string): IntegerSet => {
  let set = delivered.get(table);
  if (!set) {
    set = new IntegerSet();
    delivered.set(table, set);
  }
  return set;
};

/** The spool of a raw table, and what is known about it after its rows were mapped. */
interface Spooled {
  readonly target: TargetTable;
  readonly rules: readonly TableRule[];
  readonly columns: readonly string[];
  /** The mapping of each rule. */
  readonly mappings: readonly Mapping[];
  readonly spool: Spool;
  readonly latest: Latest | undefined;
  readonly counts: RowCounts;
  readonly watermark: string | undefined;
}

const modeOf = (rules: readonly TableRule[]): Mode => (rules.some(({ mode }) => mode === 'upsert') ? 'upsert' : 'full');

/** Assigns the keys of references that may have no target. */
const assignReferences = async ({ keys, delivered }: Job, mapping: Mapping, rows: readonly MappedRow[]): Promise<void> => {
  for (const [column, { table, source, unresolved }] of mapping.references) {
    if (unresolved !== 'assign') continue;
    const at = mapping.columns.indexOf(column);
    const texts = rows.flatMap(({ values }) => values[at] ?? []);
    for (const key of (await keys.assign(table, source, texts)).values()) deliveredOf({ delivered }, table).add(key);
  }
};

/** Assigns the own keys of a batch of rows and spools it. */
const spoolBatch = async (
  job: Job,
  mapping: Mapping,
  rows: readonly MappedRow[],
  { spool, latest, rule }: Pick<Spooled, 'spool' | 'latest'> & Pick<SpooledRow, 'rule'>,
): Promise<void> => {
  const { table } = mapping.target;
  const assigned = await job.keys.assign(
    table,
    job.source.name,
    rows.map(({ key }) => key),
  );
  await assignReferences(job, mapping, rows);
  const delivered = deliveredOf(job, table);
  const spooled: SpooledRow[] = [];
  for (const row of rows) {
    const key = assigned.get(row.key)!;
    try {
      latest?.add(key, spool.count + spooled.length, row.order, row.isDeleted);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      job.rejections.add(
        { file: row.file, line: row.line, column: mapping.rule.latest ?? '' },
        { reason: error.reason, value: row.order ?? undefined },
      );
    }
    if (!row.isDeleted) delivered.add(key);
    spooled.push({ file: row.file, line: row.line, key, rule, values: [...row.values] });
    job.observer.mapped?.(table, row, key);
  }
  await spool.append(spooled);
};

const integer = /^-?\d+$/;

/** Whether a watermark is later: of integers, such as a counter, the greater; otherwise of texts in ISO 8601. */
const isLater = (a: string, b: string): boolean => (integer.test(a) && integer.test(b) ? BigInt(a) > BigInt(b) : a > b);

/** Maps and spools all tables of the source that fill one raw table. */
const spoolTable = async (job: Job, target: TargetTable, rules: readonly TableRule[]): Promise<Spooled> => {
  const { source, folder, rejections, observer } = job;
  const { table, key } = target;
  const fills = [...target.columns.keys()].filter((name) => name !== key && rules.some(({ columns }) => name in columns));
  const mappings = rules.map((rule) => mappingOf(source, rule, target, [...fills, ...unknownColumns(rule, target)]));
  const ordered = rules.find(({ latest, deletions }) => latest !== undefined || deletions !== undefined);
  const latest = ordered && new Latest(table, ordered.latest, formatsOf(source, ordered));
  const spool = new Spool(join(job.scratch, `${table}.rows`));
  const counts: RowCounts = { read: 0, skipped: 0, rejected: 0 };
  let watermark: string | undefined;
  try {
    for (const [index, mapping] of mappings.entries()) {
      const since = mapping.rule.watermark === undefined ? undefined : await job.keys.watermarkOf(table, source.name);
      let batch: MappedRow[] = [];
      const flush = async () => {
        await spoolBatch(job, mapping, batch, { spool, latest, rule: index });
        observer.progress?.(batch.at(-1)?.file ?? table, batch.length);
        batch = [];
      };
      for await (const row of mappedRows(
        source,
        folder,
        mapping,
        { rejections, counts, ...(observer.opened && { opened: observer.opened }) },
        since,
      )) {
        if (row.watermark !== null && (watermark === undefined || isLater(row.watermark, watermark))) watermark = row.watermark;
        batch.push(row);
        if (batch.length >= batchSize) await flush();
      }
      if (batch.length > 0) await flush();
    }
    await spool.end();
  } catch (error) {
    spool.discard();
    throw error;
  }
  return { target, rules, columns: fills, mappings, spool, latest, counts, watermark };
};

/** Columns of a rule that the target lacks. `mappingOf` refuses them. */
const unknownColumns = ({ columns }: TableRule, target: TargetTable): string[] =>
  Object.keys(columns).filter((name) => !target.columns.has(name));

/** Whether each key has a row: of this load, or of an earlier one. */
const withoutTarget = async (
  job: Job,
  fullTables: ReadonlySet<string>,
  { table }: Reference,
  found: ReadonlyMap<string, number>,
): Promise<Set<number>> => {
  const delivered = deliveredOf(job, table);
  const missing = [...found.values()].filter((key) => !delivered.has(key));
  if (missing.length === 0 || fullTables.has(table)) return new Set(missing);
  const present = new Set(await job.keys.presentIn(table, missing));
  return new Set(missing.filter((key) => !present.has(key)));
};

/** Replaces the references of a batch by integers. */
const resolveBatch = async (job: Job, fullTables: ReadonlySet<string>, spooled: Spooled, batch: readonly SpooledRow[]): Promise<void> => {
  for (const [rule, { references }] of spooled.mappings.entries())
    await resolveRows(
      job,
      fullTables,
      spooled,
      references,
      batch.filter((row) => row.rule === rule),
    );
};

/** Replaces the references of rows of one rule. */
const resolveRows = async (
  job: Job,
  fullTables: ReadonlySet<string>,
  spooled: Spooled,
  references: ReadonlyMap<string, Reference>,
  rows: readonly SpooledRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  for (const [column, reference] of references) {
    const at = spooled.columns.indexOf(column);
    const texts = rows.flatMap(({ values }) => values[at] ?? []);
    const found = await job.keys.find(reference.table, reference.source, texts);
    const dangling = await withoutTarget(job, fullTables, reference, found);
    const required = spooled.target.columns.get(column)?.required === true;
    for (const row of rows) {
      const text = row.values[at] ?? null;
      if (text === null) continue;
      const key = found.get(text);
      const isResolved = key !== undefined && !dangling.has(key);
      row.values[at] = isResolved ? String(key) : null;
      if (isResolved || (reference.unresolved === 'null' && !required)) continue;
      const reason = `has no row in ${reference.table}: deliver it, or state unresolved${required ? ': assign' : ''}`;
      job.rejections.add({ file: row.file, line: row.line, column: reference.label }, { reason, value: keyInWords(text) });
    }
  }
};

/** The keys of rows that a full export no longer holds, if the load as a whole is an upsert. */
const goneKeys = async (job: Job, { target: { table }, rules }: Spooled): Promise<number[]> => {
  const delivered = deliveredOf(job, table);
  const gone: number[] = [];
  if (!isShared(rules)) {
    for await (const page of job.keys.keysIn(table)) gone.push(...page.filter((key) => !delivered.has(key)));
    return gone;
  }
  for await (const page of job.keys.ownedBy(table, job.source.name)) {
    const missing = page.filter((key) => !delivered.has(key));
    gone.push(...(await job.keys.presentIn(table, missing)));
  }
  return gone;
};

const isShared = (rules: readonly TableRule[]): boolean => rules.some(({ shared }) => shared === true);

/** Resolves the references of a raw table into a second spool. */
const resolveTable = async (job: Job, fullTables: ReadonlySet<string>, mode: Mode, spooled: Spooled): Promise<PreparedTable> => {
  const { target, rules, columns, mappings, latest, counts } = spooled;
  const resolved = new Spool(join(job.scratch, `${target.table}.resolved`));
  for await (const batch of spooled.spool.read()) {
    const rows = latest ? batch.filter(({ key, position }) => latest.has(key, position)) : batch;
    await resolveBatch(job, fullTables, spooled, rows);
    await resolved.append(rows);
  }
  await resolved.end();
  const gone = mode === 'upsert' && modeOf(rules) === 'full' ? await goneKeys(job, spooled) : [];
  const deletes = [...new Set([...gone, ...(latest && modeOf(rules) === 'upsert' ? latest.deleted() : [])])];
  return {
    target,
    columns: [target.key, ...columns],
    counts,
    labels: mappings.map(({ labels }) => labels),
    rows: () => resolved.read(),
    deletes,
  };
};

/** A table that another source has loaded is filled by both, or it is refused: a full load would delete the rows of the other. */
const refuseForeignRows = async ({ keys, source }: Job, table: string, rules: readonly TableRule[]): Promise<void> => {
  if (isShared(rules)) return;
  const others = (await keys.sourcesOf(table)).filter((name) => name !== source.name);
  if (others.length > 0)
    throw new OperatorError(`${table} has rows of the source ${others.join(', ')}. If both fill the table, state shared: true in both.`);
};

const prepareTables = async (job: Job, targetOf: (table: string) => Promise<TargetTable>): Promise<PreparedLoad> => {
  const spooled: Spooled[] = [];
  for (const [table, rules] of groupByTable(job.source.tables)) {
    await refuseForeignRows(job, table, rules);
    spooled.push(await spoolTable(job, await targetOf(table), rules));
  }
  const fullTables = new Set(spooled.filter(({ rules }) => modeOf(rules) === 'full' && !isShared(rules)).map(({ target }) => target.table));
  const mode = fullTables.size === spooled.length ? 'full' : 'upsert';
  const tables: PreparedTable[] = [];
  for (const one of spooled) tables.push(await resolveTable(job, fullTables, mode, one));
  return {
    mode,
    tables,
    rejections: job.rejections,
    watermarks: new Map(spooled.map(({ target, watermark }) => [target.table, watermark])),
  };
};

const groupByTable = (tables: readonly TableRule[]): Map<string, TableRule[]> => {
  const groups = new Map<string, TableRule[]>();
  for (const rule of tables) groups.set(rule.table, [...(groups.get(rule.table) ?? []), rule]);
  return groups;
};

/** Runs `work` in a transaction. The keys that it assigns stay only if it says so. */
const withAssignedKeys = async <T>(
  { database, customer: { schema_name } }: Loaded,
  source: Source,
  isDryRun: boolean,
  work: (keys: AssignedKeys, client: pg.ClientBase) => Promise<T>,
): Promise<T> =>
  withClient(database.pool, async (client) => {
    await client.query('begin');
    try {
      // Reading a large export takes longer than a statement may.
      if (!database.embedded) await client.query('set local idle_in_transaction_session_timeout = 0');
      const shared = new Set(source.tables.filter((rule) => rule.shared).map(({ table }) => table));
      const result = await work(await AssignedKeys.open(client, schema_name, shared), client);
      await client.query(isDryRun ? 'rollback' : 'commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });

/** The customer whose tables are loaded. */
export interface Loaded {
  readonly database: Database;
  readonly customer: Customer;
}

export interface Preparation {
  readonly source: Source;
  readonly folder: string;
  /** Nothing stays assigned, and rejections do not stop the preparation. */
  readonly isDryRun: boolean;
  readonly observer?: Observer;
}

const withScratch = async <T>(work: (scratch: string) => Promise<T>): Promise<T> => {
  const scratch = mkdtempSync(join(tmpdir(), 'estate-source-'));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const jobOf = ({ source, folder, observer = {} }: Preparation, keys: Keys, scratch: string): Job => ({
  source,
  folder,
  keys,
  observer,
  scratch,
  rejections: new Rejections(),
  delivered: new Map(),
});

/**
 * Prepares the load of an export and hands it to `load`. The rows are on disk until `load` ends. Throws an `OperatorError` if something
 * cannot be read or loaded. In a dry run, values that cannot be loaded are among the rejections.
 */
export const withPreparedLoad = async <T>(
  loaded: Loaded,
  preparation: Preparation,
  load: (prepared: PreparedLoad) => Promise<T>,
): Promise<T> =>
  withScratch(async (scratch) => {
    const { source, isDryRun } = preparation;
    const { database, customer } = loaded;
    const prepared = await withAssignedKeys(loaded, source, isDryRun, async (keys, client) => {
      const result = await prepareTables(jobOf(preparation, keys, scratch), (table) => findTarget(client, customer.schema_name, table));
      // No key stays assigned for a row that is not loaded.
      if (!isDryRun) result.rejections.throwIfAny();
      return result;
    });
    const result = await load(prepared);
    if (!isDryRun) await withClient(database.pool, (client) => recordLoads(client, customer.schema_name, source.name, prepared.watermarks));
    return result;
  });

/** Prepares an export without a customer, as if its tables were empty. */
export const withPreparedExport = async <T>(
  preparation: Omit<Preparation, 'isDryRun'>,
  look: (prepared: PreparedLoad) => Promise<T>,
): Promise<T> =>
  withScratch(async (scratch) => {
    const targetOf = async (table: string): Promise<TargetTable> => {
      const target = catalogueTarget(table);
      if (!target)
        throw new OperatorError(
          `There is no raw table '${table}' in the catalogue. A table of a customer alone needs --customer. If the customer has no such table, make it first: estate sync <customer> <table>.csv --create --key <column>.`,
        );
      return target;
    };
    return look(await prepareTables(jobOf({ ...preparation, isDryRun: true }, new MemoryKeys(), scratch), targetOf));
  });
