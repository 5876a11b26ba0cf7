/** A customer's data: failed checks, loads, tables, and the form that checks and loads files. */
import type { FastifyInstance } from 'fastify';
import { rawTableLabel, tableLabel } from '../../../catalogue/texts/raw-labels.ts';
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
import { type Heading, nothing, pill, table } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import type { DataTexts } from '../texts/data.ts';
import type { Wording } from '../texts/wording.ts';
import { sourcesPath, stepList } from './drafts/steps.ts';
import { readTableStates, type TableState } from './freshness.ts';
import { versionLink } from './sources.ts';
import { acceptUpload, type RefusedUpload, uploadForm } from './upload.ts';
import { refusalReport, uploadPath, uploadState } from './upload-page.ts';

const pathOf = ({ slug }: Pick<Customer, 'slug'>) => `/portal/customers/${slug}`;

/** The latest of the times; null if there is none. */
export const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);

const labels = (...names: readonly string[]): readonly Heading[] => names.map((label) => ({ label }));
const numbers = (...names: readonly string[]): readonly Heading[] => names.map((label) => ({ label, isNumber: true }));

const runHeadings = ({ loads, columns: c }: DataTexts): readonly Heading[] => [
  ...labels(loads.began, c.state, loads.mode, c.files, c.source),
  ...numbers(c.read, c.inserted, c.updated, c.deleted, loads.failedChecks),
];

const stateOf = ({ started_at, ended_at, error }: SyncRun, { data: { loads: t }, decimal, inEnglish }: Wording): Html => {
  if (!ended_at) return pill(t.running, 'warn');
  if (error !== null) return html`${pill(t.failed, 'bad')} ${inEnglish(error)}`;
  return html`${pill(t.done, 'good')} ${t.seconds(decimal(((ended_at.getTime() - started_at.getTime()) / 1000).toFixed(1)))}`;
};

/** The files of a load; its tables if it had no files. */
const filesOf = ({ files, tables }: SyncRun, { data: { loads: t }, count }: Wording): Html => {
  const names = files.length > 0 ? files : tables;
  const amount = (files.length > 0 ? t.files : t.tables)(count(names.length));
  return names.length > 3 ? html`<span title="${names.join(', ')}">${amount}</span>` : html`${names.join(', ')}`;
};

const sourceOf = ({ source, source_version }: SyncRun, { version }: DataTexts): string =>
  source === null || source_version === null ? (source ?? '–') : version(source, source_version);

/** Loads, the newest first. `syncedAt` is the last sync of the customer's tables; null if there was none. */
export const loadList = (runs: readonly SyncRun[], syncedAt: Date | null, wording: Wording): Html => {
  const { data, count, time, moment } = wording;
  const { loads: t } = data;
  if (runs.length === 0) return nothing(syncedAt ? t.unrecorded(moment(syncedAt)) : t.none);
  const rows = runs.map((run) => [
    time(run.started_at),
    stateOf(run, wording),
    t.modes[run.mode] ?? run.mode,
    filesOf(run, wording),
    sourceOf(run, data),
    ...[run.rows_read, run.inserted, run.updated, run.deleted].map(count),
    run.failed_checks === null ? '–' : count(run.failed_checks),
  ]);
  return table(runHeadings(data), rows, t.caption);
};

const tones = { refuse: 'bad', warn: 'warn' } as const;

/** The number of earlier loads whose counts are shown. */
const comparedRuns = 5;

const checkHeadings = ({ checks: t, columns: c }: DataTexts): readonly Heading[] => [
  ...labels(t.severity, c.table, t.what),
  ...numbers(t.count, t.before),
  ...labels(t.examples),
];

/** The checked loads before the last one, newest first. */
const earlierRuns = (runs: readonly SyncRun[]): readonly number[] =>
  runs
    .filter(({ failed_checks }) => failed_checks !== null)
    .map(({ id }) => id)
    .slice(1, comparedRuns + 1);

const failedChecks = async (
  { pool }: Database,
  { schema_name }: Customer,
  runs: readonly SyncRun[],
  { data, language, count, time, named }: Wording,
): Promise<Html> => {
  const { checks: t } = data;
  const results = await readResults(pool, schema_name);
  if (results.length === 0) return nothing(t.none);
  const failed = results.filter((result) => result.count > 0);
  const summary = html`<p>${t.summary(failed.length === 0 ? undefined : count(failed.length), count(results.length))}${time(lastCheck(results))}.</p>`;
  if (failed.length === 0) return summary;
  const earlier = earlierRuns(runs);
  const counts = await readFailuresByRun(pool, schema_name, earlier);
  const before = (name: string) => earlier.map((run) => count(counts.get(run)?.[name] ?? 0)).join(', ');
  const rows = failed.map((check) => [
    pill(t.severities[check.severity] ?? check.severity, tones[check.severity]),
    named(check.table, tableLabel(check.table)),
    html`<span title="${check.name}">${check[language]}</span>`,
    count(check.count),
    before(check.name) || '–',
    check.findings
      .flatMap(({ keys }) => keys)
      .slice(0, maxKeys)
      .join(', '),
  ]);
  return html`${summary}${table(checkHeadings(data), rows, t.caption)}`;
};

const lastCheck = (results: readonly CheckResult[]): Date =>
  results.reduce((last, { checked_at }) => (checked_at > last ? checked_at : last), new Date(0));

const tableList = (states: readonly TableState[], caption: string, { data, count, time, named }: Wording): Html => {
  const { columns: c, tables: t, never } = data;
  const rows = states.map(({ kind, name, row_count, version, synced_at, changed_at }) => [
    named(name, kind === 'raw' ? rawTableLabel(name) : tableLabel(name)),
    count(row_count),
    count(version),
    time(synced_at, never),
    time(changed_at, never),
  ]);
  return table([...labels(c.table), ...numbers(c.rows, t.version), ...labels(t.lastLoad, t.lastChange)], rows, caption);
};

/** Rows of exports that could not be loaded. The rows themselves are in the database only. */
const quarantined = async (
  { pool }: Database,
  { schema_name }: Customer,
  { data, count, time, inEnglish, rawTable }: Wording,
): Promise<Html | undefined> => {
  const { quarantine: t, columns: c } = data;
  const counts = await countQuarantined(pool, schema_name);
  if (counts.length === 0) return undefined;
  const rows = counts.map(({ table: name, source, reason, rows: amount, file, line, since }) => [
    rawTable(name),
    source,
    inEnglish(reason),
    count(amount),
    data.line(file, line),
    time(since),
  ]);
  const headings = [...labels(t.rawTable, c.source, t.why), ...numbers(c.rows), ...labels(t.place, t.since)];
  return html`<section><h2>${t.title}</h2>
<p>${t.about}</p>
${table(headings, rows, t.caption)}</section>`;
};

/** Deliveries that differ much from the last ones, and the form that accepts them. */
const held = async ({ pool }: Database, customer: Customer, { token, wording }: PortalCall): Promise<Html | undefined> => {
  const { held: t } = wording.data;
  const deliveries = await heldDeliveries(pool, customer.schema_name);
  if (deliveries.length === 0) return undefined;
  const newest = latest(deliveries.map(({ at }) => at))!;
  const lines = deliveries.flatMap(({ surprises }) => surprises);
  return html`<section class="notice warn"><h2>${t.title}</h2>
<p>${t.before}${wording.time(newest)}${t.after}</p>
<ul>${lines.map((line) => html`<li>${wording.inEnglish(line)}</li>`)}</ul>
<form method="post" action="${pathOf(customer)}/data/accept">${tokenField(token)}<input type="hidden" name="before" value="${newest.toISOString()}">
<button>${t.accept}</button></form>
<p class="hint">${t.next}</p></section>`;
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

/** The last uploads, each with the address of its page; nothing if there are none. */
const uploadList = (customer: Customer, uploads: readonly Upload[], caption: string, { data, time }: Wording): Html => {
  if (uploads.length === 0) return html``;
  const { uploads: t, columns: c } = data;
  const rows = uploads.map((upload) => [
    time(upload.started_at),
    uploadState(upload, t.states),
    upload.actor,
    html`<a href="${uploadPath(customer, upload.id)}">${upload.source ?? upload.files.slice(0, 3).join(', ')}</a>`,
  ]);
  return table(labels(t.uploaded, c.state, c.by, c.files), rows, caption);
};

/** Uploads and deliveries whose files are kept until a person decides. */
const waiting = async (database: Database, customer: Customer, wording: Wording): Promise<Html | undefined> => {
  const { uploads: t } = wording.data;
  const uploads = await waitingUploads(database, customer);
  if (uploads.length === 0) return undefined;
  return html`<section><h2>${t.waiting}</h2>
<p>${t.waitingAbout}</p>
${uploadList(customer, uploads, t.waitingCaption, wording)}</section>`;
};

const content = async ({ database }: PortalContext, call: PortalCall, refused?: RefusedUpload): Promise<PageContent> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const { name, slug } = customer;
  const { wording } = call;
  const { data: t } = wording;
  const states = await readTableStates(database, customer.schema_name);
  const runs = await listRuns(database, customer, loadsShown);
  const kept = await currentSources(database.control, customer);
  const ofKind = (kind: TableState['kind']) => states.filter((state) => state.kind === kind);
  return {
    title: t.title(name),
    section: 'customers',
    isTranslated: true,
    status: refused ? 422 : 200,
    body: html`
<div class="head"><h1>${t.title(name)}</h1><a class="button" href="${pathOf(customer)}">${name}</a></div>
${refused && refusalReport(refused.refused, wording)}
${await waiting(database, customer, wording)}
${await held(database, customer, call)}
${await quarantined(database, customer, wording)}
<section><h2>${t.checks.title}</h2>${await failedChecks(database, customer, runs, wording)}</section>
<section><h2>${t.form.title}</h2>${stepList(wording, 'drop', {})}${uploadForm(`${pathOf(customer)}/data`, call, { refused, kept })}
<p>${kept.length === 0 ? t.form.noSource : kept.map((one) => html`${t.form.keptSource}${versionLink(slug, one, wording)} `)} <a href="${sourcesPath(slug)}">${t.form.allSources}</a></p>
${uploadList(customer, await listUploads(database, customer, uploadsShown), t.uploads.caption, wording)}
<p class="hint">${t.form.commandLine}<code>estate sync ${slug} &lt;path…&gt;</code>.</p></section>
<section><h2>${t.loads.title}</h2>${loadList(runs, latest(states.map(({ synced_at }) => synced_at)), wording)}</section>
<section><h2>${t.tables.category}</h2>${tableList(ofKind('category'), t.tables.category, wording)}</section>
<section><h2>${t.tables.raw}</h2>${tableList(ofKind('raw'), t.tables.raw, wording)}</section>`,
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
