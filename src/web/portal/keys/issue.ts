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
import { nothing, select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { customerChoice, hasCustomers } from '../customer-choice.ts';
import { Refusal } from '../failures.ts';
import { FormError, forField, formField, noProblems, type Problems, readForm, refusal } from '../form.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import type { KeyTexts } from '../texts/keys.ts';
import { shownKey } from './issued-key.ts';
import { readRelatives } from './key-list.ts';
import { keyLink } from './keys.ts';
import { enterButton, searchProperties, stepIn, withChosen } from './property-search.ts';
import { rightsFields, rightsIn } from './rights.ts';
import { scopeFields, scopeIn } from './scope-fields.ts';

const successorPattern = /^[a-z0-9]{12}$/;

/** The public id in the form. */
const idIn = ({ form, wording: { keys } }: PortalCall): string => {
  const id = form.get('id') ?? '';
  if (!successorPattern.test(id)) throw new Refusal(keys.incomplete);
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
    const chosen = { ...call, form: await withChosen({ database, customer }, call) };
    if (stepIn(call.form)) return await again(chosen);
    return shownKey(call, await make(chosen, idIn(call)));
  } catch (error) {
    if (error instanceof KeyIssuedAlready) return { to: `/portal/keys/${call.form.get('id')}?notice=once` };
    if (error instanceof FormError) return again(call, error.problemsIn(call.wording));
    throw error;
  }
};

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const parseEnd = (text: string, { toCome }: KeyTexts): Date | undefined => {
  if (text === '') return undefined;
  const end = new Date(text);
  if (!dayPattern.test(text) || Number.isNaN(end.getTime()) || end.getTime() <= Date.now()) throw new Refusal(toCome);
  return end;
};

const createFrom = async (context: PortalContext, { form, keys, wording }: PortalCall, id: string): Promise<IssuedKey> => {
  const { expiresAt, ...fields } = await readForm({
    customer: () => findCustomer(context.database, (form.get('customer') ?? '').trim()),
    ...rightsIn(form, wording),
    scope: () => forField('data', () => scopeIn(form, wording)),
    expiresAt: () => forField('expires', () => parseEnd(form.get('expires') ?? '', wording.keys)),
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
  const { form, token, wording } = call;
  const { keys: t } = wording;
  const { database } = context;
  const slug = slugIn(call);
  const named = await namedCustomer(database, call);
  const choice = await customerChoice(database, slug || undefined);
  const isPossible = named !== undefined || (await hasCustomers(database));
  const search = await searchProperties({ database, customer: named }, form);
  const fields = html`<form method="post" action="/portal/keys/new" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">${enterButton}
${formField(problems, { name: 'customer', label: t.customer }, choice)}
${formField(
  problems,
  { name: 'name', label: t.name, hint: t.nameHint },
  (attributes) =>
    html`<input name="name" maxlength="200" required value="${form.get('name')}"${problems.size === 0 && !search.found && html` autofocus`}${attributes}>`,
)}
${rightsFields(rightsFor(call, named), problems, wording)}
${scopeFields(form, null, search, { problems, wording })}
${formField(
  problems,
  { name: 'expires', label: t.expires, hint: t.expiresHint },
  (attributes) => html`<input type="date" name="expires" value="${form.get('expires')}"${attributes}>`,
)}
<div class="actions"><button class="primary">${t.create}</button><a href="/portal/keys">${t.cancel}</a></div></form>`;
  return {
    title: t.title,
    section: 'keys',
    isTranslated: true,
    status: problems.size === 0 ? 200 : 422,
    body: html`<h1>${t.title}</h1>${refusal(problems, wording)}${
      isPossible ? fields : nothing(t.noCustomer, html`<a class="button primary" href="/portal/customers?add=yes">${t.addCustomer}</a>`)
    }`,
  };
};

const parseOverlap = (text: string | null, { rotate: t }: KeyTexts): number => {
  if (text === null || !Object.hasOwn(t.overlaps, text)) throw new Refusal(t.noOverlap);
  return Number(text) * hourMs;
};

/** The reason why a key cannot be rotated, for example because another operator did so. */
const hindrance = async (database: Database, key: KeyRecord, { rotate: t }: KeyTexts): Promise<Html | string | undefined> => {
  const state = keyStateOf(key);
  if (state === 'revoked' || state === 'expired') return t[state];
  const { successor } = await readRelatives(database, key);
  if (successor && !successor.revoked_at) return html`${t.already}${keyLink(successor)}.`;
  return undefined;
};

const rotation = async (
  { database }: PortalContext,
  { keys, parameter, token, form, wording }: PortalCall,
  problems = noProblems,
): Promise<PageContent> => {
  const key = await keys.find(parameter('id'));
  const { rotate: t, cancel } = wording.keys;
  const title = html`<h1>${t.heading(key.name || key.id)}</h1>`;
  const common = { title: t.title, section: 'keys', isTranslated: true } as const;
  const hindered = await hindrance(database, key, wording.keys);
  if (hindered)
    return {
      ...common,
      status: form.has('token') ? 409 : 200,
      body: html`${title}<p class="notice warn" role="alert">${t.impossible} ${hindered}</p>
<p><a class="button" href="/portal/keys/${key.id}">${t.back}</a></p>`,
    };
  const search = await searchProperties({ database, customer: await findCustomer(database, key.customer) }, form);
  return {
    ...common,
    status: problems.size === 0 ? 200 : 422,
    body: html`
${title}
${refusal(problems, wording)}
<p class="lead">${t.about} ${t.old[0]}<code>${key.id}</code>${t.old[1]}</p>
<form method="post" action="/portal/keys/${key.id}/rotate" class="stack panel">
${tokenField(token)}<input type="hidden" name="id" value="${randomKeyId()}">${enterButton}
${formField(problems, { name: 'overlap', label: t.livesOn }, (attributes) =>
  select('overlap', Object.entries(t.overlaps), form.get('overlap') ?? '24', attributes),
)}
${scopeFields(form, key.scope, search, { problems, wording })}
<div class="actions"><button class="primary">${t.rotate}</button><a href="/portal/keys/${key.id}">${cancel}</a></div></form>`,
  };
};

/** Shows the reason if the store refuses a rotation. */
const rotateFrom = async ({ keys, parameter, form, wording }: PortalCall, successor: string): Promise<IssuedKey> => {
  const overlapMs = await forField('overlap', () => parseOverlap(form.get('overlap'), wording.keys));
  // Without the field, as in a form of the version before, the scope stays.
  const change = form.has('data') ? { scope: await forField('data', () => scopeIn(form, wording)) } : undefined;
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
