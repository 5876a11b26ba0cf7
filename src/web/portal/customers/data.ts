/** A customer's data: failed checks, loads, tables, and the form that checks and loads files. */
import type { FastifyInstance } from 'fastify';
import { type CheckResult, readFailuresByRun, readResults } from '../../../checks/results.ts';
import { maxKeys } from '../../../checks/statements.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { listRuns, type SyncRun } from '../../../sync/history.ts';
import { nothing, pill, table, time } from '../../pages/elements.ts';
import { formatCount, formatTime } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import type { PageContent } from '../layout.ts';
import { addPage } from '../page.ts';
import { readTableStates, type TableState } from './freshness.ts';
import { loadUpload, type UploadOutcome, uploadForm, uploadReport } from './upload.ts';

const pathOf = ({ slug }: Pick<Customer, 'slug'>) => `/portal/customers/${slug}`;

/** The latest of the times; null if there is none. */
export const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);

const runHeadings = [
  { label: 'Began' },
  { label: 'State' },
  { label: 'Mode' },
  { label: 'Files' },
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

/** Loads, the newest first. `syncedAt` is the last sync of the customer's tables; null if there was none. */
export const loadList = (runs: readonly SyncRun[], syncedAt: Date | null): Html => {
  if (runs.length === 0)
    return syncedAt ? nothing(`The data is of ${formatTime(syncedAt)}; its load was not recorded.`) : nothing('Nothing was loaded yet.');
  const rows = runs.map((run) => [
    time(run.started_at),
    stateOf(run),
    run.mode,
    filesOf(run),
    ...[run.rows_read, run.inserted, run.updated, run.deleted].map(formatCount),
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

const loadsShown = 30;

const content = async ({ database }: PortalContext, call: PortalCall, outcome?: UploadOutcome): Promise<PageContent> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const { name, slug } = customer;
  const states = await readTableStates(database, customer.schema_name);
  const runs = await listRuns(database, customer, loadsShown);
  const ofKind = (kind: TableState['kind']) => states.filter((state) => state.kind === kind);
  return {
    title: `Data of ${name}`,
    section: 'customers',
    status: outcome && 'refused' in outcome ? 422 : 200,
    body: html`
<div class="head"><h1>Data of ${name}</h1><a class="button" href="${pathOf(customer)}">${name}</a></div>
${outcome && uploadReport(outcome)}
<section><h2>Checks</h2>${await failedChecks(database, customer, runs)}</section>
<section><h2>Load files</h2>${uploadForm(`${pathOf(customer)}/data`, call.token, outcome)}
<p class="hint">For large and nightly loads: <code>estate sync ${slug} &lt;path…&gt;</code>.</p></section>
<section><h2>Loads</h2>${loadList(runs, latest(states.map(({ synced_at }) => synced_at)))}</section>
<section><h2>Category tables</h2>${tableList(ofKind('category'), 'Category tables')}</section>
<section><h2>Raw tables</h2>${tableList(ofKind('raw'), 'Raw tables')}</section>`,
  };
};

export const customerDataPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/customers/:slug/data', {
    get: (call) => content(context, call),
    post: async (call) => content(context, call, await loadUpload(context, call)),
    isUpload: true,
  });
