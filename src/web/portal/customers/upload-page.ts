/** The page of an upload: its progress while it is checked or loaded, and then what came of it. */
import type { FastifyInstance } from 'fastify';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { keptDays } from '../../../sources/outside/delivered-files.ts';
import { findUpload, isWaiting, shownDays, type Upload } from '../../../sources/outside/upload-state.ts';
import { endOfLoad } from '../../../sources/outside/uploads.ts';
import { leftOutInWords } from '../../../sync/left-out.ts';
import type { SyncResult } from '../../../sync/request.ts';
import { nothing, pill, table, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { PageError } from '../failures.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { checkReport } from './drafts/report.ts';
import { dataPath, draftPath, sourcesPath, stepList } from './drafts/steps.ts';
import { viewPath } from './view.ts';

export const uploadPath = ({ slug }: Pick<Customer, 'slug'>, id: string): string => `/portal/customers/${slug}/data/uploads/${id}`;

const resultHeadings = [
  { label: 'Table' },
  { label: 'Inserted', isNumber: true },
  { label: 'Updated', isNumber: true },
  { label: 'Deleted', isNumber: true },
] as const;

export const refusalReport = (refused: string): Html =>
  html`<div class="notice bad" role="alert"><p>Nothing was changed.</p><pre>${refused}</pre></div>`;

/** What is not loaded: rows with their reasons, and files and sheets. */
const leftOutReport = ({ dry_run, left_out = [], not_loaded = [] }: SyncResult): Html | '' => {
  const lines = [...leftOutInWords(left_out), ...not_loaded.map((name) => `not loaded: ${name}`)];
  return lines.length === 0
    ? ''
    : html`<div class="notice warn"><p>${dry_run ? 'A load would leave out:' : 'The load left out:'}</p><pre>${lines.join('\n')}</pre></div>`;
};

const loadReport = (result: SyncResult): Html => {
  const { dry_run, read, tables, failed_checks, checks_error } = result;
  const changed = tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
  const rows = changed.map(({ kind, table: name, inserted, updated, deleted }) => [
    html`<code>${kind === 'raw' ? `raw/${name}` : name}</code>`,
    ...[inserted, updated, deleted].map((value) => formatCount(value)),
  ]);
  const checks =
    failed_checks.length === 0 ? '' : ` ${formatCount(failed_checks.length)} checks of the data failed; see the page of the data.`;
  const unchecked = checks_error === null ? '' : ` The data was not checked: ${checks_error}`;
  return html`<p class="notice ${dry_run || (checks === '' && unchecked === '') ? 'good' : 'warn'}" role="status">${read === 1 ? '1 row was' : `${formatCount(read)} rows were`} read.
${dry_run ? 'Nothing was changed: this is what a load would do.' : `They are loaded.${checks}${unchecked}`}</p>
${leftOutReport(result)}
${rows.length > 0 ? table(resultHeadings, rows, dry_run ? 'What a load would change' : 'What the load changed') : nothing('No row is different.')}`;
};

/** What each phase does, before its subject. */
const phases: Readonly<Record<string, string>> = {
  wait: 'waits for another load of',
  read: 'reads',
  load: 'loads',
  check: 'checks the keys of',
  compare: 'compares',
  apply: 'changes',
  publish: 'publishes',
  verify: 'checks the data of',
};

const progressOf = ({ progress, place, started_at, is_check, is_draft }: Upload): Html => {
  const step = progress
    ? `It ${phases[progress.phase] ?? progress.phase} ${progress.subject}${progress.rows > 0 ? `, ${formatCount(progress.rows)} rows` : ''}.`
    : 'It begins to read the files.';
  return html`<p class="notice" role="status">The files are ${is_draft ? 'looked at' : is_check ? 'checked' : 'loaded'} since ${time(started_at)}. ${step} This page shows it again every ${refreshSeconds} seconds.</p>
<p class="hint">It runs on ${place}.</p>`;
};

const refreshSeconds = 2;

/** The state of an upload in a word. */
export const uploadState = (upload: Upload): Html => {
  const { ended_at, error, is_check, is_draft } = upload;
  if (!ended_at) return pill('running', 'warn');
  if (upload.discarded_at) return pill('discarded', 'off');
  if (isWaiting(upload)) return pill('waiting', 'warn');
  if (upload.draft && error !== null) return pill('has doubts', 'warn');
  if (error !== null) return pill(is_check ? 'refused' : 'failed', 'bad');
  return pill(is_draft ? 'drafted' : is_check ? 'checked' : 'loaded', 'good');
};

/** What a person can do about an upload that waits. */
const decisions = (
  { held, draft, id }: Upload,
  slug: string,
  token: string,
): Html => html`${draft && html`<p>The lists have other columns than the kept source knows. <a class="button primary" href="${draftPath(slug, id)}">Answer the doubts</a></p>`}
<form method="post" action="${uploadPath({ slug }, id)}" class="actions">${tokenField(token)}
${held?.canAllow && html`<button name="decision" value="allow" class="primary">This is right: load the files</button>`}
<button name="decision" value="again">Try again</button>
<button name="decision" value="discard">Discard the files</button></form>
<p class="hint">The files are kept for ${keptDays} days. <em>Try again</em> reads them with the newest version of the kept source.</p>`;

const outcomeOf = (upload: Upload, slug: string, token: string): Html => {
  const { id, error, result, report, draft_id } = upload;
  const action = uploadPath({ slug }, id);
  if (isWaiting(upload)) return html`${refusalReport(error ?? '')}${decisions(upload, slug, token)}`;
  if (error !== null) return refusalReport(error);
  if (report && draft_id !== null) {
    const draft = draftPath(slug, draft_id);
    return checkReport(report, { load: `${draft}/load`, check: `${draft}/check`, token, id });
  }
  if (result) return html`${draft_id !== null && afterLoad(slug)}${loadReport(result)}`;
  return html`${progressOf(upload)}
<form method="post" action="${action}">${tokenField(token)}<button>Cancel</button></form>`;
};

/** Where a person goes after the first load. */
const afterLoad = (
  slug: string,
): Html => html`<p class="actions"><a class="button primary" href="${viewPath(slug)}">Look at the rows in Explore</a>
<a class="button" href="${sourcesPath(slug)}">The source is kept</a></p>`;

/** The steps of an upload that belongs to a draft; nothing for others. */
const stepsOf = ({ draft_id, is_draft, is_check }: Upload, slug: string): Html | '' => {
  if (is_draft) return stepList('Drop', {});
  if (draft_id === null) return '';
  const behind = { Drop: dataPath(slug), Understand: draftPath(slug, draft_id) };
  return stepList(is_check ? 'Check' : 'Load', behind);
};

const find = async ({ database }: PortalContext, call: PortalCall): Promise<{ customer: Customer; upload: Upload }> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const upload = await findUpload(database, customer, call.parameter('id'));
  if (!upload) throw new PageError(404, 'There is no such upload', `Uploads are shown for ${shownDays} days.`);
  return { customer, upload };
};

const content = async (context: PortalContext, call: PortalCall): Promise<PageContent | Redirect> => {
  const { customer, upload } = await find(context, call);
  const { name, slug } = customer;
  const { files, source, source_version, actor, is_check, is_draft } = upload;
  if (upload.draft && !isWaiting(upload)) return { to: draftPath(slug, upload.id) };
  const what = is_draft ? 'Draft' : is_check ? 'Check' : 'Load';
  return {
    title: `${what} of files for ${name}`,
    section: 'customers',
    ...(!upload.ended_at && { refreshSeconds }),
    body: html`
<div class="head"><h1>${what} of files for ${name}</h1><a class="button" href="${dataPath(slug)}">Data of ${name}</a></div>
${stepsOf(upload, slug)}
<p>${uploadState(upload)} ${source === null ? '' : html`${source}${source_version === null ? '' : `, version ${source_version}`}: `}${files.join(', ')}, uploaded by ${actor}.</p>
${outcomeOf(upload, slug, call.token)}`,
  };
};

const words = { allow: 'allowed a delivery', again: 'tried a delivery again', discard: 'discarded a delivery' } as const;

/** Carries out a decision. The log names it before it happens. */
const decide = async (context: PortalContext, call: PortalCall, decision: keyof typeof words): Promise<Redirect> => {
  const { customer, upload } = await find(context, call);
  const subject = `${customer.slug}: ${upload.files.join(', ')}`;
  const to = uploadPath(customer, upload.id);
  await context.record(call, words[decision], subject);
  if (decision === 'discard') await context.uploads.discard(customer, upload.id);
  else
    await context.uploads.again(customer, upload, {
      allows: decision === 'allow',
      ended: (isLoaded) => context.record(call, endOfLoad(isLoaded), subject),
    });
  return { to };
};

const isDecision = (text: string | null): text is keyof typeof words => text !== null && Object.hasOwn(words, text);

const cancel = async (context: PortalContext, call: PortalCall): Promise<Redirect> => {
  const { customer, upload } = await find(context, call);
  await context.record(call, 'cancelled a load', `${customer.slug}: ${upload.files.join(', ')}`);
  await context.uploads.cancel(upload.id);
  return { to: uploadPath(customer, upload.id) };
};

export const uploadPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/customers/:slug/data/uploads/:id', {
    get: (call) => content(context, call),
    post: (call) => {
      const decision = call.form.get('decision');
      return isDecision(decision) ? decide(context, call, decision) : cancel(context, call);
    },
  });
