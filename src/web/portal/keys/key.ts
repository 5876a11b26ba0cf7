/** One key: its state, its usage, and its actions. */
import type { FastifyInstance } from 'fastify';
import { keyStateOf } from '../../../access/key-lookup.ts';
import type { KeyRecord } from '../../../access/keys.ts';
import { scopeInWords } from '../../../access/scope.ts';
import { retentionDays } from '../../../access/usage.ts';
import { dayMs, readSeries } from '../../../access/usage-report.ts';
import { findCustomer } from '../../../database/control/customers.ts';
import { tile, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { gauge, usageChart } from '../chart.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { forField, noProblems, orShowErrors, type Problems, readForm, refusal } from '../form.ts';
import { type NoticeName, type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { readRelatives, readUseOf } from './key-list.ts';
import { groupsInWords, keyLink, statePill } from './keys.ts';
import { rightsFields, rightsIn } from './rights.ts';

type Relatives = Awaited<ReturnType<typeof readRelatives>>;

const facts = async ({ database, requestsPerHour }: PortalContext, key: KeyRecord): Promise<Html> => {
  const { thisHour, lastAt } = await readUseOf(database, key.id);
  const quota = requestsPerHour > 0 ? html`of ${formatCount(requestsPerHour)}${gauge(thisHour, requestsPerHour)}` : undefined;
  return html`<dl class="tiles">
${tile('State', statePill(key), key.expires_at ? html`expires ${time(key.expires_at)}` : 'never expires')}
${tile('Reads', key.tier, `Endpoint groups: ${groupsInWords(key.groups)}`)}
${tile('Data', key.scope ? 'limited' : 'all', key.scope ? scopeInWords(key.scope) : 'of its tables')}
${tile('Last used', time(lastAt, 'never'), html`created ${time(key.created_at)}`)}
${tile('This hour', formatCount(thisHour), quota)}
</dl>`;
};

/** A button that acts at once. */
const instant = (key: KeyRecord, action: string, label: string, token: string): Html =>
  html`<form method="post" action="/portal/keys/${key.id}/${action}">${tokenField(token)}<button>${label}</button></form>`;

const actions = (key: KeyRecord, { successor }: Relatives, token: string): Html | undefined => {
  const state = keyStateOf(key);
  if (state === 'revoked') return undefined;
  return html`<div class="actions">
${state !== 'expired' && (!successor || successor.revoked_at) && html`<a class="button" href="/portal/keys/${key.id}/rotate">Rotate…</a>`}
${key.disabled_at ? instant(key, 'enable', 'Enable', token) : state === 'active' && instant(key, 'disable', 'Disable', token)}
<a class="button danger" href="/portal/keys/${key.id}/revoke">Revoke…</a>
</div>`;
};

/** The predecessor and the successor of a rotated key. */
const kin = (key: KeyRecord, { successor, predecessor }: Relatives): Html =>
  html`${
    successor &&
    html`<p class="notice ${successor.revoked_at ? 'off' : 'warn'}">This key has been rotated. Its successor is ${keyLink(successor)}${
      successor.revoked_at && ', which is revoked'
    }.${keyStateOf(key) === 'active' && key.expires_at && html` This one ends ${time(key.expires_at)}.`}</p>`
  }${predecessor && html`<p class="quiet">It takes the place of ${keyLink(predecessor)}.</p>`}`;

const rightsForm = (key: KeyRecord, token: string, problems: Problems, form: URLSearchParams): Html | undefined =>
  keyStateOf(key) === 'revoked'
    ? undefined
    : html`<details class="panel"${problems.size > 0 && html` open`}><summary>Change what it may read</summary>
<form method="post" action="/portal/keys/${key.id}/rights" class="stack">${tokenField(token)}${rightsFields(problems.size > 0 ? sentRights(form) : key, problems)}
<div class="actions"><button class="primary">Change rights</button></div></form></details>`;

const sentRights = (form: URLSearchParams) =>
  ({ tier: form.get('tier') ?? '', groups: form.getAll('groups') }) as unknown as Pick<KeyRecord, 'tier' | 'groups'>;

const content = async (
  context: PortalContext,
  { keys, parameter, token, form }: PortalCall,
  problems = noProblems,
): Promise<PageContent> => {
  const key = await keys.find(parameter('id'));
  await context.usage.flush();
  const relatives = await readRelatives(context.database, key);
  return {
    status: problems.size === 0 ? 200 : 422,
    title: key.name || key.id,
    section: 'keys',
    body: html`
<div class="head"><div><h1>${key.name || 'Unnamed key'}</h1><p class="quiet"><code>est_${key.id}_…</code> of <a href="/portal/customers/${key.customer}">${key.customer}</a></p></div>${actions(key, relatives, token)}</div>
${refusal(problems)}
${kin(key, relatives)}
${await facts(context, key)}
<section><h2>Requests in the last ${retentionDays} days</h2>${usageChart(await readSeries(context.database.control, dayMs, retentionDays, { keyId: key.id }), 'requests', false)}</section>
${rightsForm(key, token, problems, form)}`,
  };
};

const revocation = async ({ keys, parameter, token }: PortalCall): Promise<PageContent | Redirect> => {
  const key = await keys.find(parameter('id'));
  if (key.revoked_at) return { to: `/portal/keys/${key.id}?notice=gone` };
  return {
    title: 'Revoke a key',
    section: 'keys',
    body: html`
<h1>Revoke ${key.name || key.id}?</h1>
<p class="lead">Requests with <code>est_${key.id}_…</code> of ${key.customer} are refused within 5 seconds. This cannot be undone. To block a key for a while, disable it instead.</p>
<form method="post" action="/portal/keys/${key.id}/revoke" class="actions">${tokenField(token)}
<button class="danger">Revoke for good</button><a href="/portal/keys/${key.id}">Cancel</a></form>`,
  };
};

/** Changes the key, or reports that it was revoked meanwhile. */
const change =
  (notice: NoticeName, work: (call: PortalCall, id: string) => Promise<KeyRecord>) =>
  async (call: PortalCall): Promise<Redirect> => {
    const id = call.parameter('id');
    const before = await call.keys.find(id);
    const after = before.revoked_at ? before : await work(call, id);
    const isGone = before.revoked_at !== null || (after.revoked_at !== null && notice !== 'revoked');
    return { to: `/portal/keys/${id}?notice=${isGone ? 'gone' : notice}` };
  };

const changeRights = async ({ database }: PortalContext, { keys, form }: PortalCall, id: string): Promise<KeyRecord> => {
  const rights = await readForm(rightsIn(form));
  const { tier } = await findCustomer(database, (await keys.find(id)).customer);
  return forField('tier', () => keys.setRights(id, tier, rights));
};

export const keyPages = (scope: FastifyInstance, context: PortalContext): void => {
  const path = '/portal/keys/:id';
  addPage(scope, context, path, { get: (call) => content(context, call) });
  addPage(scope, context, `${path}/disable`, { post: change('disabled', ({ keys }, id) => keys.disable(id)) });
  addPage(scope, context, `${path}/enable`, { post: change('enabled', ({ keys }, id) => keys.enable(id)) });
  addPage(scope, context, `${path}/revoke`, { get: revocation, post: change('revoked', ({ keys }, id) => keys.revoke(id)) });
  addPage(scope, context, `${path}/rights`, {
    post: orShowErrors(
      change('rights', (call, id) => changeRights(context, call, id)),
      (call, problems) => content(context, call, problems),
    ),
  });
};
