/** One customer: its tables with rows, versions and syncs, its keys, its tier. */
import type { FastifyInstance } from 'fastify';
import { type Customer, findCustomer, parseTier } from '../database/customers.ts';
import type { PortalContext } from './context.ts';
import { tierChoices } from './customers.ts';
import { field, nothing, select, table, tile, time } from './elements.ts';
import { formatCount } from './format.ts';
import { readTableStates, type TableState } from './freshness.ts';
import { type Html, html } from './html.ts';
import { readKeys } from './key-list.ts';
import { keyTable } from './keys.ts';
import { tokenField } from './layout.ts';
import { addPage } from './page.ts';
import { syncRuns } from './sync-runs.ts';
import type { Elsewhere, Visit } from './visit.ts';

const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);

const tableList = (states: readonly TableState[], caption: string): Html => {
  const headings = [
    { label: 'Table' },
    { label: 'Rows', isNumber: true },
    { label: 'Version', isNumber: true },
    { label: 'Last sync' },
    { label: 'Last change' },
  ] as const;
  const rows = states.map(({ name, row_count, version, synced_at, changed_at }) => [
    html`<code>${name}</code>`,
    formatCount(row_count),
    formatCount(version),
    time(synced_at, 'never'),
    time(changed_at, 'never'),
  ]);
  return table(headings, rows, caption);
};

const facts = ({ tier, slug, created_at }: Customer, tables: readonly TableState[]): Html => html`<dl class="tiles">
${tile('Tier', tier, html`Slug <code>${slug}</code>`)}
${tile('Rows', formatCount(tables.filter(({ kind }) => kind === 'category').reduce((sum, { row_count }) => sum + row_count, 0)), 'in category tables')}
${tile('Last sync', time(latest(tables.map(({ synced_at }) => synced_at)), 'never'))}
${tile('Last change', time(latest(tables.map(({ changed_at }) => changed_at)), 'never'), html`Customer since ${time(created_at)}`)}
</dl>`;

const keysShown = 10;

const newestKeys = async (context: PortalContext, { slug }: Customer): Promise<Html> => {
  await context.usage.flush();
  const order = { search: '', sort: 'created', isDescending: true, page: 1 } as const;
  const { rows, total } = await readKeys(context.database, order, { customer: slug, withEnded: true }, keysShown);
  if (total === 0) return nothing('There is no key yet.');
  const path = `/portal/keys?customer=${slug}&ended=yes`;
  return html`${keyTable(context, rows, { ofOne: true })}${
    total > rows.length && html`<p class="more"><a href="${path}">All ${formatCount(total)} keys</a></p>`
  }`;
};

const tierForm = ({ slug, tier }: Customer, token: string): Html => html`
<details class="panel"><summary>Change the tier</summary>
<form method="post" action="/portal/customers/${slug}/tier" class="fields">${tokenField(token)}
${field('Tier', select('tier', tierChoices, tier), 'Keys of a higher tier than their customer’s read as if they had the customer’s.')}
<div class="actions"><button class="primary">Change tier</button></div>
</form></details>`;

const changeTier = async (context: PortalContext, visit: Visit): Promise<Elsewhere> => {
  const { id, slug, tier: before } = await findCustomer(context.database, visit.parameter('slug'));
  const tier = parseTier(visit.form.get('tier') ?? '');
  await context.database.control.updateTable('customers').set({ tier }).where('id', '=', id).execute();
  await context.record(visit, 'changed tier of customer', `${slug}, from ${before} to ${tier}`);
  return { to: `/portal/customers/${slug}?notice=tier` };
};

export const customerPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/customers/:slug', {
    get: async (visit) => {
      const customer = await findCustomer(context.database, visit.parameter('slug'));
      const tables = await readTableStates(context.database, customer.id);
      return {
        title: customer.name,
        section: 'customers',
        body: html`
<div class="head"><h1>${customer.name}</h1><a class="button primary" href="/portal/keys/new?customer=${customer.slug}">Create a key</a></div>
${facts(customer, tables)}
<section><h2>Keys</h2>${await newestKeys(context, customer)}</section>
${tierForm(customer, visit.token)}
<section><h2>Syncs</h2>${await syncRuns(context.database, customer, latest(tables.map(({ synced_at }) => synced_at)))}</section>
<section><h2>Category tables</h2>${tableList(
          tables.filter(({ kind }) => kind === 'category'),
          'Category tables',
        )}</section>
<section><h2>Raw tables</h2>${tableList(
          tables.filter(({ kind }) => kind === 'raw'),
          'Raw tables',
        )}</section>`,
      };
    },
  });
  addPage(scope, context, '/portal/customers/:slug/tier', { post: (visit) => changeTier(context, visit) });
};
