/** The customers: the list, and a form that adds one. */
import type { FastifyInstance } from 'fastify';
import { tiers } from '../catalogue/tiers.ts';
import { createCustomer, parseTier } from '../database/customers.ts';
import { OperatorError } from '../errors.ts';
import type { PortalContext } from './context.ts';
import { failure, field, nothing, pill, select, table, time } from './elements.ts';
import { formatCount } from './format.ts';
import { type CustomerState, readCustomerStates } from './freshness.ts';
import { type Html, html } from './html.ts';
import { type Screen, tokenField } from './layout.ts';
import { addPage } from './page.ts';
import type { Visit } from './visit.ts';

export const tierChoices = tiers.map((tier) => [tier, tier] as const);

const list = (customers: readonly CustomerState[]): Html => {
  if (customers.length === 0) return nothing('There is no customer yet. Add the first one below.');
  const headings = [
    { label: 'Customer' },
    { label: 'Slug' },
    { label: 'Tier' },
    { label: 'Rows', isNumber: true },
    { label: 'Last sync' },
    { label: 'Active keys', isNumber: true },
  ] as const;
  const rows = customers.map(({ slug, name, tier, rows, synced_at, syncing_since, keys }) => [
    html`<a href="/portal/customers/${slug}">${name}</a>`,
    html`<code>${slug}</code>`,
    tier,
    formatCount(rows),
    syncing_since ? html`${pill('running', 'warn')} since ${time(syncing_since)}` : time(synced_at, 'never'),
    html`<a href="/portal/keys?customer=${slug}">${keys}</a>`,
  ]);
  return table(headings, rows, 'Customers');
};

const screen = async (context: PortalContext, { token, form }: Visit, message?: string): Promise<Screen> => ({
  title: 'Customers',
  section: 'customers',
  status: message === undefined ? 200 : 422,
  body: html`
<h1>Customers</h1>
${failure(message)}
${list(await readCustomerStates(context.database))}
<section id="add" class="panel"><h2>Add a customer</h2>
<form method="post" action="/portal/customers" class="fields">
${tokenField(token)}
${field('Name', html`<input name="name" required maxlength="200" value="${form.get('name')}">`, 'In full, as people know it')}
${field(
  'Slug',
  html`<input name="slug" required pattern="[a-z][a-z0-9\\-]{0,39}" maxlength="40" autocapitalize="none" spellcheck="false" value="${form.get('slug')}">`,
  'Short name for addresses and the command line: lower-case letters, digits, hyphens',
)}
${field('Tier', select('tier', tierChoices, form.get('tier') ?? 'enterprise'), 'What the customer may read at most')}
<div class="actions"><button class="primary">Add customer</button></div>
</form></section>`,
});

export const customersPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/customers', {
    get: (visit) => screen(context, visit),
    post: async (visit) => {
      const slug = (visit.form.get('slug') ?? '').trim();
      const name = (visit.form.get('name') ?? '').trim();
      try {
        if (name === '') throw new OperatorError('A customer needs a name.');
        const tier = parseTier(visit.form.get('tier') ?? '');
        await createCustomer(context.database, context.catalogue, { slug, name, tier });
        await context.record(visit, 'added customer', `${slug}, tier ${tier}`);
      } catch (error) {
        if (error instanceof OperatorError) return screen(context, visit, error.message);
        throw error;
      }
      return { to: `/portal/customers/${slug}?notice=customer` };
    },
  });
