/** The page of an upload: its progress while it is checked or loaded, and then what came of it. */
import type { FastifyInstance } from 'fastify';
import { rawTableLabel, tableLabel } from '../../../catalogue/texts/raw-labels.ts';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { keptDays } from '../../../sources/outside/delivered-files.ts';
import { findUpload, isWaiting, shownDays, type Upload } from '../../../sources/outside/upload-state.ts';
import { endOfLoad } from '../../../sources/outside/uploads.ts';
import type { SyncResult } from '../../../sync/request.ts';
import { nothing, pill, table } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { PageError } from '../failures.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import type { DataTexts } from '../texts/data.ts';
import type { Wording } from '../texts/wording.ts';
import { checkReport, joined, leftOutLines } from './drafts/report.ts';
import { dataPath, draftPath, sourcesPath, stepList } from './drafts/steps.ts';
import { viewPath } from './view.ts';

export const uploadPath = ({ slug }: Pick<Customer, 'slug'>, id: string): string => `/portal/customers/${slug}/data/uploads/${id}`;

export const refusalReport = (refused: Html | string, { data }: Wording): Html =>
  html`<div class="notice bad" role="alert"><p>${data.nothingNow}</p><pre>${refused}</pre></div>`;

const leftOutReport = ({ dry_run, left_out = [], not_loaded = [] }: SyncResult, wording: Wording): Html | '' => {
  const lines = leftOutLines({ leftOut: left_out, notLoaded: not_loaded }, wording);
  const { loaded: t } = wording.imports;
  return lines.length === 0
    ? ''
    : html`<div class="notice warn"><p>${dry_run ? t.wouldLeaveOut : t.leftOut}</p><pre>${joined(lines)}</pre></div>`;
};

const loadReport = (result: SyncResult, wording: Wording): Html => {
  const { imports, data, count, inEnglish, named } = wording;
  const { loaded: t } = imports;
  const { dry_run, read, tables, failed_checks, checks_error } = result;
  const changed = tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
  const rows = changed.map(({ kind, table: name, inserted, updated, deleted }) => [
    kind === 'raw' ? named(`raw/${name}`, rawTableLabel(name)) : named(name, tableLabel(name)),
    ...[inserted, updated, deleted].map(count),
  ]);
  const { columns: c } = data;
  const headings = [{ label: c.table }, ...[c.inserted, c.updated, c.deleted].map((label) => ({ label, isNumber: true as const }))];
  const checks = failed_checks.length > 0 && t.failedChecks(count(failed_checks.length));
  const unchecked = checks_error !== null && html`${t.unchecked} ${inEnglish(checks_error)}`;
  return html`<p class="notice ${dry_run || (!checks && !unchecked) ? 'good' : 'warn'}" role="status">${t.read(count(read))}
${dry_run ? t.dryRun : html`${t.done} ${checks} ${unchecked}`}</p>
${leftOutReport(result, wording)}
${rows.length > 0 ? table(headings, rows, dry_run ? t.wouldChange : t.changed) : nothing(t.same)}`;
};

const kindOf = ({ is_check, is_draft }: Upload) => (is_draft ? 'draft' : is_check ? 'check' : 'load');

const progressOf = (upload: Upload, { imports, count, time }: Wording): Html => {
  const { progress, place, started_at } = upload;
  const { progress: t } = imports;
  const phase = (name: string, subject: string) => t.phases[name]?.(subject) ?? t.other(name, subject);
  const step = progress ? `${phase(progress.phase, progress.subject)}${progress.rows > 0 ? t.rows(count(progress.rows)) : ''}.` : t.begins;
  return html`<p class="notice" role="status">${t.since[kindOf(upload)]}${time(started_at)}. ${step} ${t.again(refreshSeconds)}</p>
<p class="hint">${t.place(place)}</p>`;
};

const refreshSeconds = 2;

/** The state of an upload in a word. */
export const uploadState = (upload: Upload, t: DataTexts['uploads']['states']): Html => {
  const { ended_at, error, is_check, is_draft } = upload;
  if (!ended_at) return pill(t.running, 'warn');
  if (upload.discarded_at) return pill(t.discarded, 'off');
  if (isWaiting(upload)) return pill(t.waiting, 'warn');
  if (upload.draft && error !== null) return pill(t.doubts, 'warn');
  if (error !== null) return pill(is_check ? t.refused : t.failed, 'bad');
  return pill(is_draft ? t.drafted : is_check ? t.checked : t.loaded, 'good');
};

/** What a person can do about an upload that waits. */
const decisions = (
  { held, draft, id }: Upload,
  slug: string,
  {
    token,
    wording: {
      imports: { waiting: t },
    },
  }: PortalCall,
): Html => html`${draft && html`<p>${t.changed} <a class="button primary" href="${draftPath(slug, id)}">${t.answer}</a></p>`}
<form method="post" action="${uploadPath({ slug }, id)}" class="actions">${tokenField(token)}
${held?.canAllow && html`<button name="decision" value="allow" class="primary">${t.allow}</button>`}
<button name="decision" value="again">${t.again}</button>
<button name="decision" value="discard">${t.discard}</button></form>
<p class="hint">${t.keptFor(keptDays)} ${t.againHint}</p>`;

const outcomeOf = (upload: Upload, slug: string, call: PortalCall): Html => {
  const { token, wording } = call;
  const { id, error, result, report, draft_id } = upload;
  const action = uploadPath({ slug }, id);
  if (isWaiting(upload)) return html`${refusalReport(wording.inEnglish(error ?? ''), wording)}${decisions(upload, slug, call)}`;
  if (error !== null) return refusalReport(wording.inEnglish(error), wording);
  if (report && draft_id !== null) {
    const draft = draftPath(slug, draft_id);
    return checkReport(report, { load: `${draft}/load`, check: `${draft}/check`, token, id, wording });
  }
  if (result) return html`${draft_id !== null && afterLoad(slug, wording)}${loadReport(result, wording)}`;
  return html`${progressOf(upload, wording)}
<form method="post" action="${action}">${tokenField(token)}<button>${wording.imports.progress.cancel}</button></form>`;
};

/** Where a person goes after the first load. */
const afterLoad = (
  slug: string,
  { imports: { loaded: t } }: Wording,
): Html => html`<p class="actions"><a class="button primary" href="${viewPath(slug)}">${t.explore}</a>
<a class="button" href="${sourcesPath(slug)}">${t.sourceIsKept}</a></p>`;

/** The steps of an upload that belongs to a draft; nothing for others. */
const stepsOf = ({ draft_id, is_draft, is_check }: Upload, slug: string, wording: Wording): Html | '' => {
  if (is_draft) return stepList(wording, 'drop', {});
  if (draft_id === null) return '';
  const behind = { drop: dataPath(slug), understand: draftPath(slug, draft_id) };
  return stepList(wording, is_check ? 'check' : 'load', behind);
};

const find = async ({ database }: PortalContext, call: PortalCall): Promise<{ customer: Customer; upload: Upload }> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const upload = await findUpload(database, customer, call.parameter('id'));
  const { missing, shownFor } = call.wording.imports;
  if (!upload) throw new PageError(404, missing.upload, shownFor.uploads(shownDays));
  return { customer, upload };
};

const content = async (context: PortalContext, call: PortalCall): Promise<PageContent | Redirect> => {
  const { customer, upload } = await find(context, call);
  const { name, slug } = customer;
  const { files, source, source_version, actor } = upload;
  const { wording } = call;
  const { data, imports } = wording;
  if (upload.draft && !isWaiting(upload)) return { to: draftPath(slug, upload.id) };
  const title = imports.titles[kindOf(upload)](name);
  const readBy = source === null ? '' : `${source_version === null ? source : data.version(source, source_version)}: `;
  return {
    title,
    section: 'customers',
    isTranslated: true,
    ...(!upload.ended_at && { refreshSeconds }),
    body: html`
<div class="head"><h1>${title}</h1><a class="button" href="${dataPath(slug)}">${data.title(name)}</a></div>
${stepsOf(upload, slug, wording)}
<p>${uploadState(upload, data.uploads.states)} ${readBy}${imports.uploadedBy(files.join(', '), actor)}</p>
${outcomeOf(upload, slug, call)}`,
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
