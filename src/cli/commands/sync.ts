/** `estate sync`: loads delivered files, or shows the load history of a customer. */
import { createWriteStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { commandLine, recordAction } from '../../access/audit.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { Tier } from '../../catalogue/tiers.ts';
import { type Customer, findCustomer } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { loadSource } from '../../sources/load-source.ts';
import { makeScratch, removeScratch, sweepScratch } from '../../sources/scratch.ts';
import { Cancelled } from '../../sync/cancel.ts';
import { type DeliveredFile, readManifest, verifyManifest } from '../../sync/files/manifest.ts';
import { type DeliveryFormat, findDelivery, findSourceFiles, type SourceFile } from '../../sync/files/source-files.ts';
import { listRuns, recordFailure, type SyncRun } from '../../sync/history.ts';
import { leftOutInWords } from '../../sync/left-out.ts';
import type { Progress, SyncResult } from '../../sync/request.ts';
import { sync } from '../../sync/sync.ts';
import { type ArchivedFile, archiveFiles, filesIn, filesNamed, refuseArchiveWithin } from '../archive.ts';
import { showProgress } from '../progress.ts';
import { chooseSource, type UsedSource } from '../read-source.ts';
import { type CommandSession, columns, report, withSession } from '../session.ts';
import { writeText } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';

export interface SyncOptions {
  readonly full?: true;
  readonly upsert?: true;
  readonly delete?: readonly string[];
  readonly table?: string;
  readonly format: DeliveryFormat;
  readonly dryRun?: true;
  readonly reread?: true;
  readonly timeZone?: string;
  readonly strict?: true;
  readonly allowDeletes?: readonly string[];
  readonly allowEmptyColumns?: readonly string[];
  readonly accept?: true;
  readonly create?: true;
  readonly key?: string;
  readonly tier: Tier;
  readonly history?: true;
  readonly source?: string;
  readonly kept?: string;
  readonly archive?: string;
  readonly expect?: string;
  readonly json?: boolean;
}

/** Whether an option says that the files are named after their raw tables. */
const isOfFiles = ({ full, upsert, delete: deletes = [], table, create, reread, timeZone }: SyncOptions): boolean =>
  [full, upsert, table, create, reread, timeZone].some((one) => one !== undefined) || deletes.length > 0;

/** The error for options that cannot be combined; undefined if there is none. */
const usageProblem = (paths: readonly string[], options: SyncOptions): string | undefined => {
  const deletes = options.delete ?? [];
  const hasSource = options.source !== undefined || options.kept !== undefined;
  if (hasSource && options.create)
    return '--create goes without --source: make the further table from a file with its columns first, then fill it with the source.';
  if (options.source !== undefined && options.kept !== undefined) return '--source and --kept exclude each other.';
  if (hasSource && (isOfFiles(options) || paths.length !== 1))
    return '--source <file> and --kept <name> go with one folder, and the source has the mode. Leave out --full, --upsert, --delete, --table, --reread and --time-zone.';
  if (options.full && options.upsert) return '--full and --upsert exclude each other.';
  if (deletes.length > 0 && !options.upsert) return '--delete goes with --upsert: a full file deletes what it does not hold.';
  if (paths.length + deletes.length === 0) return 'name the files or folders to load, or - for standard input.';
  if (paths.includes('-') !== (options.table !== undefined)) return '--table <table> goes with - (standard input).';
  if (Boolean(options.create) !== (options.key !== undefined)) return '--create and --key <column> go together.';
  return undefined;
};

/** Copies standard input to a temporary file, because a file with errors is read twice. */
const readStandardInput = async (table: string, format: DeliveryFormat, signal: AbortSignal): Promise<SourceFile> => {
  const folder = makeScratch();
  const path = join(folder, `input.${format}`);
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    removeScratch(folder);
    throw signal.aborted ? signal.reason : error;
  }
  return { path, name: 'standard input', table, format, compression: undefined, purpose: 'rows' };
};

/** The failed checks, one in a line. */
const failures = ({ failed_checks, checks_error, dry_run }: SyncResult): string => {
  const rows = failed_checks.map(({ name, severity, count, en, keys }) => [
    severity,
    name,
    count.toLocaleString('en'),
    en,
    keys.join(', '),
  ]);
  const failed = rows.length > 0 ? `\n${columns(['severity', 'failed check', 'count', 'what', 'examples'], rows)}` : '';
  return checks_error === null ? failed : `${failed}\nThe data was ${dry_run ? '' : 'loaded and '}not checked: ${checks_error}`;
};

const words = (result: SyncResult): string => {
  const { customer, dry_run, seconds, tables, read } = result;
  const number = (value: number) => value.toLocaleString('en');
  const rows = tables.map(({ kind, table, inserted, updated, deleted, version }) => [
    kind,
    table,
    number(inserted),
    number(updated),
    number(deleted),
    String(version),
  ]);
  const done = dry_run ? `${number(read)} rows read; nothing was changed` : `${number(read)} rows read in ${seconds.toFixed(1)} s`;
  const leftOut = leftOutInWords(result.left_out ?? []).map((line) => `\n${line}`);
  return `${columns(['kind', 'table', 'inserted', 'updated', 'deleted', 'version'], rows)}\n${customer}: ${done}.${leftOut.join('')}${failures(result)}`;
};

/** The subject of the audit entry. The load history has the outcome. */
const loadInWords = ({ slug }: Customer, files: readonly SourceFile[], { upsert }: SyncOptions): string =>
  `${slug}, ${upsert ? 'upsert' : 'full'}: ${[...new Set(files.map(({ table }) => table))].join(', ')}`;

/** What the commands' loads have in common. */
const requestOf = ({ config }: CommandSession, options: SyncOptions, signal: AbortSignal) => ({
  dryRun: options.dryRun ?? false,
  retentionHours: config.DELTA_RETENTION_HOURS,
  signal,
  allowDeletes: options.allowDeletes ?? [],
  allowEmptyColumns: options.allowEmptyColumns ?? [],
  accept: options.accept ?? false,
});

/** Runs a load, records its end in the audit log, and reports it. Throws the error of the load, also if it cannot be recorded. */
const runLoad = async (
  { database }: CommandSession,
  { customer, subject, options }: { customer: Customer; subject: string; options: SyncOptions },
  start: (progress: Progress) => Promise<SyncResult>,
): Promise<void> => {
  const { progress, done } = showProgress(customer.slug);
  const record = async (action: string) => {
    if (!options.dryRun) await recordAction(database.control, commandLine, action, subject);
  };
  const result = await start(progress).catch(async (error: unknown) => {
    await record('load refused or failed').catch(() => {});
    throw error;
  });
  await record('loaded files');
  done(options.dryRun);
  report(result, options, () => words(result));
};

const load = async (
  session: CommandSession,
  { customer, paths, options }: { customer: Customer; paths: readonly string[]; options: SyncOptions },
  signal: AbortSignal,
): Promise<void> => {
  const standardInput = options.table === undefined ? undefined : await readStandardInput(options.table, options.format, signal);
  try {
    const { files: named, unloaded } = findDelivery(
      paths.filter((path) => path !== '-'),
      'rows',
    );
    const notLoaded = unloaded.map(({ name, reason }) => `not loaded: ${name} (${reason})`).join('\n');
    if (options.strict && notLoaded !== '') throw new OperatorError(`--strict refuses a delivery that is not read in full.\n${notLoaded}`);
    if (notLoaded !== '') writeText(process.stderr, `${notLoaded}\n`);
    const files = [...(standardInput ? [standardInput] : []), ...named, ...findSourceFiles(options.delete ?? [], 'deletes')];
    await verify(options, () => files.flatMap((file) => (file === standardInput ? [] : [{ name: file.name, path: file.path, file }])));
    const request = {
      ...requestOf(session, options, signal),
      files,
      mode: options.upsert ? ('upsert' as const) : ('full' as const),
      reread: options.reread ?? false,
      newTables: options.key === undefined ? undefined : { key: options.key, tier: options.tier },
      timeZone: options.timeZone,
    };
    await runLoad(session, { customer, subject: loadInWords(customer, files, options), options }, (progress) =>
      sync({ database: session.database, catalogue }, customer, request, progress),
    );
    archive(options, () => filesNamed(files.filter((file) => file !== standardInput).map(({ path }) => path)));
  } finally {
    if (standardInput) removeScratch(dirname(standardInput.path));
  }
};

/** Compares a delivery with its manifest, which may be among the files. */
const verify = async ({ expect }: SyncOptions, files: () => readonly DeliveredFile[]): Promise<void> => {
  if (expect === undefined) return;
  const expected = readManifest(expect);
  await verifyManifest(
    files().filter(({ path }) => resolve(path) !== resolve(expect)),
    expected,
  );
};

/** Moves the files of a load that is done. */
const archive = ({ archive: folder, dryRun }: SyncOptions, files: () => readonly ArchivedFile[]): void => {
  if (folder !== undefined && !dryRun) archiveFiles(folder, files());
};

/** Loads an export with its source file. */
const loadExport = async (
  session: CommandSession,
  { customer, folder, used, options }: { customer: Customer; folder: string; used: UsedSource; options: SyncOptions },
  signal: AbortSignal,
): Promise<void> => {
  const { source, version, words: usedInWords } = used;
  // The JSON document names it, too.
  if (!options.json) writeText(process.stderr, `source: ${usedInWords}\n`);
  await verify(options, () => filesIn(folder));
  const request = { ...requestOf(session, options, signal), strict: options.strict ?? false, sourceVersion: version };
  const subject = `${customer.slug}, source ${source.name}${version === undefined ? '' : `, version ${version}`}`;
  await runLoad(session, { customer, subject, options }, async (progress) => {
    const result = await loadSource({ database: session.database, catalogue, customer }, { source, folder }, request, progress);
    for (const name of result.not_loaded ?? []) writeText(process.stderr, `not loaded: ${name}\n`);
    return result;
  });
  archive(options, () => filesIn(folder));
};

const sourceOf = ({ source, source_version }: SyncRun): string =>
  source_version === null ? (source ?? '') : `${source}, version ${source_version}`;

const showHistory = async ({ database }: CommandSession, customer: Customer, options: SyncOptions): Promise<void> => {
  const runs = await listRuns(database, customer);
  const rows = runs.map((run) => [
    String(run.id),
    run.started_at.toISOString(),
    run.ended_at?.toISOString() ?? 'running',
    run.mode,
    sourceOf(run),
    String(run.inserted),
    String(run.updated),
    String(run.deleted),
    run.error?.split('\n', 1)[0] ?? '',
  ]);
  report(runs, options, () => columns(['run', 'started', 'ended', 'mode', 'source', 'inserted', 'updated', 'deleted', 'error'], rows));
};

/** Runs a load, and records a failure that came before its session, such as a missing folder. A dry run is not recorded. */
const recordingFailure = async (
  { database }: CommandSession,
  { customer, paths, options }: { customer: Customer; paths: readonly string[]; options: SyncOptions },
  work: () => Promise<void>,
): Promise<void> => {
  try {
    if (options.archive !== undefined) refuseArchiveWithin(options.archive, paths);
    await work();
  } catch (error) {
    const delivered = { mode: options.upsert ? 'upsert' : 'full', tables: [], files: paths.map((path) => basename(path)) };
    if (!options.dryRun && !(error instanceof Cancelled)) await recordFailure(database, customer, delivered, error).catch(() => {});
    throw error;
  }
};

export const syncFiles = async (slug: string, paths: readonly string[], options: SyncOptions, command: Command): Promise<void> => {
  const problem = options.history ? undefined : usageProblem(paths, options);
  if (problem !== undefined) command.error(`error: ${problem}`);
  sweepScratch();
  await withSession(async (session) => {
    const customer = await findCustomer(session.database, slug);
    const [folder = ''] = paths;
    const isOneFolder = paths.length === 1 && !isOfFiles(options);
    if (options.history) await showHistory(session, customer, options);
    else
      await untilStopped((signal) =>
        recordingFailure(session, { customer, paths, options }, async () => {
          const used = isOneFolder ? await chooseSource(session.database, customer, folder, options) : undefined;
          if (used) await loadExport(session, { customer, folder, used, options }, signal);
          else await load(session, { customer, paths, options }, signal);
        }),
      );
  });
};
