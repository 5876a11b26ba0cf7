/** The customers: the list, and a form that adds one. */
import type { FastifyInstance } from 'fastify';
import { tiers } from '../catalogue/tiers.ts';
import { createCustomer, parseTier } from '../database/customers.ts';
import { OperatorError } from '../errors.ts';
import type { PortalContext } from './context.ts';
import { longName, nothing, pill, select, table, time } from './elements.ts';
import { type Faults, FormFault, faultOf, formField, noFaults, readForm, refusal } from './form.ts';
import { formatCount } from './format.ts';
import { type CustomerSort, type CustomerState, customerSorts, readCustomerPage } from './freshness.ts';
import { type Html, html } from './html.ts';
import { type Screen, tokenField } from './layout.ts';
import { type Listing, pager, readListing, searchField, sortHeading } from './listing.ts';
import { addPage } from './page.ts';
import type { Visit } from './visit.ts';

export const tierChoices = tiers.map((tier) => [tier, tier] as const);

const list = (customers: readonly CustomerState[], listing: Listing<CustomerSort>): Html => {
  const headings = [
    sortHeading(listing, 'name', 'Customer'),
    sortHeading(listing, 'slug', 'Slug'),
    { label: 'Tier' },
    { label: 'Rows', isNumber: true },
    sortHeading(listing, 'synced', 'Last sync'),
    { label: 'Active keys', isNumber: true },
  ] as const;
  const rows = customers.map(({ slug, name, tier, rows, synced_at, syncing_since, keys }) => [
    longName(`/portal/customers/${slug}`, name),
    html`<code>${slug}</code>`,
    tier,
    formatCount(rows),
    syncing_since ? html`${pill('running', 'warn')} since ${time(syncing_since)}` : time(synced_at, 'never'),
    html`<a href="/portal/keys?customer=${slug}">${formatCount(keys)}</a>`,
  ]);
  return table(headings, rows, 'Customers');
};

const none = ({ search, page }: Listing<CustomerSort>): Html =>
  search !== '' || page > 1
    ? nothing('No customer is called like that.', html`<a class="button" href="/portal/customers">All customers</a>`)
    : nothing('There is no customer yet. Add the first one below.');

const addForm = ({ token, form }: Visit, faults: Faults): Html => html`
<section id="add" class="panel"><h2>Add a customer</h2>
<form method="post" action="/portal/customers" class="fields">
${tokenField(token)}
${formField(
  faults,
  { name: 'name', label: 'Name', hint: 'In full, as people know it' },
  (attributes) => html`<input name="name" required maxlength="200" value="${form.get('name')}"${attributes}>`,
)}
${formField(
  faults,
  { name: 'slug', label: 'Slug', hint: 'Short name for addresses and the command line: lower-case letters, digits, hyphens' },
  (attributes) =>
    html`<input name="slug" required pattern="[a-z][a-z0-9\\-]{0,39}" maxlength="40" autocapitalize="none" spellcheck="false" value="${form.get('slug')}"${attributes}>`,
)}
${formField(faults, { name: 'tier', label: 'Tier', hint: 'What the customer may read at most' }, (attributes) =>
  select('tier', tierChoices, form.get('tier') ?? 'enterprise', attributes),
)}
<div class="actions"><button class="primary">Add customer</button></div>
</form></section>`;

const screen = async ({ database }: PortalContext, visit: Visit, faults = noFaults): Promise<Screen> => {
  const listing = readListing('/portal/customers', visit.query, customerSorts, 'name');
  const page = await readCustomerPage(database, listing);
  return {
    title: 'Customers',
    section: 'customers',
    status: faults.size === 0 ? 200 : 422,
    body: html`
<div class="head"><h1>Customers</h1><a class="button" href="#add">Add a customer</a></div>
${refusal(faults)}
<form class="filters">${searchField(listing, 'Part of a name or a slug')}<button>Search</button></form>
${page.rows.length > 0 ? list(page.rows, listing) : none(listing)}
${pager(listing, page)}
${addForm(visit, faults)}`,
  };
};

const parseName = (text: string): string => {
  const name = text.trim();
  if (name === '') throw new OperatorError('A customer needs a name.');
  if (name.length > 200) throw new OperatorError('A name has at most 200 characters.');
  return name;
};

const add = async (context: PortalContext, visit: Visit): Promise<string> => {
  const text = (name: string) => visit.form.get(name) ?? '';
  const { name, tier } = await readForm({ name: () => parseName(text('name')), tier: () => parseTier(text('tier')) });
  const slug = text('slug').trim();
  // Whatever else is wrong with a customer is wrong with its slug.
  await faultOf('slug', () => createCustomer(context.database, context.catalogue, { slug, name, tier }));
  await context.record(visit, 'added customer', `${slug}, tier ${tier}`);
  return slug;
};

export const customersPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/customers', {
    get: (visit) => screen(context, visit),
    post: async (visit) => {
      try {
        return { to: `/portal/customers/${await add(context, visit)}?notice=customer` };
      } catch (error) {
        if (error instanceof FormFault) return screen(context, visit, error.faults);
        throw error;
      }
    },
  });
