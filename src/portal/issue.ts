/**
 * Creating and rotating keys: the two pages that show a key's text, once, on the answer to the form.
 *
 * The text is neither stored nor put into an address, so no later view has it. The form carries the public id of the key that
 * it will make: sent a second time, by a reload, it makes nothing.
 */
import type { FastifyInstance } from 'fastify';
import { randomKeyId } from '../access/key-text.ts';
import { type IssuedKey, KeyIssuedAlready, type Rights } from '../access/keys.ts';
import { hourMs } from '../access/usage.ts';
import { endpointGroups } from '../catalogue/tiers.ts';
import { type Customer, findCustomer, listCustomers } from '../database/customers.ts';
import { OperatorError } from '../errors.ts';
import type { PortalContext } from './context.ts';
import { failure, field, nothing, select } from './elements.ts';
import { html } from './html.ts';
import { shownKey } from './issued-key.ts';
import { type Screen, tokenField } from './layout.ts';
import { addPage } from './page.ts';
import { parseRights, rightsFields } from './rights.ts';
import type { Elsewhere, Visit } from './visit.ts';

const successorPattern = /^[a-z0-9]{12}$/;

/** The public id that the form carries. */
const idIn = (form: URLSearchParams): string => {
  const id = form.get('id') ?? '';
  if (!successorPattern.test(id)) throw new OperatorError('The form is incomplete; load the page again.');
  return id;
};

/** Makes a key and shows it; a form sent twice leads to the key instead, a refused one back to the form. */
const issue = async (
  visit: Visit,
  make: (id: string) => Promise<IssuedKey>,
  again: (message: string) => Promise<Screen>,
): Promise<Screen | Elsewhere> => {
  try {
    return shownKey(visit, await make(idIn(visit.form)));
  } catch (error) {
    if (error instanceof KeyIssuedAlready) return { to: `/portal/keys/${visit.form.get('id')}?notice=once` };
    if (error instanceof OperatorError) return again(error.message);
    throw error;
  }
};

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const parseEnd = (text: string): Date | undefined => {
  if (text === '') return undefined;
  const end = new Date(text);
  if (!dayPattern.test(text) || Number.isNaN(end.getTime()) || end.getTime() <= Date.now())
    throw new OperatorError('A key can only expire on a day to come.');
  return end;
};

const createFrom = async (context: PortalContext, { form, keys }: Visit, id: string): Promise<IssuedKey> => {
  const customer = await findCustomer(context.database, form.get('customer') ?? '');
  const expiresAt = parseEnd(form.get('expires') ?? '');
  const name = (form.get('name') ?? '').trim().slice(0, 200);
  return keys.create({ customer, ...parseRights(form), name, id, ...(expiresAt && { expiresAt }) });
};

/** What the form begins with: what was sent, or all that the customer may read. */
const rightsFor = ({ form }: Visit, customer: Customer | undefined): Rights => ({
  tier: (form.get('tier') as Rights['tier'] | null) ?? customer?.tier ?? 'basic',
  groups: form.has('token') ? (form.getAll('groups') as Rights['groups']) : [...endpointGroups],
});

const creation = async (context: PortalContext, visit: Visit, message?: string): Promise<Screen> => {
  const { form, query, token } = visit;
  const customers = await listCustomers(context.database);
  const slug = form.get('customer') ?? query.get('customer');
  const chosen = customers.find((customer) => customer.slug === slug) ?? customers[0];
  const choices = customers.map((customer) => [customer.slug, `${customer.name}, ${customer.tier}`] as const);
  const fields = html`<form method="post" action="/portal/keys/new" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">
${field('Customer', select('customer', choices, chosen?.slug))}
${field('Name', html`<input name="name" maxlength="200" required value="${form.get('name')}" autofocus>`, 'Who or what will use the key')}
${rightsFields(rightsFor(visit, chosen))}
${field('Expires on', html`<input type="date" name="expires" value="${form.get('expires')}">`, 'At 00:00 UTC; empty for never')}
<div class="actions"><button class="primary">Create key</button><a href="/portal/keys">Cancel</a></div></form>`;
  return {
    title: 'Create a key',
    section: 'keys',
    status: message === undefined ? 200 : 422,
    body: html`<h1>Create a key</h1>${failure(message)}${
      chosen
        ? fields
        : nothing('A key belongs to a customer.', html`<a class="button primary" href="/portal/customers#add">Add a customer</a>`)
    }`,
  };
};

const overlaps = [
  ['0', 'none: the old key ends at once'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

const parseOverlap = (text: string | null): number => {
  if (!overlaps.some(([hours]) => hours === text)) throw new OperatorError('Choose how long the old key lives on.');
  return Number(text) * hourMs;
};

const rotation = async ({ keys, parameter, token, form }: Visit, message?: string): Promise<Screen> => {
  const key = await keys.find(parameter('id'));
  return {
    title: 'Rotate a key',
    section: 'keys',
    status: message === undefined ? 200 : 422,
    body: html`
<h1>Rotate ${key.name || key.id}</h1>
${failure(message)}
<p class="lead">A new key is made with the same rights, the same expiry and the same hourly quota. The old one, <code>${key.id}</code>, lives on for a while, so that nobody is cut off before they have changed over.</p>
<form method="post" action="/portal/keys/${key.id}/rotate" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">
${field('The old key lives on for', select('overlap', overlaps, form.get('overlap') ?? '24'))}
<div class="actions"><button class="primary">Rotate key</button><a href="/portal/keys/${key.id}">Cancel</a></div></form>`,
  };
};

export const issuePages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/keys/new', {
    get: (visit) => creation(context, visit),
    post: (visit) =>
      issue(
        visit,
        (id) => createFrom(context, visit, id),
        (message) => creation(context, visit, message),
      ),
  });
  addPage(scope, context, '/portal/keys/:id/rotate', {
    get: (visit) => rotation(visit),
    post: (visit) =>
      issue(
        visit,
        async (id) => visit.keys.rotate(visit.parameter('id'), parseOverlap(visit.form.get('overlap')), id),
        (message) => rotation(visit, message),
      ),
  });
};
