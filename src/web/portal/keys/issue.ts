/**
 * The pages that create and rotate keys. They show the key's text once, in the response to the form.
 *
 * The text is neither stored nor part of an address, so it cannot be shown again. The form contains the public id of the new key, so a
 * repeated submission creates no second key.
 */
import type { FastifyInstance } from 'fastify';
import { keyStateOf } from '../../../access/key-lookup.ts';
import { randomKeyId } from '../../../access/key-text.ts';
import { type IssuedKey, KeyIssuedAlready, type KeyRecord, type KeyRights } from '../../../access/keys.ts';
import { hourMs } from '../../../access/usage.ts';
import { defaultGroups } from '../../../catalogue/tiers.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { type Customer, customerWithSlug, findCustomer } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
import { nothing, select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { customerChoice, hasCustomers } from '../customer-choice.ts';
import { FormError, forField, formField, noProblems, type Problems, readForm, refusal } from '../form.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { shownKey } from './issued-key.ts';
import { readRelatives } from './key-list.ts';
import { keyLink } from './keys.ts';
import { enterButton, searchProperties, stepIn, withChosen } from './property-search.ts';
import { rightsFields, rightsIn } from './rights.ts';
import { scopeFields, scopeIn } from './scope-fields.ts';

const successorPattern = /^[a-z0-9]{12}$/;

/** The public id in the form. */
const idIn = (form: URLSearchParams): string => {
  const id = form.get('id') ?? '';
  if (!successorPattern.test(id)) throw new OperatorError('The form is incomplete; load the page again.');
  return id;
};

interface Issuing {
  /** The customer of the key, if it is known. */
  readonly customer: { readonly id: number } | undefined;
  make(call: PortalCall, id: string): Promise<IssuedKey>;
  /** The form with the sent values. */
  again(call: PortalCall, problems?: Problems): Promise<PageContent>;
}

/**
 * Creates a key and shows it. A repeated form leads to the existing key, and an invalid one back to the form, as do the buttons of the search
 * for properties.
 */
const issue = async (
  { database }: PortalContext,
  call: PortalCall,
  { customer, make, again }: Issuing,
): Promise<PageContent | Redirect> => {
  try {
    const chosen = { ...call, form: await withChosen({ database, customer }, call.form) };
    if (stepIn(call.form)) return await again(chosen);
    return shownKey(call, await make(chosen, idIn(call.form)));
  } catch (error) {
    if (error instanceof KeyIssuedAlready) return { to: `/portal/keys/${call.form.get('id')}?notice=once` };
    if (error instanceof FormError) return again(call, error.problems);
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

const createFrom = async (context: PortalContext, { form, keys }: PortalCall, id: string): Promise<IssuedKey> => {
  const { expiresAt, ...fields } = await readForm({
    customer: () => findCustomer(context.database, (form.get('customer') ?? '').trim()),
    ...rightsIn(form),
    scope: () => forField('data', () => scopeIn(form)),
    expiresAt: () => forField('expires', () => parseEnd(form.get('expires') ?? '')),
  });
  const name = (form.get('name') ?? '').trim().slice(0, 200);
  // Everything else is checked, so the remaining error is a tier above the customer's.
  return forField('tier', () => keys.create({ ...fields, name, id, ...(expiresAt && { expiresAt }) }));
};

/** The initial values of the form: the submitted ones, or everything that the customer may read. */
const rightsFor = ({ form }: PortalCall, customer: Customer | undefined): KeyRights => ({
  tier: (form.get('tier') as KeyRights['tier'] | null) ?? customer?.tier ?? 'basic',
  groups: form.has('token') ? (form.getAll('groups') as KeyRights['groups']) : [...defaultGroups],
});

const slugIn = ({ form, query }: PortalCall): string => (form.get('customer') ?? query.get('customer') ?? '').replaceAll('\0', '').trim();

/** The customer that the form names. */
const namedCustomer = (database: Database, call: PortalCall): Promise<Customer | undefined> => customerWithSlug(database, slugIn(call));

const creation = async (context: PortalContext, call: PortalCall, problems = noProblems): Promise<PageContent> => {
  const { form, token } = call;
  const { database } = context;
  const slug = slugIn(call);
  const named = await namedCustomer(database, call);
  const choice = await customerChoice(database, slug || undefined);
  const isPossible = named !== undefined || (await hasCustomers(database));
  const search = await searchProperties({ database, customer: named }, form);
  const fields = html`<form method="post" action="/portal/keys/new" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">${enterButton}
${formField(problems, { name: 'customer', label: 'Customer' }, choice)}
${formField(
  problems,
  { name: 'name', label: 'Name', hint: 'Who or what will use the key' },
  (attributes) =>
    html`<input name="name" maxlength="200" required value="${form.get('name')}"${problems.size === 0 && !search.found && html` autofocus`}${attributes}>`,
)}
${rightsFields(rightsFor(call, named), problems)}
${scopeFields(form, null, search, problems)}
${formField(
  problems,
  { name: 'expires', label: 'Expires on', hint: 'At 00:00 UTC; empty for never' },
  (attributes) => html`<input type="date" name="expires" value="${form.get('expires')}"${attributes}>`,
)}
<div class="actions"><button class="primary">Create key</button><a href="/portal/keys">Cancel</a></div></form>`;
  return {
    title: 'Create a key',
    section: 'keys',
    status: problems.size === 0 ? 200 : 422,
    body: html`<h1>Create a key</h1>${refusal(problems)}${
      isPossible
        ? fields
        : nothing('A key belongs to a customer.', html`<a class="button primary" href="/portal/customers?add=yes">Add a customer</a>`)
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

/** The reason why a key cannot be rotated, for example because another operator did so. */
const hindrance = async (database: Database, key: KeyRecord): Promise<Html | undefined> => {
  const state = keyStateOf(key);
  if (state === 'revoked' || state === 'expired') return html`It is ${state}; create a new one instead.`;
  const { successor } = await readRelatives(database, key);
  if (successor && !successor.revoked_at) return html`It has been rotated already: its successor is ${keyLink(successor)}.`;
  return undefined;
};

const rotation = async (
  { database }: PortalContext,
  { keys, parameter, token, form }: PortalCall,
  problems = noProblems,
): Promise<PageContent> => {
  const key = await keys.find(parameter('id'));
  const title = html`<h1>Rotate ${key.name || key.id}</h1>`;
  const common = { title: 'Rotate a key', section: 'keys' } as const;
  const hindered = await hindrance(database, key);
  if (hindered)
    return {
      ...common,
      status: form.has('token') ? 409 : 200,
      body: html`${title}<p class="notice warn" role="alert">Nothing was changed: this key cannot be rotated. ${hindered}</p>
<p><a class="button" href="/portal/keys/${key.id}">Back to the key</a></p>`,
    };
  const search = await searchProperties({ database, customer: await findCustomer(database, key.customer) }, form);
  return {
    ...common,
    status: problems.size === 0 ? 200 : 422,
    body: html`
${title}
${refusal(problems)}
<p class="lead">A new key is made with the same rights, the same expiry and the same hourly quota. It may have another data scope. The old one, <code>${key.id}</code>, lives on for a while, so that nobody is cut off before they have changed over.</p>
<form method="post" action="/portal/keys/${key.id}/rotate" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">${enterButton}
${formField(problems, { name: 'overlap', label: 'The old key lives on for' }, (attributes) =>
  select('overlap', overlaps, form.get('overlap') ?? '24', attributes),
)}
${scopeFields(form, key.scope, search, problems)}
<div class="actions"><button class="primary">Rotate key</button><a href="/portal/keys/${key.id}">Cancel</a></div></form>`,
  };
};

/** Shows the reason if the store refuses a rotation. */
const rotateFrom = async ({ keys, parameter, form }: PortalCall, successor: string): Promise<IssuedKey> => {
  const overlapMs = await forField('overlap', () => parseOverlap(form.get('overlap')));
  // Without the field, as in a form of the version before, the scope stays.
  const change = form.has('data') ? { scope: await forField('data', () => scopeIn(form)) } : undefined;
  return forField('id', () => keys.rotate(parameter('id'), overlapMs, successor, change));
};

/** A scope lists up to 10,000 property ids, of up to 10 digits each. Only operators send forms this long. */
const scopeFormLimit = 160 * 1024;

export const issuePages = (scope: FastifyInstance, context: PortalContext): void => {
  const { database } = context;
  addPage(scope, context, '/portal/keys/new', {
    formLimit: scopeFormLimit,
    get: (call) => creation(context, call),
    post: async (call) =>
      issue(context, call, {
        customer: await namedCustomer(database, call),
        make: (sent, id) => createFrom(context, sent, id),
        again: (sent, problems) => creation(context, sent, problems),
      }),
  });
  addPage(scope, context, '/portal/keys/:id/rotate', {
    formLimit: scopeFormLimit,
    get: (call) => rotation(context, call),
    post: async (call) =>
      issue(context, call, {
        customer: await findCustomer(database, (await call.keys.find(call.parameter('id'))).customer),
        make: rotateFrom,
        again: (sent, problems) => rotation(context, sent, problems),
      }),
  });
};
