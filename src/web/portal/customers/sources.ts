/** The sources that are kept with a customer: their versions, downloads, and the form that keeps another version (contract: kept sources). */
import type { FastifyInstance } from 'fastify';
import { findCustomer } from '../../../database/control/customers.ts';
import {
  currentOf,
  endSource,
  fileNameOf,
  findKeptSource,
  keepSource,
  parseVersion,
  type SourceVersion,
  sourceHistory,
} from '../../../sources/kept/kept-sources.ts';
import { outsideLimits } from '../../../sources/outside/limits.ts';
import { field, nothing, pill, table } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Attachment, type PortalCall, type PortalContext, type Redirect, sourceAttachment } from '../context.ts';
import { Refusal } from '../failures.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import type { Wording } from '../texts/wording.ts';
import { sourcesPath } from './drafts/steps.ts';
import { receive, receiveForm, sourceInput } from './upload.ts';
import { refusalReport } from './upload-page.ts';

/** A version with who kept it when. The link downloads it. */
export const versionLink = (slug: string, { name, version, kept_at, kept_by }: SourceVersion, { data, time }: Wording): Html =>
  html`<a href="${sourcesPath(slug)}/${name}/${version}">${data.version(name, version)}</a>${data.sources.keptAt}${time(kept_at)}${data.sources.keptBy(kept_by)}`;

/** Versions as a table. Each is a download. */
const sourceList = (slug: string, versions: readonly SourceVersion[], { data, time }: Wording): Html => {
  const { sources: t, columns: c } = data;
  const headings = [c.source, t.version, t.kept, c.by, t.file].map((label) => ({ label }));
  const rows = versions.map(({ name, version, kept_at, kept_by, isEnd }) => [
    name,
    String(version),
    time(kept_at),
    kept_by,
    isEnd
      ? pill(t.ended, 'off')
      : html`<a href="${sourcesPath(slug)}/${name}/${version}" aria-label="${t.download(name, version)}">${fileNameOf({ name })}</a>`,
  ]);
  return table(headings, rows, t.caption);
};

const content = async (context: PortalContext, call: PortalCall, refused?: Html | string): Promise<PageContent> => {
  const { database } = context;
  const customer = await findCustomer(database, call.parameter('slug'));
  const { name, slug } = customer;
  const { wording } = call;
  const { sources: t } = wording.data;
  const history = await sourceHistory(database.control, customer);
  return {
    title: t.title(name),
    section: 'customers',
    isTranslated: true,
    status: refused === undefined ? 200 : 422,
    body: html`
<div class="head"><h1>${t.title(name)}</h1><a class="button" href="/portal/customers/${slug}/data">${wording.data.title(name)}</a></div>
${refused !== undefined && refusalReport(refused, wording)}
<form method="post" action="${sourcesPath(slug)}" enctype="multipart/form-data" class="fields panel">
${tokenField(call.token)}
${field(t.file, sourceInput, t.hint(outsideLimits.sourceBytes / 1024))}
<div class="actions"><button class="primary">${t.keep}</button></div>
</form>
${history.length === 0 ? nothing(t.none) : sourceList(slug, history, wording)}
${currentOf(history).map(
  ({ name: of }) => html`<form method="post" action="${sourcesPath(slug)}/${of}/end">${tokenField(call.token)}
<button>${t.end(of)}</button> <span class="hint">${t.endHint}</span></form>`,
)}`,
  };
};

/** Keeps the source file of the form. It is read outside of this process. */
const keep = async (context: PortalContext, call: PortalCall): Promise<Redirect | PageContent> => {
  const { database, uploads } = context;
  const outcome = await receiveForm(context, call, async (customer, place) => {
    const { source: sent } = await receive(context, call, place.folder);
    place.free();
    if (!sent) throw new Refusal(call.wording.data.refusals.noSourceFile);
    const source = await uploads.parse(sent);
    await keepSource(database.control, { customer, actor: call.actor }, { source, text: sent.text });
    return { to: sourcesPath(customer.slug) };
  });
  return 'to' in outcome ? outcome : content(context, call, outcome.refused);
};

const download = async ({ database }: PortalContext, call: PortalCall): Promise<Attachment> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  const wanted = { name: call.parameter('name'), version: parseVersion(call.parameter('version')) };
  const source = await findKeptSource(database.control, customer, wanted);
  return sourceAttachment(fileNameOf(source), source.text);
};

const end = async ({ database }: PortalContext, call: PortalCall): Promise<Redirect> => {
  const customer = await findCustomer(database, call.parameter('slug'));
  await endSource(database.control, { customer, actor: call.actor }, call.parameter('name'));
  return { to: sourcesPath(customer.slug) };
};

export const sourcePages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/customers/:slug/data/sources', {
    get: (call) => content(context, call),
    post: (call) => keep(context, call),
    isUpload: true,
  });
  addPage(scope, context, '/portal/customers/:slug/data/sources/:name/:version', { get: (call) => download(context, call) });
  addPage(scope, context, '/portal/customers/:slug/data/sources/:name/end', { post: (call) => end(context, call) });
};
