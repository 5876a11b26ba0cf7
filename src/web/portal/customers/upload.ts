/** Files that an operator uploads: received in a temporary folder, checked or loaded as by `estate sync`, and removed. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart } from '@fastify/multipart';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
import { printable } from '../../../printable.ts';
import { loadSource } from '../../../sources/load-source.ts';
import { parseSource } from '../../../sources/source-file.ts';
import { findDelivery, type Mode } from '../../../sync/files/source-files.ts';
import { recordFailure } from '../../../sync/history.ts';
import type { SyncResult } from '../../../sync/request.ts';
import { sync } from '../../../sync/sync.ts';
import { field, nothing, select, table } from '../../pages/elements.ts';
import { formatBytes, formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import { expiredForm } from '../failures.ts';
import { tokenField } from '../layout.ts';

/** The limits of one upload. Larger deliveries are loaded on the command line. */
const limits = { fileSize: 64_000_000, files: 100, fields: 10, fieldSize: 1_000 } as const;

const modes = [
  ['full', 'Each file is its whole table'],
  ['upsert', 'Files hold new and changed rows'],
] as const;

/** What a form asks for, and its result: the report of the load, or why nothing was changed. */
export type UploadOutcome = { readonly mode: Mode } & ({ readonly loaded: SyncResult } | { readonly refused: string });

export const uploadForm = (action: string, token: string, outcome: UploadOutcome | undefined): Html => html`
<form method="post" action="${action}" enctype="multipart/form-data" class="fields panel">
${tokenField(token)}
${field('Files', html`<input type="file" name="files" multiple required>`, `Named by raw table, such as person.csv; any names with a source file. Up to ${limits.files} files of ${formatBytes(limits.fileSize)}.`)}
${field('Source file', html`<input type="file" name="source" accept=".yml,.yaml,.json">`, 'Optional: describes an export of an ERP system')}
${field('Mode', select('mode', modes, outcome?.mode ?? 'full'), 'A source file has its own mode.')}
<div class="actions"><button name="action" value="check">Check only</button><button name="action" value="load" class="primary">Load</button></div>
</form>`;

const resultHeadings = [
  { label: 'Table' },
  { label: 'Inserted', isNumber: true },
  { label: 'Updated', isNumber: true },
  { label: 'Deleted', isNumber: true },
] as const;

const refusalReport = (refused: string): Html =>
  html`<div class="notice bad" role="alert"><p>Nothing was changed.</p><pre>${refused}</pre></div>`;

const loadReport = ({ dry_run, read, tables, failed_checks, checks_error }: SyncResult): Html => {
  const changed = tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
  const rows = changed.map(({ kind, table: name, inserted, updated, deleted }) => [
    html`<code>${kind === 'raw' ? `raw/${name}` : name}</code>`,
    ...[inserted, updated, deleted].map(formatCount),
  ]);
  const checks = failed_checks.length === 0 ? '' : ` ${formatCount(failed_checks.length)} checks of the data failed; see below.`;
  const unchecked = checks_error === null ? '' : ` The data was not checked: ${checks_error}`;
  return html`<p class="notice ${dry_run || (checks === '' && unchecked === '') ? 'good' : 'warn'}" role="status">${read === 1 ? '1 row was' : `${formatCount(read)} rows were`} read.
${dry_run ? 'Nothing was changed: this is what a load would do.' : `They are loaded.${checks}${unchecked}`}</p>
${rows.length > 0 ? table(resultHeadings, rows, dry_run ? 'What a load would change' : 'What the load changed') : nothing('No row is different.')}`;
};

export const uploadReport = (outcome: UploadOutcome): Html =>
  'refused' in outcome ? refusalReport(outcome.refused) : loadReport(outcome.loaded);

type Fields = ReadonlyMap<string, string>;

/** Anything but `upsert` is a full load, as in a form without the field. */
const modeOf = (fields: Fields): Mode => (fields.get('mode') === 'upsert' ? 'upsert' : 'full');

interface Received {
  readonly fields: Fields;
  /** The names of the delivered files. */
  readonly names: readonly string[];
  /** The text of the source file, and its name; undefined without one. */
  readonly source: { readonly text: string; readonly name: string } | undefined;
}

/** A name as the browser sent it, without folders. Two files of one name would replace each other. */
const pathIn = (folder: string, sent: string): string => {
  const name = basename(sent.replaceAll('\\', '/'));
  if (name === '' || name.startsWith('.') || name !== printable(name))
    throw new OperatorError('A file needs a name of printable characters.');
  const path = join(folder, name);
  if (existsSync(path)) throw new OperatorError(`Two files have the name '${name}'.`);
  return path;
};

/** Writes the files below `folder`. The token comes first, and nothing is written before it was checked. */
const receive = async ({ sessions }: PortalContext, { request, session }: PortalCall, folder: string): Promise<Received> => {
  const fields = new Map<string, string>();
  const names: string[] = [];
  let source: Received['source'];
  const checkToken = () => {
    if (!sessions.hasToken(session, fields.get('token') ?? '')) throw expiredForm();
  };
  for await (const part of request.parts({ limits }) as AsyncIterable<Multipart>) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    checkToken();
    // A browser sends a file field without a file as an empty file without a name.
    if (!part.filename) part.file.resume();
    else if (part.fieldname === 'source') source = { text: (await part.toBuffer()).toString('utf8'), name: printable(part.filename) };
    else {
      const path = pathIn(folder, part.filename);
      await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      if (part.file.truncated) throw new OperatorError(`${basename(path)} is larger than ${formatBytes(limits.fileSize)}.`);
      names.push(basename(path));
    }
  }
  checkToken();
  if (names.length === 0) throw new OperatorError('Choose the files to load.');
  return { fields, names, source };
};

interface Delivery extends Received {
  readonly folder: string;
  readonly dryRun: boolean;
}

const load = ({ database, catalogue, deltaRetentionHours }: PortalContext, customer: Customer, delivery: Delivery): Promise<SyncResult> => {
  const { folder, fields, source, dryRun } = delivery;
  const request = { dryRun, retentionHours: deltaRetentionHours };
  const over = { ...database, pool: database.operators.loads };
  if (source)
    return loadSource({ database: over, catalogue, customer }, { source: parseSource(source.text, source.name), folder }, request);
  const { files, unloaded } = findDelivery([folder], 'rows');
  if (unloaded.length > 0) throw new OperatorError(unloaded.map(({ name, reason }) => `${name} cannot be loaded: ${reason}.`).join('\n'));
  return sync({ database: over, catalogue }, customer, { ...request, files, mode: modeOf(fields) });
};

/** Checks or loads the files of a form. A load is recorded in the log; its failure also in the history of loads. */
const checkOrLoad = async (context: PortalContext, call: PortalCall, customer: Customer, delivery: Delivery): Promise<SyncResult> => {
  const subject = `${customer.slug}: ${delivery.source?.name ?? delivery.names.join(', ')}`;
  const record = async (action: string) => {
    if (!delivery.dryRun) await context.record(call, action, subject);
  };
  try {
    const result = await load(context, customer, delivery);
    await record('loaded files');
    return result;
  } catch (error) {
    const mode = modeOf(delivery.fields);
    if (!delivery.dryRun)
      await recordFailure(context.database, customer, { mode, tables: [], files: delivery.names }, error).catch(() => {});
    await record('load refused or failed').catch(() => {});
    throw error;
  }
};

/** Receives the files of a form, and checks or loads them. Throws a `PageError` if the form has expired. */
export const loadUpload = async (context: PortalContext, call: PortalCall): Promise<UploadOutcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'estate-upload-'));
  let mode: Mode = 'full';
  try {
    const customer = await findCustomer(context.database, call.parameter('slug'));
    const received = await receive(context, call, folder);
    mode = modeOf(received.fields);
    const dryRun = received.fields.get('action') !== 'load';
    return { mode, loaded: await checkOrLoad(context, call, customer, { ...received, folder, dryRun }) };
  } catch (error) {
    if (error instanceof OperatorError) return { mode, refused: error.message.replaceAll(`${folder}/`, '') };
    throw error;
  } finally {
    // The rest of a body that was refused. Without it, the connection could not be used again.
    call.request.raw.resume();
    await rm(folder, { recursive: true, force: true });
  }
};
