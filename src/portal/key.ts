/** One key: its state, its use, and what can be done to it. */
import type { FastifyInstance } from 'fastify';
import { type KeyRecord, stateOf } from '../access/keys.ts';
import { daysKept } from '../access/usage.ts';
import { dayMs, readKeyUse, readSeries } from '../access/usage-report.ts';
import { findCustomer } from '../database/customers.ts';
import { gauge } from './chart.ts';
import type { PortalContext } from './context.ts';
import { tile, time } from './elements.ts';
import { formatCount } from './format.ts';
import { type Html, html } from './html.ts';
import { statePill } from './key-state.ts';
import { groupsInWords } from './keys.ts';
import { type Screen, tokenField } from './layout.ts';
import type { Notice } from './notices.ts';
import { addPage } from './page.ts';
import { parseRights, rightsFields } from './rights.ts';
import { usageChart } from './series.ts';
import type { Visit } from './visit.ts';

const facts = async ({ database, requestsPerHour }: PortalContext, key: KeyRecord): Promise<Html> => {
  const { thisHour = 0, lastAt } = (await readKeyUse(database.control)).get(key.id) ?? {};
  const quota = requestsPerHour > 0 ? html`of ${formatCount(requestsPerHour)}${gauge(thisHour, requestsPerHour)}` : undefined;
  return html`<dl class="tiles">
${tile('State', statePill(key), key.expires_at ? html`expires ${time(key.expires_at)}` : 'never expires')}
${tile('Reads', key.tier, `Endpoint groups: ${groupsInWords(key.groups)}`)}
${tile('Last used', time(lastAt, 'never'), html`created ${time(key.created_at)}`)}
${tile('This hour', formatCount(thisHour), quota)}
</dl>`;
};

/** A button that acts at once. */
const instant = (key: KeyRecord, action: string, label: string, token: string): Html =>
  html`<form method="post" action="/portal/keys/${key.id}/${action}">${tokenField(token)}<button>${label}</button></form>`;

const actions = (key: KeyRecord, token: string): Html | undefined => {
  const state = stateOf(key);
  if (state === 'revoked') return undefined;
  return html`<div class="actions">
${state !== 'expired' && html`<a class="button" href="/portal/keys/${key.id}/rotate">Rotate…</a>`}
${key.disabled_at ? instant(key, 'enable', 'Enable', token) : state === 'active' && instant(key, 'disable', 'Disable', token)}
<a class="button danger" href="/portal/keys/${key.id}/revoke">Revoke…</a>
</div>`;
};

const rightsForm = (key: KeyRecord, token: string): Html | undefined =>
  stateOf(key) === 'revoked'
    ? undefined
    : html`<details class="panel"><summary>Change what it may read</summary>
<form method="post" action="/portal/keys/${key.id}/rights" class="stack">${tokenField(token)}${rightsFields(key)}
<div class="actions"><button class="primary">Change rights</button></div></form></details>`;

const screen = async (context: PortalContext, { keys, parameter, token }: Visit): Promise<Screen> => {
  const key = await keys.find(parameter('id'));
  await context.usage.flush();
  return {
    title: key.name || key.id,
    section: 'keys',
    body: html`
<div class="head"><div><h1>${key.name || 'Unnamed key'}</h1><p class="quiet"><code>est_${key.id}_…</code> of <a href="/portal/customers/${key.customer}">${key.customer}</a></p></div>${actions(key, token)}</div>
${await facts(context, key)}
<section><h2>Requests in the last ${daysKept} days</h2>${usageChart(await readSeries(context.database.control, dayMs, daysKept, key.id), 'requests', false)}</section>
${rightsForm(key, token)}`,
  };
};

const revocation = async ({ keys, parameter, token }: Visit): Promise<Screen> => {
  const key = await keys.find(parameter('id'));
  return {
    title: 'Revoke a key',
    section: 'keys',
    body: html`
<h1>Revoke ${key.name || key.id}?</h1>
<p class="lead">Whoever uses <code>est_${key.id}_…</code> of ${key.customer} is refused within 5 seconds. This cannot be undone; to let a key rest for a while, disable it instead.</p>
<form method="post" action="/portal/keys/${key.id}/revoke" class="actions">${tokenField(token)}
<button class="danger">Revoke for good</button><a href="/portal/keys/${key.id}">Cancel</a></form>`,
  };
};

export const keyPages = (scope: FastifyInstance, context: PortalContext): void => {
  const change = (notice: Notice, work: (visit: Visit, id: string) => Promise<unknown>) => async (visit: Visit) => {
    const id = visit.parameter('id');
    await work(visit, id);
    return { to: `/portal/keys/${id}?notice=${notice}` };
  };
  addPage(scope, context, '/portal/keys/:id', { get: (visit) => screen(context, visit) });
  addPage(scope, context, '/portal/keys/:id/disable', { post: change('disabled', ({ keys }, id) => keys.disable(id)) });
  addPage(scope, context, '/portal/keys/:id/enable', { post: change('enabled', ({ keys }, id) => keys.enable(id)) });
  addPage(scope, context, '/portal/keys/:id/revoke', { get: revocation, post: change('revoked', ({ keys }, id) => keys.revoke(id)) });
  addPage(scope, context, '/portal/keys/:id/rights', {
    post: change('rights', async ({ keys, form }, id) => {
      const { tier } = await findCustomer(context.database, (await keys.find(id)).customer);
      await keys.setRights(id, tier, parseRights(form));
    }),
  });
};
