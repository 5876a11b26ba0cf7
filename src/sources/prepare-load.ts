/**
 * Prepares the load of a source: reads the export, assigns keys and resolves references.
 *
 * Rows are mapped and spooled first, each with its own integer key. Then references are resolved, because a row may refer to a row of a
 * later file. Keys are assigned in one transaction; a check rolls it back.
 */
import { join } from 'node:path';
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { allowWaiting, withClient } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { type QuarantinedRow, readQuarantine, writeQuarantine } from '../database/control/quarantine.ts';
import { OperatorError } from '../errors.ts';
import { type Reason, Rejection, type Rejections } from '../sync/files/rejections.ts';
import type { Mode } from '../sync/files/source-files.ts';
import type { LeftOut } from '../sync/left-out.ts';
import { Latest } from './columns/latest.ts';
import { watchExport } from './files/named-files.ts';
import { findTarget } from './find-target.ts';
import { AssignedKeys, recordLoads } from './keys/assigned-keys.ts';
import { keyTypeOf } from './keys/key-type.ts';
import { MemoryKeys } from './keys/memory-keys.ts';
import { Spool } from './keys/spool.ts';
import type { KeptLine } from './keys/spool-pages.ts';
import { DeliveryHints } from './loading/delivery-hints.ts';
import { causeAt, Treatment } from './loading/failed-rows.ts';
import { keepLine, lineOf } from './loading/kept-cells.ts';
import {
  type Earlier,
  type ExportReader,
  isShared,
  type Job,
  jobOf,
  KeyForms,
  keepEarlier,
  type Observer,
  RowKeySet,
  type Spooled,
} from './loading/load-job.ts';
import { type PreparedTable, resolveTables } from './loading/resolve-tables.ts';
import { UniqueValues } from './loading/unique-values.ts';
import {
  addCounts,
  isRejected,
  type MappedBatch,
  MappedRow,
  type Mapping,
  mapList,
  mappedRows,
  mappingOf,
  noCounts,
  type RejectedRow,
  type RowCounts,
} from './mapped-rows.ts';
import { formatsOf } from './readers/open-list.ts';
import { withScratch } from './scratch.ts';
import type { Source, TableRule } from './source-file.ts';
import { catalogueTarget, type TargetTable } from './target-table.ts';
import { type Unread, unreadOf } from './unread.ts';

export type { PreparedTable } from './loading/resolve-tables.ts';

export interface PreparedLoad {
  /** upsert: some tables keep rows that the export lacks. Then `deletes` has the keys of the others. */
  readonly mode: Mode;
  readonly tables: readonly PreparedTable[];
  readonly rejections: Rejections;
  /** Rows that are not loaded, and do not refuse the load. */
  readonly leftOut: readonly LeftOut[];
  /** Files and sheets of the delivery that no table reads. */
  readonly unread: readonly Unread[];
  /** The keys of the source by the integers that this load assigned, as far as they are remembered. */
  readonly keyTexts: (table: string, keys: readonly number[]) => ReadonlyMap<number, string>;
  /** Records that the source has loaded its tables, and the rows in quarantine. Call it in the transaction of the load. */
  readonly record: (client: pg.ClientBase) => Promise<void>;
}

/** What the rows of one table of the source go into. */
interface Sink {
  readonly job: Job;
  readonly mapping: Mapping;
  readonly rule: number;
  readonly spool: Spool;
  readonly latest: Latest | undefined;
  readonly rowKeys: RowKeySet;
  readonly uniques: UniqueValues;
  readonly forms: KeyForms;
  readonly treatment: Treatment;
}

/** Assigns the keys of references that may have no target. */
const assignReferences = async ({ keys, delivered }: Job, mapping: Mapping, rows: readonly MappedRow[]): Promise<void> => {
  for (const [at, { table, source, unresolved }] of [...mapping.references.values()].entries()) {
    if (unresolved !== 'assign') continue;
    const texts = rows.map(({ references }) => references[at] ?? null).filter((text) => text !== null);
    for (const key of await keys.assign(table, source, texts)) delivered.of(table).add(key);
  }
};

/** What is kept of a row of the export. A row of the quarantine keeps its time. */
const lineOfRow = (
  { key, cells }: Pick<MappedRow | RejectedRow, 'key' | 'cells'>,
  { columns, facts }: MappedRow['list'],
  since: Date | undefined,
): KeptLine => ({ key, row: keepLine(columns, { cells }), facts: facts ?? null, since });

/** Adds rows that cannot be loaded. */
const failRows = async ({ job, mapping, treatment }: Sink, rows: readonly RejectedRow[], since?: Date): Promise<void> => {
  if (rows.length === 0) return;
  const { table } = mapping.target;
  const found = await job.keys.find(
    table,
    job.source.name,
    rows.map(({ key }) => key ?? ''),
  );
  const failed: number[] = [];
  for (const [index, row] of rows.entries()) {
    const key = row.key === null ? undefined : found[index];
    const origin = treatment.action === 'quarantine' ? lineOfRow(row, row, since) : undefined;
    const place = { file: row.file, line: row.line };
    const kind = treatment.add({ ...place, origin }, row.reasons);
    job.failed.add(treatment, { key, text: row.key }, causeAt(place, kind, treatment));
    if (key !== undefined) failed.push(key);
  }
  await keepEarlier(job, table, failed);
};

/** Why a row with a key cannot be loaded beside the rows before it. */
const conflictOf = ({ mapping, latest, forms, spool }: Sink, row: MappedRow, key: number, position: number): Reason | undefined => {
  const { rule, target, labels } = mapping;
  const other = latest && forms.add(key, row.key, keyTypeOf(target.table));
  if (other !== undefined)
    return {
      column: labels[0]!,
      value: row.key,
      reason: 'is another form of a key of this export: write the key of an object in one form',
      words: `is another form of "${other}": write the key of an object in one form`,
    };
  try {
    latest?.add(key, spool.count + position, row.order, row.isDeleted);
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { column: rule.latest ?? '', reason: error.reason, value: row.order ?? undefined };
  }
};

/** Assigns the own keys of a batch of rows and spools it. */
const spoolBatch = async (sink: Sink, rows: readonly MappedRow[], since?: Date): Promise<void> => {
  const { job, mapping, spool, rule, rowKeys, uniques, treatment } = sink;
  const { table } = mapping.target;
  const assigned = await job.keys.assign(
    table,
    job.source.name,
    rows.map(({ key }) => key),
  );
  await assignReferences(job, mapping, rows);
  const delivered = job.delivered.of(table);
  const spooled: MappedRow[] = [];
  const own: number[] = [];
  const origins: KeptLine[] | undefined = treatment.action === 'quarantine' ? [] : undefined;
  const failed: RejectedRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const key = assigned[index]!;
    const conflict = conflictOf(sink, row, key, spooled.length);
    if (conflict) {
      const { file, line, cells, list } = row;
      failed.push({ file, line, key: row.key, cells, columns: list.columns, facts: list.facts, reasons: [conflict] });
      continue;
    }
    if (!row.isDeleted) {
      delivered.add(key);
      rowKeys.add(key, row.key);
      uniques.note(row.fields);
    }
    origins?.push(lineOfRow(row, row.list, since));
    spooled.push(row);
    own.push(key);
    job.observer.mapped?.(table, row, key);
  }
  await spool.append(spooled, { keys: own, rules: rule, origins });
  await failRows(sink, failed, since);
};

/** Puts rows into the spool, those that cannot be loaded after the others. */
const addRows = async (sink: Sink, rows: MappedBatch, since?: Date): Promise<void> => {
  const bad = rows.filter(isRejected);
  const good = rows.filter((row) => row instanceof MappedRow);
  if (good.length > 0) {
    await spoolBatch(sink, good, since);
    sink.job.observer.progress?.(good.at(-1)!.file, good.length);
  }
  await failRows(sink, bad, since);
};

/** Tries rows in quarantine again. A row whose key the delivery has is judged there, so it is dropped here. */
const retry = async (sink: Sink, waiting: readonly QuarantinedRow[], counts: RowCounts): Promise<void> => {
  for (const { file, line, row, facts, since } of waiting) {
    const columns = Object.keys(row);
    async function* rows() {
      yield [{ line, cells: lineOf(columns, row) }];
    }
    const list = { name: file, columns, rows: rows(), ...(facts && { facts }) };
    for await (const mapped of mapList(sink.job.source, list, sink.mapping, { counts })) await addRows(sink, mapped, since);
  }
};

const integer = /^-?\d+$/;

/** Whether a watermark is later: of integers, such as a counter, the greater; otherwise of texts in ISO 8601. */
const isLater = (a: string, b: string): boolean => (integer.test(a) && integer.test(b) ? BigInt(a) > BigInt(b) : a > b);

/** Maps and spools all tables of the source that fill one raw table. */
const spoolTable = async (job: Job, target: TargetTable, rules: readonly TableRule[]): Promise<Spooled> => {
  const { source, reader, observer } = job;
  const { table, key } = target;
  const fills = [...target.columns.keys()].filter((name) => name !== key && rules.some(({ columns }) => name in columns));
  const mappings = rules.map((rule) => mappingOf(source, rule, target, [...fills, ...unknownColumns(rule, target)]));
  const treatments = rules.map((rule, entry) => new Treatment(rule, entry, job.rejections));
  const ordered = rules.find(({ latest, deletions }) => latest !== undefined || deletions !== undefined);
  const latest = ordered && new Latest(table, ordered.latest, formatsOf(source, ordered));
  const spool = new Spool(join(job.scratch, `${table}.rows`), fills.length);
  const [rowKeys, forms, uniques] = [new RowKeySet(), new KeyForms(), new UniqueValues(table, fills)];
  const counts = noCounts(fills.length);
  let watermark: string | undefined;
  try {
    for (const [index, mapping] of mappings.entries()) {
      const { rule } = mapping;
      const treatment = treatments[index]!;
      const since = rule.watermark === undefined ? undefined : await job.keys.watermarkOf(table, source.name);
      const sink = { job, mapping, rule: index, spool, latest, rowKeys, forms, uniques, treatment };
      const waiting = rule.mode === 'upsert' ? (await job.quarantined(table)).filter(({ entry }) => entry === index) : [];
      const keysSeen = waiting.length > 0 ? new Set<string | null>() : undefined;
      const hints = new DeliveryHints(rule);
      const own = noCounts(fills.length);
      const opened: Observer['opened'] = (list, unused, name) => {
        hints.opened(list, unused);
        observer.opened?.(list, unused, name);
      };
      for await (const batch of reader.rows(mapping, { counts: own, opened }, since)) {
        for (const row of batch) {
          keysSeen?.add(row.key);
          if (!isRejected(row) && row.watermark !== null && (watermark === undefined || isLater(row.watermark, watermark)))
            watermark = row.watermark;
        }
        await addRows(sink, hints.judge(batch));
      }
      for (const { place, reason } of hints.repeatedFiles()) job.rejections.add(place, reason);
      await retry(
        sink,
        waiting.filter((row) => row.key === null || !keysSeen?.has(row.key)),
        own,
      );
      treatment.read = own.read - own.skipped;
      addCounts(counts, own);
    }
    await spool.end();
  } catch (error) {
    spool.discard();
    throw error;
  }
  return { target, rules, columns: fills, mappings, treatments, spool, latest, rowKeys, uniques, counts, watermark };
};

/** Columns of a rule that the target lacks. `mappingOf` refuses them. */
const unknownColumns = ({ columns }: TableRule, target: TargetTable): string[] =>
  Object.keys(columns).filter((name) => !target.columns.has(name));

/** A table that another source has loaded is filled by both, or it is refused: a full load would delete the rows of the other. */
const refuseForeignRows = async ({ keys, source }: Job, table: string, rules: readonly TableRule[]): Promise<void> => {
  if (isShared(rules)) return;
  const others = (await keys.sourcesOf(table)).filter((name) => name !== source.name);
  if (others.length > 0)
    throw new OperatorError(`${table} has rows of the source ${others.join(', ')}. If both fill the table, state shared: true in both.`);
};

/** Refuses the load if a list has too many rows that cannot be loaded, and counts the rows that are left out. */
const settleTreatments = ({ rejections }: Job, { treatments, counts }: Spooled): void => {
  for (const treatment of treatments) treatment.refuseTooMany(rejections);
  counts.rejected = treatments.reduce((sum, { rows }) => sum + rows, 0);
};

const prepareTables = async (
  job: Job,
  targetOf: (table: string) => Promise<TargetTable>,
  schema: string | undefined,
): Promise<PreparedLoad> => {
  const refuseChanged = await job.reader.watch();
  const spooled: Spooled[] = [];
  for (const [table, rules] of groupByTable(job.source.tables)) {
    try {
      await refuseForeignRows(job, table, rules);
      spooled.push(await spoolTable(job, await targetOf(table), rules));
    } catch (error) {
      // The other tables may have errors, too. Their references to this one are no errors of theirs.
      if (!(error instanceof OperatorError)) throw error;
      job.failed.addTable(table, job.rejections.addTable(table, error.text));
    }
  }
  refuseChanged();
  const resolved = await resolveTables(job, spooled);
  for (const one of spooled) settleTreatments(job, one);
  const treatments = spooled.flatMap((one) => one.treatments);
  const watermarks = new Map(spooled.map(({ target, watermark }) => [target.table, watermark]));
  const quarantine = {
    source: job.source.name,
    tables: spooled.map(({ target }) => target.table),
    rows: treatments.flatMap(({ kept }) => kept),
  };
  return {
    ...resolved,
    rejections: job.rejections,
    leftOut: treatments.flatMap(({ report }) => report ?? []),
    unread: await job.reader.unread(),
    keyTexts: (table, keys) => job.keys.textsOf(table, job.source.name, keys),
    record: async (client) => {
      if (schema === undefined) return;
      await recordLoads(client, schema, job.source.name, watermarks);
      await writeQuarantine(client, schema, quarantine);
    },
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
      await allowWaiting(client);
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

/** A source and its files. `reader` replaces the one of this process. */
export interface Export {
  readonly source: Source;
  readonly folder: string;
  readonly reader?: ExportReader | undefined;
}

export interface Preparation extends Export {
  /** Nothing stays assigned, and rejections do not stop the preparation. */
  readonly isDryRun: boolean;
  readonly observer?: Observer;
}

const readerHere = ({ source, folder }: Export): ExportReader => ({
  rows: (mapping, watch, since) => mappedRows(source, folder, mapping, watch, since),
  unread: () => unreadOf(source, folder),
  watch: () => watchExport(source, folder),
});

const newJob = ({ observer = {}, ...delivery }: Preparation, earlier: Earlier, scratch: string): Job =>
  jobOf({ source: delivery.source, reader: delivery.reader ?? readerHere(delivery), observer, scratch, ...earlier });

/**
 * Prepares the load of an export and hands it to `load`, which calls `record`. The rows are on disk until `load` ends. Throws an
 * `OperatorError` if something cannot be read or loaded. In a dry run, values that cannot be loaded are among the rejections.
 */
export const withPreparedLoad = async <T>(
  loaded: Loaded,
  preparation: Preparation,
  load: (prepared: PreparedLoad) => Promise<T>,
): Promise<T> =>
  withScratch(async (scratch) => {
    const { source, isDryRun } = preparation;
    const { schema_name: schema } = loaded.customer;
    const prepared = await withAssignedKeys(loaded, source, isDryRun, async (keys, client) => {
      const earlier = { keys, quarantined: (table: string) => readQuarantine(client, schema, { table, source: source.name }) };
      const result = await prepareTables(newJob(preparation, earlier, scratch), (table) => findTarget(client, schema, table), schema);
      // No key stays assigned for a row that is not loaded.
      if (!isDryRun) result.rejections.throwIfAny();
      return result;
    });
    return load(prepared);
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
    const earlier = { keys: new MemoryKeys(), quarantined: async () => [] };
    return look(await prepareTables(newJob({ ...preparation, isDryRun: true }, earlier, scratch), targetOf, undefined));
  });
