/** The sources that are kept with a customer: their versions, downloads, and the form that keeps another version (contract: kept sources). */
import type { FastifyInstance } from 'fastify';
import { findCustomer } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
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
import { field, nothing, pill, table, time } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Attachment, type PortalCall, type PortalContext, type Redirect, sourceAttachment } from '../context.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { sourcesPath } from './drafts/steps.ts';
import { receive, receiveForm, sourceInput } from './upload.ts';
import { refusalReport } from './upload-page.ts';

const headings = [{ label: 'Source' }, { label: 'Version' }, { label: 'Kept' }, { label: 'By' }, { label: 'Source file' }] as const;

/** A version with who kept it when. The link downloads it. */
export const versionLink = (slug: string, { name, version, kept_at, kept_by }: SourceVersion): Html =>
  html`<a href="${sourcesPath(slug)}/${name}/${version}">${name}, version ${version}</a>, kept ${time(kept_at)} by ${kept_by}.`;

/** Versions as a table. Each is a download. */
const sourceList = (slug: string, versions: readonly SourceVersion[], caption: string): Html => {
  const rows = versions.map(({ name, version, kept_at, kept_by, isEnd }) => [
    name,
    String(version),
    time(kept_at),
    kept_by,
    isEnd
      ? pill('ended', 'off')
      : html`<a href="${sourcesPath(slug)}/${name}/${version}" aria-label="${name}, version ${version}: download">${fileNameOf({ name })}</a>`,
  ]);
  return table(headings, rows, caption);
};

const content = async (context: PortalContext, call: PortalCall, refused?: string): Promise<PageContent> => {
  const { database } = context;
  const customer = await findCustomer(database, call.parameter('slug'));
  const { name, slug } = customer;
  const history = await sourceHistory(database.control, customer);
  return {
    title: `Sources of ${name}`,
    section: 'customers',
    status: refused === undefined ? 200 : 422,
    body: html`
<div class="head"><h1>Sources of ${name}</h1><a class="button" href="/portal/customers/${slug}/data">Data of ${name}</a></div>
${refused !== undefined && refusalReport(refused)}
<form method="post" action="${sourcesPath(slug)}" enctype="multipart/form-data" class="fields panel">
${tokenField(call.token)}
${field('Source file', sourceInput, `Kept as the newest version of the source that it names. At most ${outsideLimits.sourceBytes / 1024} KB, no database and no variable.`)}
<div class="actions"><button class="primary">Keep</button></div>
</form>
${history.length === 0 ? nothing('No source is kept yet.') : sourceList(slug, history, 'All versions')}
${currentOf(history).map(
  ({ name: of }) => html`<form method="post" action="${sourcesPath(slug)}/${of}/end">${tokenField(call.token)}
<button>End ${of}</button> <span class="hint">Loads do not find it any more. Its versions stay.</span></form>`,
)}`,
  };
};

/** Keeps the source file of the form. It is read outside of this process. */
const keep = async (context: PortalContext, call: PortalCall): Promise<Redirect | PageContent> => {
  const { database, uploads } = context;
  const outcome = await receiveForm(context, call, async (customer, place) => {
    const { source: sent } = await receive(context, call, place.folder);
    place.free();
    if (!sent) throw new OperatorError('Choose the source file to keep.');
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
