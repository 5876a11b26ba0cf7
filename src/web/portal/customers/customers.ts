/** The customers: the list, and the form that adds one. */
import type { FastifyInstance } from 'fastify';
import { tiers } from '../../../catalogue/tiers.ts';
import { parseName, parseTier } from '../../../database/control/customers.ts';
import { longName, nothing, pill, select, table, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import { forField, formField, noProblems, orShowErrors, type Problems, readForm, refusal } from '../form.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { type Listing, pager, readListing, searchField, sortHeading } from '../listing.ts';
import { addPage } from '../page.ts';
import { type CustomerSort, type CustomerState, customerSorts, isStale, readCustomerPage } from './freshness.ts';

export const tierChoices = tiers.map((tier) => [tier, tier] as const);

/** A customer's name and whether it is suspended. */
export const customerLink = ({ slug, name, suspended_at }: Pick<CustomerState, 'slug' | 'name' | 'suspended_at'>): Html =>
  html`${longName(`/portal/customers/${slug}`, name)}${suspended_at && html` ${pill('suspended', 'warn')}`}`;

/** The time of the last sync, or that a load is running. */
export const syncOf = (customer: CustomerState): Html => {
  if (customer.syncing_since) return html`${pill('running', 'warn')} since ${time(customer.syncing_since)}`;
  return html`${time(customer.synced_at, 'never')}${isStale(customer) && html` ${pill('stale', 'bad')}`}`;
};

const list = (customers: readonly CustomerState[], listing: Listing<CustomerSort>): Html => {
  const headings = [
    sortHeading(listing, 'name', 'Customer'),
    sortHeading(listing, 'slug', 'Slug'),
    { label: 'Tier' },
    { label: 'Rows', isNumber: true },
    sortHeading(listing, 'synced', 'Last sync'),
    { label: 'Active keys', isNumber: true },
  ] as const;
  const rows = customers.map((customer) => [
    customerLink(customer),
    html`<code>${customer.slug}</code>`,
    customer.tier,
    formatCount(customer.rows),
    syncOf(customer),
    html`<a href="/portal/keys?customer=${customer.slug}">${formatCount(customer.keys)}</a>`,
  ]);
  return table(headings, rows, 'Customers');
};

const none = ({ search, page }: Listing<CustomerSort>): Html =>
  search !== '' || page > 1
    ? nothing('No customer is called like that.', html`<a class="button" href="/portal/customers">All customers</a>`)
    : nothing('There is no customer yet.');

/** Above the list, so that it is easy to find; open if there are no customers. */
const addForm = ({ token, form }: PortalCall, problems: Problems, isOpen: boolean): Html => html`
<details id="add" class="panel"${isOpen && html` open`}><summary>Add a customer</summary>
<form method="post" action="/portal/customers" class="fields">
${tokenField(token)}
${formField(
  problems,
  { name: 'name', label: 'Name', hint: 'In full, as people know it' },
  (attributes) => html`<input name="name" required maxlength="200" value="${form.get('name')}"${attributes}>`,
)}
${formField(
  problems,
  { name: 'slug', label: 'Slug', hint: 'Short name for addresses and the command line: lower-case letters, digits, hyphens' },
  (attributes) =>
    html`<input name="slug" required pattern="[a-z][a-z0-9\\-]{0,39}" maxlength="40" autocapitalize="none" spellcheck="false" value="${form.get('slug')}"${attributes}>`,
)}
${formField(problems, { name: 'tier', label: 'Tier', hint: 'What the customer may read at most' }, (attributes) =>
  select('tier', tierChoices, form.get('tier') ?? 'enterprise', attributes),
)}
<div class="actions"><button class="primary">Add customer</button></div>
</form></details>`;

const content = async ({ database }: PortalContext, call: PortalCall, problems = noProblems): Promise<PageContent> => {
  const listing = readListing('/portal/customers', call.query, customerSorts, 'name');
  const page = await readCustomerPage(database, listing);
  return {
    title: 'Customers',
    section: 'customers',
    status: problems.size === 0 ? 200 : 422,
    body: html`
<h1>Customers</h1>
${refusal(problems)}
${addForm(call, problems, problems.size > 0 || call.query.has('add') || (page.total === 0 && listing.search === ''))}
<form class="filters">${searchField(listing, 'Part of a name or a slug')}<button>Search</button></form>
${page.rows.length > 0 ? list(page.rows, listing) : none(listing)}
${pager(listing, page)}`,
  };
};

const add = async (context: PortalContext, call: PortalCall): Promise<string> => {
  const text = (name: string) => call.form.get(name) ?? '';
  const { name, tier } = await readForm({ name: () => parseName(text('name')), tier: () => parseTier(text('tier')) });
  const slug = text('slug').trim();
  // All other errors of a customer concern its slug.
  await forField('slug', () => call.customers.add(context.catalogue, { slug, name, tier }));
  return slug;
};

export const customersPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/customers', {
    get: (call) => content(context, call),
    post: orShowErrors(
      async (call) => ({ to: `/portal/customers/${await add(context, call)}?notice=customer` }),
      (call, problems) => content(context, call, problems),
    ),
  });
