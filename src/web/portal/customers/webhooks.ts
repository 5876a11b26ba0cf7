/** A customer's webhooks: their state and deliveries, a form to add one, and buttons that test, rotate and remove. */
import type { FastifyInstance } from 'fastify';
import { findCustomer } from '../../../database/control/customers.ts';
import { type AttemptedDelivery, type Endpoint, type IssuedSecret, maxEndpoints } from '../../../webhooks/endpoints.ts';
import { eventTypes } from '../../../webhooks/events.ts';
import { nothing, pill, table, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, PortalPage } from '../context.ts';
import { forField, formField, noProblems, orShowErrors, type Problems, refusal } from '../form.ts';
import { type NoticeName, type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';

const deliveriesShown = 20;

const pathOf = (slug: string) => `/portal/customers/${slug}/webhooks`;

const stateOf = ({ disabled_at, failing_since, failures }: Endpoint): Html => {
  if (disabled_at) return html`${pill('disabled', 'bad')} ${time(disabled_at)}`;
  if (failing_since) return html`${pill('failing', 'warn')} ${formatCount(failures)} attempts since ${time(failing_since)}`;
  return pill('active', 'good');
};

const tones = { delivered: 'good', waiting: 'warn', dropped: 'bad' } as const;

const deliveryTable = (deliveries: readonly AttemptedDelivery[]): Html => {
  if (deliveries.length === 0) return nothing('No event was sent yet.');
  const headings = [
    { label: 'Event' },
    { label: 'Of' },
    { label: 'State' },
    { label: 'Attempts', isNumber: true },
    { label: 'Last attempt' },
    { label: 'Answer' },
  ] as const;
  const rows = deliveries.map(({ type, created_at, state, attempts, last_at, status, note }) => [
    type,
    time(created_at),
    pill(state, tones[state as keyof typeof tones] ?? 'off'),
    formatCount(attempts),
    time(last_at),
    note ?? (status === null ? '–' : String(status)),
  ]);
  return table(headings, rows, 'Deliveries');
};

const endpointPanel = (endpoint: Endpoint, slug: string, token: string, deliveries: readonly AttemptedDelivery[]): Html => {
  const action = (name: string, label: string, style?: string) =>
    html`<form method="post" action="${pathOf(slug)}/${name}">${tokenField(token)}<input type="hidden" name="id" value="${endpoint.id}"><button${style && html` class="${style}"`}>${label}</button></form>`;
  return html`<section><h2>${endpoint.url}</h2>
<p>${stateOf(endpoint)} <code>${endpoint.id}</code>, ${endpoint.events.join(', ')}, ${formatCount(endpoint.waiting)} waiting</p>
${endpoint.disabled_at && html`<p class="notice warn">Nothing is sent to it. A test event that it takes enables it again; events since then are not sent later.</p>`}
<div class="actions">${action('test', 'Send a test event')}${action('rotate', 'Rotate the secret')}${action('remove', 'Remove', 'danger')}</div>
${deliveryTable(deliveries)}</section>`;
};

const addForm = (
  call: PortalCall,
  slug: string,
  problems: Problems,
): Html => html`<details class="panel"${problems.size > 0 && html` open`}><summary>Add a webhook</summary>
<form method="post" action="${pathOf(slug)}/add" class="fields">${tokenField(call.token)}
${formField(
  problems,
  { name: 'url', label: 'Address', hint: 'https, and reachable from the internet' },
  (attributes) => html`<input name="url" type="url" required maxlength="2000" value="${call.form.get('url') ?? ''}"${attributes}>`,
)}
<fieldset class="field"><legend class="label">Events</legend>${eventTypes.map((type) => html`<label class="check"><input type="checkbox" name="events" value="${type}" checked> ${type}</label>`)}</fieldset>
<div class="actions"><button class="primary">Add the webhook</button></div></form></details>`;

const content = async (context: PortalContext, call: PortalCall, problems = noProblems): Promise<PageContent> => {
  const { slug, name } = await findCustomer(context.database, call.parameter('slug'));
  const endpoints = await call.webhooks.list(slug);
  const panels: Html[] = [];
  for (const endpoint of endpoints)
    panels.push(endpointPanel(endpoint, slug, call.token, await call.webhooks.deliveries(endpoint.id, deliveriesShown)));
  return {
    title: `Webhooks of ${name}`,
    section: 'customers',
    status: problems.size === 0 ? 200 : 422,
    body: html`<h1>Webhooks of <a href="/portal/customers/${slug}">${name}</a></h1>
${refusal(problems)}
${panels.length > 0 ? panels : nothing('There is no webhook yet.')}
${endpoints.length < maxEndpoints && addForm(call, slug, problems)}`,
  };
};

const secretScreen = (slug: string, { url, secret }: IssuedSecret): PageContent => ({
  title: 'The secret of a webhook',
  section: 'customers',
  body: html`<h1>The secret of a webhook</h1>
<p class="notice warn" role="status"><strong>Copy it now.</strong> It is shown this once; a lost secret can only be replaced.</p>
<div class="panel stack wide"><div class="secret"><span class="label" id="secret-label">Secret for ${url}</span>
<div class="copy"><code id="secret-text" aria-labelledby="secret-label">${secret}</code><button class="primary" data-copy="secret-text" hidden>Copy secret</button></div></div></div>
<p><a class="button" href="${pathOf(slug)}">I have saved the secret</a></p>`,
});

/** A webhook of the customer in the path. */
const idOf = async ({ form, webhooks, parameter }: PortalCall): Promise<string> => {
  const id = form.get('id') ?? '';
  const slug = parameter('slug');
  const own = await webhooks.list(slug);
  return own.find((endpoint) => endpoint.id === id)?.id ?? (await webhooks.find('')).id;
};

const back = (call: PortalCall, notice: NoticeName) => ({ to: `${pathOf(call.parameter('slug'))}?notice=${notice}` });

/** The changes, by the last part of the form's path. */
const actions: Readonly<Record<string, PortalPage>> = {
  add: async (call) => {
    const slug = call.parameter('slug');
    const { form, webhooks } = call;
    return secretScreen(slug, await forField('url', () => webhooks.add(slug, (form.get('url') ?? '').trim(), form.getAll('events'))));
  },
  test: async (call) => back(call, (await call.webhooks.test(await idOf(call))).isDelivered ? 'tested' : 'testFailed'),
  rotate: async (call) => secretScreen(call.parameter('slug'), await call.webhooks.rotate(await idOf(call))),
  remove: async (call) => {
    await call.webhooks.remove(await idOf(call));
    return back(call, 'webhookRemoved');
  },
};

export const webhookPages = (scope: FastifyInstance, context: PortalContext): void => {
  const path = '/portal/customers/:slug/webhooks';
  addPage(scope, context, path, { get: (call) => content(context, call) });
  for (const [name, work] of Object.entries(actions))
    addPage(scope, context, `${path}/${name}`, { post: orShowErrors(work, (call, problems) => content(context, call, problems)) });
};
