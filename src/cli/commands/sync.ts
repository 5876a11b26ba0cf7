/** `estate sync`: loads delivered files, or shows the load history of a customer. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { commandLine, recordAction } from '../../access/audit.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { Tier } from '../../catalogue/tiers.ts';
import { type Customer, findCustomer } from '../../database/control/customers.ts';
import { type Format, findSourceFiles, type SourceFile } from '../../sync/files/source-files.ts';
import { listRuns } from '../../sync/history.ts';
import type { SyncResult } from '../../sync/request.ts';
import { sync } from '../../sync/sync.ts';
import { showProgress } from '../progress.ts';
import { columns, report, type Session, withSession } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';

export interface SyncOptions {
  readonly full?: true;
  readonly upsert?: true;
  readonly delete?: readonly string[];
  readonly table?: string;
  readonly format: Format;
  readonly dryRun?: true;
  readonly reread?: true;
  readonly create?: true;
  readonly key?: string;
  readonly tier: Tier;
  readonly history?: true;
  readonly json?: boolean;
}

/** The error for options that cannot be combined; undefined if there is none. */
const usageProblem = (paths: readonly string[], options: SyncOptions): string | undefined => {
  const deletes = options.delete ?? [];
  if (options.full && options.upsert) return '--full and --upsert exclude each other.';
  if (deletes.length > 0 && !options.upsert) return '--delete goes with --upsert: a full file deletes what it does not hold.';
  if (paths.length + deletes.length === 0) return 'name the files or folders to load, or - for standard input.';
  if (paths.includes('-') !== (options.table !== undefined)) return '--table <table> goes with - (standard input).';
  if (Boolean(options.create) !== (options.key !== undefined)) return '--create and --key <column> go together.';
  return undefined;
};

/** Copies standard input to a temporary file, because a file with errors is read twice. */
const readStandardInput = async (table: string, format: Format, signal: AbortSignal): Promise<SourceFile> => {
  const path = join(tmpdir(), `estate-${randomUUID()}.${format}`);
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    rmSync(path, { force: true });
    throw signal.aborted ? signal.reason : error;
  }
  return { path, name: 'standard input', table, format, compression: undefined, purpose: 'rows' };
};

const words = ({ customer, dry_run, seconds, tables, read }: SyncResult): string => {
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
  return `${columns(['kind', 'table', 'inserted', 'updated', 'deleted', 'version'], rows)}\n${customer}: ${done}.`;
};

/** The subject of the audit entry. The load history has the outcome. */
const loadInWords = ({ slug }: Customer, files: readonly SourceFile[], { upsert }: SyncOptions): string =>
  `${slug}, ${upsert ? 'upsert' : 'full'}: ${[...new Set(files.map(({ table }) => table))].join(', ')}`;

const load = async (
  { database, config }: Session,
  { customer, paths, options }: { customer: Customer; paths: readonly string[]; options: SyncOptions },
  signal: AbortSignal,
): Promise<void> => {
  const standardInput = options.table === undefined ? undefined : await readStandardInput(options.table, options.format, signal);
  try {
    const named = findSourceFiles(
      paths.filter((path) => path !== '-'),
      'rows',
    );
    const files = [...(standardInput ? [standardInput] : []), ...named, ...findSourceFiles(options.delete ?? [], 'deletes')];
    const newTables = options.key === undefined ? undefined : { key: options.key, tier: options.tier };
    const { progress, done } = showProgress(customer.slug);
    if (!options.dryRun) await recordAction(database.control, commandLine, 'loaded files', loadInWords(customer, files, options));
    const result = await sync(
      { database, catalogue },
      customer,
      {
        files,
        mode: options.upsert ? 'upsert' : 'full',
        dryRun: options.dryRun ?? false,
        reread: options.reread ?? false,
        newTables,
        retentionHours: config.DELTA_RETENTION_HOURS,
        signal,
      },
      progress,
    );
    done(options.dryRun);
    report(result, options, () => words(result));
  } finally {
    if (standardInput) rmSync(standardInput.path, { force: true });
  }
};

const showHistory = async ({ database }: Session, customer: Customer, options: SyncOptions): Promise<void> => {
  const runs = await listRuns(database, customer);
  const rows = runs.map((run) => [
    String(run.id),
    run.started_at.toISOString(),
    run.ended_at?.toISOString() ?? 'running',
    run.mode,
    String(run.inserted),
    String(run.updated),
    String(run.deleted),
    run.error?.split('\n', 1)[0] ?? '',
  ]);
  report(runs, options, () => columns(['run', 'started', 'ended', 'mode', 'inserted', 'updated', 'deleted', 'error'], rows));
};

export const syncFiles = async (slug: string, paths: readonly string[], options: SyncOptions, command: Command): Promise<void> => {
  const problem = options.history ? undefined : usageProblem(paths, options);
  if (problem !== undefined) command.error(`error: ${problem}`);
  await withSession(async (session) => {
    const customer = await findCustomer(session.database, slug);
    if (options.history) await showHistory(session, customer, options);
    else await untilStopped((signal) => load(session, { customer, paths, options }, signal));
  });
};
