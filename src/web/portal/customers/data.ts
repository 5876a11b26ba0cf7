/** A customer's data: failed checks, loads, tables, and the form that checks and loads files. */
import type { FastifyInstance } from 'fastify';
import { type CheckResult, readFailuresByRun, readResults } from '../../../checks/results.ts';
import { maxKeys } from '../../../checks/statements.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { withClient } from '../../../database/connections/transaction.ts';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { countQuarantined } from '../../../database/control/quarantine.ts';
import { currentSources } from '../../../sources/kept/kept-sources.ts';
import { listUploads, type Upload, waitingUploads } from '../../../sources/outside/upload-state.ts';
import { listRuns, type SyncRun } from '../../../sync/history.ts';
import { acceptHeld, heldDeliveries } from '../../../sync/profiles/kept-profiles.ts';
import { nothing, pill, table, time } from '../../pages/elements.ts';
import { formatCount, formatTime } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { sourcesPath, stepList } from './drafts/steps.ts';
import { readTableStates, type TableState } from './freshness.ts';
import { versionLink } from './sources.ts';
import { acceptUpload, type RefusedUpload, uploadForm } from './upload.ts';
import { refusalReport, uploadPath, uploadState } from './upload-page.ts';

const pathOf = ({ slug }: Pick<Customer, 'slug'>) => `/portal/customers/${slug}`;

/** The latest of the times; null if there is none. */
export const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);

const runHeadings = [
  { label: 'Began' },
  { label: 'State' },
  { label: 'Mode' },
  { label: 'Files' },
  { label: 'Source' },
  { label: 'Rows read', isNumber: true },
  { label: 'Inserted', isNumber: true },
  { label: 'Updated', isNumber: true },
  { label: 'Deleted', isNumber: true },
  { label: 'Failed checks', isNumber: true },
] as const;

const stateOf = ({ started_at, ended_at, error }: SyncRun): Html => {
  if (!ended_at) return pill('running', 'warn');
  if (error !== null) return html`${pill('failed', 'bad')} ${error}`;
  return html`${pill('done', 'good')} in ${((ended_at.getTime() - started_at.getTime()) / 1000).toFixed(1)} s`;
};

/** The files of a load; its tables if it had no files. */
const filesOf = ({ files, tables }: SyncRun): Html => {
  const names = files.length > 0 ? files : tables;
  const what = files.length > 0 ? 'files' : 'tables';
  return names.length > 3 ? html`<span title="${names.join(', ')}">${names.length} ${what}</span>` : html`${names.join(', ')}`;
};

const sourceOf = ({ source, source_version }: SyncRun): string =>
  source_version === null ? (source ?? '–') : `${source}, version ${source_version}`;

/** Loads, the newest first. `syncedAt` is the last sync of the customer's tables; null if there was none. */
export const loadList = (runs: readonly SyncRun[], syncedAt: Date | null): Html => {
  if (runs.length === 0)
    return syncedAt ? nothing(`The data is of ${formatTime(syncedAt)}; its load was not recorded.`) : nothing('Nothing was loaded yet.');
  const rows = runs.map((run) => [
    time(run.started_at),
    stateOf(run),
    run.mode,
    filesOf(run),
    sourceOf(run),
    ...[run.rows_read, run.inserted, run.updated, run.deleted].map((value) => formatCount(value)),
    run.failed_checks === null ? '–' : formatCount(run.failed_checks),
  ]);
  return table(runHeadings, rows, 'The last loads');
};

const tones = { refuse: 'bad', warn: 'warn' } as const;

/** The number of earlier loads whose counts are shown. */
const comparedRuns = 5;

const checkHeadings = [
  { label: 'Severity' },
  { label: 'Table' },
  { label: 'What' },
  { label: 'Count', isNumber: true },
  { label: 'Loads before', isNumber: true },
  { label: 'Examples of keys' },
] as const;

/** The checked loads before the last one, newest first. */
const earlierRuns = (runs: readonly SyncRun[]): readonly number[] =>
  runs
    .filter(({ failed_checks }) => failed_checks !== null)
    .map(({ id }) => id)
    .slice(1, comparedRuns + 1);

const failedChecks = async ({ pool }: Database, { schema_name }: Customer, runs: readonly SyncRun[]): Promise<Html> => {
  const results = await readResults(pool, schema_name);
  if (results.length === 0) return nothing('No load was checked yet.');
  const failed = results.filter(({ count }) => count > 0);
  const summary = html`<p>${failed.length === 0 ? 'No check' : formatCount(failed.length)} of ${formatCount(results.length)} checks failed, ${time(lastCheck(results))}.</p>`;
  if (failed.length === 0) return summary;
  const earlier = earlierRuns(runs);
  const counts = await readFailuresByRun(pool, schema_name, earlier);
  const before = (name: string) => earlier.map((run) => formatCount(counts.get(run)?.[name] ?? 0)).join(', ');
  const rows = failed.map(({ severity, table: name, en, count, findings, name: check }) => [
    pill(severity, tones[severity]),
    html`<code>${name}</code>`,
    html`<span title="${check}">${en}</span>`,
    formatCount(count),
    before(check) || '–',
    findings
      .flatMap(({ keys }) => keys)
      .slice(0, maxKeys)
      .join(', '),
  ]);
  return html`${summary}${table(checkHeadings, rows, 'Failed checks')}`;
};

const lastCheck = (results: readonly CheckResult[]): Date =>
  results.reduce((last, { checked_at }) => (checked_at > last ? checked_at : last), new Date(0));

const tableHeadings = [
  { label: 'Table' },
  { label: 'Rows', isNumber: true },
  { label: 'Version', isNumber: true },
  { label: 'Last load' },
  { label: 'Last change' },
] as const;

const tableList = (states: readonly TableState[], caption: string): Html => {
  const rows = states.map(({ name, row_count, version, synced_at, changed_at }) => [
    html`<code>${name}</code>`,
    formatCount(row_count),
    formatCount(version),
    time(synced_at, 'never'),
    time(changed_at, 'never'),
  ]);
  return table(tableHeadings, rows, caption);
};

const quarantineHeadings = [
  { label: 'Raw table' },
  { label: 'Source' },
  { label: 'Why' },
  { label: 'Rows', isNumber: true },
  { label: 'First place' },
  { label: 'Since' },
] as const;

/** Rows of exports that could not be loaded. The rows themselves are in the database only. */
const quarantined = async ({ pool }: Database, { schema_name }: Customer): Promise<Html | undefined> => {
  const counts = await countQuarantined(pool, schema_name);
  if (counts.length === 0) return undefined;
  const rows = counts.map(({ table: name, source, reason, rows: count, file, line, since }) => [
    html`<code>${name}</code>`,
    source,
    reason,
    formatCount(count),
    `${file}, line ${line}`,
    time(since),
  ]);
  return html`<section><h2>Quarantine</h2>
<p>The next load tries rows that it contains again. A row that a full delivery no longer has is dropped.</p>
${table(quarantineHeadings, rows, 'Rows that could not be loaded')}</section>`;
};

/** Deliveries that differ much from the last ones, and the form that accepts them. */
const held = async ({ pool }: Database, customer: Customer, token: string): Promise<Html | undefined> => {
  const deliveries = await heldDeliveries(pool, customer.schema_name);
  if (deliveries.length === 0) return undefined;
  const newest = latest(deliveries.map(({ at }) => at))!;
  const lines = deliveries.flatMap(({ surprises }) => surprises);
  return html`<section class="notice warn"><h2>Held deliveries</h2>
<p>Ordinary changes do not explain these differences from the last load, ${time(newest)}. Nothing of the deliveries was loaded.</p>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${pathOf(customer)}/data/accept">${tokenField(token)}<input type="hidden" name="before" value="${newest.toISOString()}">
<button>Accept the differences</button></form>
<p class="hint">Then load the files again. Later deliveries are compared with these.</p></section>`;
};

/** Accepts what the page has shown. A delivery that was held later is not accepted. */
const accept = async (context: PortalContext, call: PortalCall): Promise<Redirect> => {
  const customer = await findCustomer(context.database, call.parameter('slug'));
  const before = new Date(call.form.get('before') ?? '');
  if (!Number.isNaN(before.getTime())) {
    // The page shows milliseconds, and the database keeps microseconds.
    const accepted = await withClient(context.database.pool, (client) =>
      acceptHeld(client, customer.schema_name, new Date(before.getTime() + 1)),
    );
    if (accepted.length > 0) await context.record(call, 'accepted held deliveries', `${customer.slug}: ${accepted.join(', ')}`);
  }
  return { to: `${pathOf(customer)}/data` };
};

const loadsShown = 30;
const uploadsShown = 5;

const uploadHeadings = [{ label: 'Uploaded' }, { label: 'State' }, { label: 'By' }, { label: 'Files' }] as const;

/** The last uploads, each with the address of its page; nothing if there are none. */
const uploadList = (customer: Customer, uploads: readonly Upload[], caption: string): Html => {
  if (uploads.length === 0) return html``;
  const rows = uploads.map((upload) => [
    time(upload.started_at),
    uploadState(upload),
    upload.actor,
    html`<a href="${uploadPath(customer, upload.id)}">${upload.source ?? upload.files.slice(0, 3).join(', ')}</a>`,
  ]);
  return table(uploadHeadings, rows, caption);
};

/** Uploads and deliveries whose files are kept until a person decides. */
const waiting = async (database: Database, customer: Customer): Promise<Html | undefined> => {
  const uploads = await waitingUploads(database, customer);
  if (uploads.length === 0) return undefined;
  return html`<section><h2>Waiting deliveries</h2>
<p>Nothing of them was loaded. Open one to see why, and to load or discard it.</p>
${uploadList(customer, uploads, 'Deliveries that wait for a person')}</section>`;
};

const content = async ({ database }: PortalContext, call: PortalCall, refused?: RefusedUpload): Promise<PageContent> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const { name, slug } = customer;
  const states = await readTableStates(database, customer.schema_name);
  const runs = await listRuns(database, customer, loadsShown);
  const kept = await currentSources(database.control, customer);
  const ofKind = (kind: TableState['kind']) => states.filter((state) => state.kind === kind);
  return {
    title: `Data of ${name}`,
    section: 'customers',
    status: refused ? 422 : 200,
    body: html`
<div class="head"><h1>Data of ${name}</h1><a class="button" href="${pathOf(customer)}">${name}</a></div>
${refused && refusalReport(refused.refused)}
${await waiting(database, customer)}
${await held(database, customer, call.token)}
${await quarantined(database, customer)}
<section><h2>Checks</h2>${await failedChecks(database, customer, runs)}</section>
<section><h2>Load files</h2>${stepList('Drop', {})}${uploadForm(`${pathOf(customer)}/data`, call.token, { refused, kept })}
<p>${kept.length === 0 ? 'No source is kept.' : kept.map((one) => html`Kept source ${versionLink(slug, one)} `)}<a href="${sourcesPath(slug)}">Sources and their versions</a></p>
${uploadList(customer, await listUploads(database, customer, uploadsShown), 'The last uploads')}
<p class="hint">For large and nightly loads: <code>estate sync ${slug} &lt;path…&gt;</code>.</p></section>
<section><h2>Loads</h2>${loadList(runs, latest(states.map(({ synced_at }) => synced_at)))}</section>
<section><h2>Category tables</h2>${tableList(ofKind('category'), 'Category tables')}</section>
<section><h2>Raw tables</h2>${tableList(ofKind('raw'), 'Raw tables')}</section>`,
  };
};

export const customerDataPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/customers/:slug/data/accept', { post: (call) => accept(context, call) });
  addPage(scope, context, '/portal/customers/:slug/data', {
    get: (call) => content(context, call),
    post: async (call) => {
      const accepted = await acceptUpload(context, call);
      return 'to' in accepted ? accepted : content(context, call, accepted);
    },
    isUpload: true,
  });
};
