/** A draft of a source for uploaded files: a person answers its doubts, checks the files and loads them. The text of the source is the only truth. */
import type { FastifyInstance } from 'fastify';
import { type Customer, findCustomer } from '../../../../database/control/customers.ts';
import { OperatorError } from '../../../../errors.ts';
import type { Answer } from '../../../../sources/draft/answers.ts';
import { keepSource } from '../../../../sources/kept/kept-sources.ts';
import { areTooOld, keptDays } from '../../../../sources/outside/delivered-files.ts';
import { outsideLimits } from '../../../../sources/outside/limits.ts';
import type { DraftChange, DraftedSource } from '../../../../sources/outside/protocol.ts';
import { changeDraft, findUpload, isWaiting, shownDays, type Upload } from '../../../../sources/outside/upload-state.ts';
import { endOfLoad } from '../../../../sources/outside/uploads.ts';
import { field } from '../../../pages/elements.ts';
import { type Html, html } from '../../../pages/html.ts';
import { type Attachment, type PortalCall, type PortalContext, type Redirect, sourceAttachment } from '../../context.ts';
import { PageError, Refusal, refusalText } from '../../failures.ts';
import { type PageContent, tokenField } from '../../layout.ts';
import { addPage } from '../../page.ts';
import { refusalReport, uploadPath } from '../upload-page.ts';
import { doubtList, recognisedLists } from './doubts.ts';
import { confirmation, deletesOf } from './report.ts';
import { dataPath, draftPath, stepList } from './steps.ts';

interface FoundDraft {
  readonly customer: Customer;
  readonly upload: Upload;
  readonly draft: DraftedSource;
}

const find = async ({ database }: PortalContext, call: PortalCall): Promise<FoundDraft> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const upload = await findUpload(database, customer, call.parameter('id'));
  const { missing, shownFor } = call.wording.imports;
  if (!upload?.draft) throw new PageError(404, missing.draft, shownFor.drafts(shownDays));
  return { customer, upload, draft: upload.draft };
};

/** The name of the source file in lists, in the log and in downloads. */
const fileOf = ({ understood }: DraftedSource): string => `${understood.name}.yml`;

interface Refused {
  readonly message: Html | string;
  /** The text that was refused, so that it can be corrected. */
  readonly text?: string | undefined;
}

const content = async (context: PortalContext, call: PortalCall, refused?: Refused): Promise<PageContent> => {
  const { customer, upload, draft } = await find(context, call);
  const { name, slug } = customer;
  const path = draftPath(slug, upload.id);
  const { token, wording } = call;
  const { draft: t } = wording.imports;
  return {
    title: t.title(name),
    section: 'customers',
    isTranslated: true,
    status: refused ? 422 : 200,
    body: html`
<div class="head"><h1>${t.title(name)}</h1><a class="button" href="${dataPath(slug)}">${wording.data.title(name)}</a></div>
${stepList(wording, 'understand', { drop: dataPath(slug) })}
<p>${t.uploaded(upload.files.join(', '))}${wording.time(upload.started_at)}${t.by(upload.actor)} ${!areTooOld(upload.started_at) && t.keptFor(keptDays)}</p>
${areTooOld(upload.started_at) && html`<p class="notice warn" role="status">${t.gone(keptDays)}</p>`}
${upload.error !== null && html`<p class="notice warn" role="status">${t.differs}</p>`}
${refused && refusalReport(refused.message, wording)}
<section><h2>${t.doubts}</h2>${doubtList(draft, { action: `${path}/answer`, token, wording })}</section>
<section><h2>${t.check}</h2><form method="post" action="${path}/name" class="fields panel">${tokenField(token)}
${field(t.name, html`<input name="name" value="${draft.understood.name}" required maxlength="41" pattern="[a-z][a-z0-9\\-]{0,40}">`, t.nameHint)}
<div class="actions"><button>${t.nameIt}</button><button class="primary" formaction="${path}/check">${t.checkFiles}</button></div></form></section>
<section><h2>${t.lists}</h2>${recognisedLists(draft, wording)}</section>
<section><h2>${t.source}</h2>
<p>${t.allAnswers} <a href="${path}/source">${t.download(fileOf(draft))}</a></p>
<form method="post" action="${path}/source" class="stack">${tokenField(token)}
${field(t.text, html`<textarea name="text" rows="20" spellcheck="false" lang="en">${refused?.text ?? draft.text}</textarea>`)}
<button>${t.replace}</button></form></section>`,
  };
};

/** Changes a draft. The log says who does it before it happens. */
const change = async (
  context: PortalContext,
  call: PortalCall,
  action: string,
  next: (draft: DraftedSource) => { readonly text: string; readonly change?: DraftChange },
): Promise<Redirect | PageContent> => {
  const { customer, upload, draft } = await find(context, call);
  const { text, change: made } = next(draft);
  try {
    await context.record(call, action, `${customer.slug}: ${fileOf(draft)}${made && 'answer' in made ? `, ${made.answer.doubt}` : ''}`);
    const changed = await context.uploads.understand(text, draft.lists, made);
    const isSaved = await changeDraft(context.database, upload.id, draft.text, { ...draft, ...changed });
    if (!isSaved) throw new Refusal(call.wording.imports.refusals.changed);
    return { to: draftPath(customer.slug, upload.id) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return content(context, call, { message: refusalText(error, call.wording), ...(made === undefined && { text }) });
  }
};

const given = (form: URLSearchParams, name: string): { [key: string]: string } => {
  const value = form.get(name);
  return value === null ? {} : { [name]: value };
};

const answer = (context: PortalContext, call: PortalCall) => {
  const { form } = call;
  const said: Answer = {
    doubt: form.get('doubt') ?? '',
    ...given(form, 'choice'),
    ...given(form, 'constant'),
    ...given(form, 'column'),
    ...(form.has('code') && { codes: form.getAll('code') }),
  };
  return change(context, call, 'answered a doubt of a draft', ({ text }) => ({ text, change: { answer: said } }));
};

const rename = (context: PortalContext, call: PortalCall) =>
  change(context, call, 'named a draft', ({ text }) => ({ text, change: { name: call.form.get('name') ?? '' } }));

/** Line ends of a form are those of the network. */
const replaceText = (context: PortalContext, call: PortalCall) =>
  change(context, call, 'replaced a draft', () => ({ text: (call.form.get('text') ?? '').replaceAll('\r\n', '\n') }));

const download = async (context: PortalContext, call: PortalCall): Promise<Attachment> => {
  const { draft } = await find(context, call);
  return sourceAttachment(fileOf(draft), draft.text);
};

/** Runs a step that a draft may refuse, such as without a free place. */
const orRefuse = async (context: PortalContext, call: PortalCall, work: () => Promise<Redirect>): Promise<Redirect | PageContent> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) return content(context, call, { message: refusalText(error, call.wording) });
    throw error;
  }
};

const check = async (context: PortalContext, call: PortalCall): Promise<Redirect | PageContent> => {
  const name = call.form.get('name');
  const before = await find(context, call);
  // The form of the name also checks, so that a name that was typed is not lost.
  if (name !== null && name !== before.draft.understood.name) {
    const named = await rename(context, call);
    if (!('to' in named)) return named;
  }
  return orRefuse(context, call, async () => {
    const { customer, upload, draft } = await find(context, call);
    return context.uploads.inPlace(async (place) => {
      await context.record(call, 'checked a draft', `${customer.slug}: ${fileOf(draft)}, ${upload.files.join(', ')}`);
      const id = await context.uploads.start(place, {
        customer,
        actor: call.actor.name,
        isCheck: true,
        draftId: upload.id,
        allows: ['deletes', ...(call.form.getAll('allows').includes('differences') ? (['differences'] as const) : [])],
        mode: 'full',
        files: upload.files,
        source: { text: draft.text, name: fileOf(draft) },
        ended: async () => {},
      });
      return { to: uploadPath(customer, id) };
    });
  });
};

/** Loads what was checked, with the deleted rows that the person has confirmed. Then the source is kept. */
const load = (context: PortalContext, call: PortalCall): Promise<Redirect | PageContent> =>
  orRefuse(context, call, async () => {
    const { database, uploads } = context;
    const { refusals: t } = call.wording.imports;
    const { count } = call.wording;
    const { customer, upload, draft } = await find(context, call);
    const checked = await findUpload(database, customer, call.form.get('check') ?? '');
    if (checked?.draft_id !== upload.id || !checked.report) throw new Refusal(t.checkFirst);
    const { check: report, text, allows } = checked.report;
    if (!report.isLoadable) throw new Refusal(t.notLoadable);
    if (text !== draft.text) throw new Refusal(t.changedAfterCheck);
    const deletes = deletesOf(report);
    const confirmed = call.form.getAll('deletes');
    const open = deletes.filter((one) => !confirmed.includes(confirmation(one)));
    if (open.length > 0) throw new Refusal(t.confirm(open.map(([name, rows]) => t.rowsOf(count(rows), name)).join(', ')));
    const tables = report.tables.map(({ table }) => table);
    const subject = `${customer.slug}: ${fileOf(draft)}, ${upload.files.join(', ')}`;
    const source = await uploads.parse({ text, name: fileOf(draft) });
    return uploads.inPlace(async (place) => {
      await context.record(call, 'uploaded files to load', subject);
      const id = await uploads.start(place, {
        customer,
        actor: call.actor.name,
        isCheck: false,
        draftId: upload.id,
        mode: 'full',
        files: upload.files,
        source: { text, name: fileOf(draft) },
        confirmed: {
          confirmedDeletes: Object.fromEntries(deletes),
          ...(allows.includes('differences') && { allowEmptyColumns: tables, accept: true }),
        },
        ended: async (isLoaded) => {
          await context.record(call, endOfLoad(isLoaded), subject);
          if (!isLoaded) return;
          await keepSource(database.control, { customer, actor: call.actor }, { source, text });
          // The files of a delivery that waited are loaded now.
          if (isWaiting(upload)) await uploads.discard(customer, upload.id);
        },
      });
      return { to: uploadPath(customer, id) };
    });
  });

/** The whole text, as a form encodes it. */
const formLimit = 4 * outsideLimits.sourceBytes;

export const draftPages = (scope: FastifyInstance, context: PortalContext): void => {
  const path = draftPath(':slug', ':id');
  addPage(scope, context, path, { get: (call) => content(context, call) });
  addPage(scope, context, `${path}/answer`, { post: (call) => answer(context, call) });
  addPage(scope, context, `${path}/name`, { post: (call) => rename(context, call) });
  addPage(scope, context, `${path}/source`, {
    get: (call) => download(context, call),
    post: (call) => replaceText(context, call),
    formLimit,
  });
  addPage(scope, context, `${path}/check`, { post: (call) => check(context, call) });
  addPage(scope, context, `${path}/load`, { post: (call) => load(context, call) });
};
