/** The start page: whether the database answers, keys near their quota or expiry, and the freshness of each customer. */
import type { FastifyInstance } from 'fastify';
import { hourMs } from '../../access/usage.ts';
import { dayMs, readSeries, type UsageStep } from '../../access/usage-report.ts';
import { nothing, pill, table, tile, time } from '../pages/elements.ts';
import { formatCount } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { gauge, usageChart } from './chart.ts';
import type { PortalContext } from './context.ts';
import { customerLink, syncOf } from './customers/customers.ts';
import { type CustomerState, countCustomers, readStalest } from './customers/freshness.ts';
import { type EndingKey, type LimitedKey, readEndingKeys, readLimitedKeys } from './keys/key-list.ts';
import { keyLink } from './keys/keys.ts';
import { addPage } from './page.ts';

/** The share of the quota above which a key is listed. */
const nearLimit = 0.8;

/** Keys that expire within this time should be rotated. */
const endingMs = 14 * dayMs;

/** The maximum number of customers and keys on this page. Other pages list all of them. */
const shown = 10;

interface Overview {
  /** The customers that need attention, and the number of all customers. */
  readonly stalest: readonly CustomerState[];
  readonly customers: number;
  readonly activeKeys: number;
  readonly limited: readonly LimitedKey[];
  readonly ending: readonly EndingKey[];
  readonly hours: readonly UsageStep[];
  readonly databaseMs: number;
  readonly server: string;
}

/** Sequential queries, because the embedded database has one connection. */
const readOverview = async ({ database, usage, requestsPerHour }: PortalContext): Promise<Overview> => {
  await usage.flush();
  const before = performance.now();
  const { rows } = await database.pool.query<{ version: string }>("select current_setting('server_version') as version");
  const databaseMs = performance.now() - before;
  const stalest = await readStalest(database, shown);
  return {
    databaseMs,
    server: `PostgreSQL ${rows[0]?.version.split(' ')[0]}${database.embedded ? ', embedded' : ''}`,
    stalest: stalest.customers,
    customers: await countCustomers(database),
    activeKeys: stalest.activeKeys,
    limited: await readLimitedKeys(database, requestsPerHour > 0 ? nearLimit * requestsPerHour : Number.MAX_SAFE_INTEGER, shown),
    ending: await readEndingKeys(database, new Date(Date.now() + endingMs), shown),
    hours: await readSeries(database.control, hourMs, 24),
  };
};

const tiles = ({ databaseMs, server, customers, activeKeys, hours }: Overview): Html => {
  const sum = (measure: 'requests' | 'errors' | 'limited') => hours.reduce((total, hour) => total + hour[measure], 0);
  const failed = sum('errors');
  const limited = sum('limited');
  return html`<dl class="tiles">
${tile('Database', html`<span class="dot good"></span>Answers`, `in ${databaseMs.toFixed(1)} ms, ${server}`)}
${tile('Customers', formatCount(customers), html`<a href="/portal/customers">All customers</a>`)}
${tile('Active keys', formatCount(activeKeys), html`<a href="/portal/keys">All keys</a>`)}
${tile('Requests in 24 h', formatCount(sum('requests')), `${formatCount(failed)} failed, ${formatCount(limited)} over the limit`)}
</dl>`;
};

/** Keys that exceeded their quota today or are near it in this hour. */
const limitedKeys = ({ limited }: Overview, limit: number): Html => {
  const rows = limited.map(({ id, name, customer, this_hour, refused }) => [
    keyLink({ id, name }),
    html`<a href="/portal/customers/${customer}">${customer}</a>`,
    limit > 0 ? html`${formatCount(this_hour)} of ${formatCount(limit)}${gauge(this_hour, limit)}` : formatCount(this_hour),
    formatCount(refused),
  ]);
  if (rows.length === 0) return nothing('No key is near its limit, and none was refused for it in the last 24 hours.');
  const headings = [
    { label: 'Key' },
    { label: 'Customer' },
    { label: 'This hour', isNumber: true },
    { label: '429s in 24 h', isNumber: true },
  ] as const;
  return table(headings, rows, 'Keys that run into their limit');
};

/** Keys whose holders may need a notice before the expiry. */
const endingKeys = ({ ending }: Overview): Html | undefined => {
  if (ending.length === 0) return undefined;
  const rows = ending.map(({ id, name, customer, expires_at, last_at, is_rotated }) => [
    keyLink({ id, name }),
    html`<a href="/portal/customers/${customer}">${customer}</a>`,
    html`${time(expires_at)}${is_rotated && html` ${pill('rotated, still used', 'warn')}`}`,
    time(last_at, 'never'),
  ]);
  const headings = [{ label: 'Key' }, { label: 'Customer' }, { label: 'Ends' }, { label: 'Last used' }] as const;
  return html`<section><h2>Keys about to expire</h2>${table(headings, rows, 'Keys that end within 14 days')}</section>`;
};

const freshness = ({ stalest, customers }: Overview): Html => {
  if (customers === 0)
    return nothing('There is no customer yet.', html`<a class="button primary" href="/portal/customers?add=yes">Add a customer</a>`);
  const headings = [
    { label: 'Customer' },
    { label: 'Last sync' },
    { label: 'Last change' },
    { label: 'Rows', isNumber: true },
    { label: 'Active keys', isNumber: true },
  ] as const;
  const rows = stalest.map((customer) => [
    customerLink(customer),
    syncOf(customer),
    time(customer.changed_at, 'never'),
    formatCount(customer.rows),
    formatCount(customer.keys),
  ]);
  return html`${table(headings, rows, 'How fresh each customer is')}${
    customers > stalest.length &&
    html`<p class="more">These were synced longest ago. <a href="/portal/customers?sort=synced">All ${formatCount(customers)} customers</a></p>`
  }`;
};

export const overviewPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal', {
    get: async () => {
      const overview = await readOverview(context);
      return {
        title: 'Overview',
        section: 'overview',
        body: html`
<div class="head"><h1>Overview</h1><a class="button primary" href="/portal/keys/new">Create a key</a></div>
${tiles(overview)}
<section><h2>Limits</h2>${limitedKeys(overview, context.requestsPerHour)}</section>
${endingKeys(overview)}
<section><h2>Freshness</h2>${freshness(overview)}</section>
<section><h2>Requests in the last 24 hours</h2>${usageChart(overview.hours, 'requests', true)}</section>`,
      };
    },
  });
