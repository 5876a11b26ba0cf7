/** Changes of a customer: the forms on its page, and the confirmation page of its removal. */
import { type Customer, findCustomer, parseTier } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
import { select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { forField, formField, noProblems, type Problems, refusal } from '../form.ts';
import { type NoticeName, type PageContent, tokenField } from '../layout.ts';
import { tierChoices } from './customers.ts';

const pathOf = ({ slug }: Pick<Customer, 'slug'>) => `/portal/customers/${slug}`;

/** A collapsible form. */
const folded = (summary: string, action: string, token: string, isOpen: boolean, fields: Html): Html => html`
<details class="panel"${isOpen && html` open`}><summary>${summary}</summary>
<form method="post" action="${action}" class="fields">${tokenField(token)}
${fields}
</form></details>`;

export const changeForms = (customer: Customer, { token, form }: PortalCall, problems: Problems): Html => {
  const path = pathOf(customer);
  const { suspended_at } = customer;
  const name = formField(
    problems,
    { name: 'name', label: 'Name', hint: `In full; the slug ${customer.slug} stays` },
    (attributes) =>
      html`<input name="name" required maxlength="200" value="${problems.has('name') ? form.get('name') : customer.name}"${attributes}>`,
  );
  const tier = formField(
    problems,
    { name: 'tier', label: 'Tier', hint: 'Keys of a higher tier than their customer’s read as if they had the customer’s.' },
    (attributes) => select('tier', tierChoices, customer.tier, attributes),
  );
  const button = (label: string) => html`<div class="actions"><button class="primary">${label}</button></div>`;
  return html`
${folded('Rename', `${path}/name`, token, problems.has('name'), html`${name}${button('Change name')}`)}
${folded('Change the tier', `${path}/tier`, token, problems.has('tier'), html`${tier}${button('Change tier')}`)}
<details class="panel"><summary>Suspend or remove</summary>
<p class="hint">While a customer is suspended all its keys get 403, and its data can still be loaded. Removing takes keys, usage and data with it.</p>
<div class="actions">
<form method="post" action="${path}/${suspended_at ? 'resume' : 'suspend'}">${tokenField(token)}<button>${suspended_at ? 'Resume' : 'Suspend'}</button></form>
<a class="button danger" href="${path}/remove">Remove…</a>
</div></details>`;
};

/** Changes the customer in the path. The notice reports it. */
const change =
  (notice: NoticeName, work: (call: PortalCall, slug: string) => Promise<Customer>) =>
  async (call: PortalCall): Promise<Redirect> => ({ to: `${pathOf(await work(call, call.parameter('slug')))}?notice=${notice}` });

const field = ({ form }: PortalCall, name: string): string => form.get(name) ?? '';

/** The changes, by the last part of the form's path. */
export const customerChanges = {
  name: change('renamed', (call, slug) => forField('name', () => call.customers.rename(slug, field(call, 'name')))),
  tier: change('tier', (call, slug) => forField('tier', () => call.customers.setTier(slug, parseTier(field(call, 'tier'))))),
  suspend: change('suspended', ({ customers }, slug) => customers.suspend(slug)),
  resume: change('resumed', ({ customers }, slug) => customers.resume(slug)),
} as const;

/** Asks for the slug, so that nobody removes the wrong customer. */
export const removalContent = async (context: PortalContext, call: PortalCall, problems = noProblems): Promise<PageContent> => {
  const customer = await findCustomer(context.database, call.parameter('slug'));
  const path = pathOf(customer);
  return {
    title: 'Remove a customer',
    section: 'customers',
    status: problems.size === 0 ? 200 : 422,
    body: html`
<h1>Remove ${customer.name}?</h1>
${refusal(problems)}
<p class="lead">Its keys are refused at once, and then all that it has is dropped: keys, usage, files, and every table with its data. Only the log keeps what was done. This cannot be undone; to keep the data and refuse the keys, suspend the customer instead.</p>
<form method="post" action="${path}/remove" class="stack panel">${tokenField(call.token)}
${formField(
  problems,
  { name: 'slug', label: 'Slug', hint: `To remove it, type ${customer.slug}. It takes some seconds.` },
  (attributes) =>
    html`<input name="slug" required maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}>`,
)}
<div class="actions"><button class="danger">Remove for good</button><a href="${path}">Cancel</a></div></form>`,
  };
};

export const remove = async (context: PortalContext, call: PortalCall): Promise<Redirect> => {
  const slug = call.parameter('slug');
  const { schema_name } = await findCustomer(context.database, slug);
  await forField('slug', async () => {
    if (field(call, 'slug').trim() !== slug) throw new OperatorError(`That is not ${slug}.`);
    await call.customers.remove(slug);
  });
  // No key can read the files any more. If the store fails, `estate files prune` removes them.
  await context.files.removeCustomer(schema_name).catch((error: unknown) => {
    call.request.failure = error;
  });
  return { to: '/portal/customers?notice=removed' };
};
