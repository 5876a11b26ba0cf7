/** The first page: is the database there, how fresh is each customer, which keys run into their limit. */
import type { FastifyInstance } from 'fastify';
import { type KeyRecord, stateOf } from '../access/keys.ts';
import { hourMs } from '../access/usage.ts';
import { dayMs, type KeyUse, readKeyUse, readSeries, readSums, type Step, type Sums } from '../access/usage-report.ts';
import { gauge } from './chart.ts';
import type { PortalContext } from './context.ts';
import { nothing, pill, table, tile, time } from './elements.ts';
import { formatCount } from './format.ts';
import { type CustomerState, readCustomerStates } from './freshness.ts';
import { type Html, html } from './html.ts';
import { keyLink } from './key-state.ts';
import { addPage } from './page.ts';
import { usageChart } from './series.ts';

/** The share of its limit from which a key is worth a look. */
const nearLimit = 0.8;

interface Overview {
  readonly customers: readonly CustomerState[];
  readonly keys: readonly KeyRecord[];
  readonly use: ReadonlyMap<string, KeyUse>;
  readonly lastDay: ReadonlyMap<string, Sums>;
  readonly hours: readonly Step[];
  readonly databaseMs: number;
  readonly server: string;
}

/** One query after another: the embedded database has one connection. */
const readOverview = async ({ database, usage }: PortalContext, keys: () => Promise<KeyRecord[]>): Promise<Overview> => {
  await usage.flush();
  const before = performance.now();
  const { rows } = await database.pool.query<{ version: string }>("select current_setting('server_version') as version");
  const databaseMs = performance.now() - before;
  return {
    databaseMs,
    server: `PostgreSQL ${rows[0]?.version.split(' ')[0]}${database.embedded ? ', embedded' : ''}`,
    customers: await readCustomerStates(database),
    keys: await keys(),
    use: await readKeyUse(database.control),
    lastDay: await readSums(database.control, new Date(Date.now() - dayMs)),
    hours: await readSeries(database.control, hourMs, 24),
  };
};

const tiles = ({ databaseMs, server, customers, keys, hours }: Overview): Html => {
  const sum = (measure: 'requests' | 'errors' | 'limited') => hours.reduce((total, hour) => total + hour[measure], 0);
  const failed = sum('errors');
  const limited = sum('limited');
  return html`<dl class="tiles">
${tile('Database', html`<span class="dot good"></span>Answers`, `in ${databaseMs.toFixed(1)} ms, ${server}`)}
${tile('Customers', formatCount(customers.length), html`<a href="/portal/customers">All customers</a>`)}
${tile('Active keys', formatCount(keys.filter((key) => stateOf(key) === 'active').length), html`<a href="/portal/keys">All keys</a>`)}
${tile('Requests in 24 h', formatCount(sum('requests')), `${formatCount(failed)} failed, ${formatCount(limited)} over the limit`)}
</dl>`;
};

/** Keys that were refused for their limit today, or are near it this hour. */
const limitedKeys = ({ keys, use, lastDay }: Overview, limit: number): Html => {
  const rows = keys
    .map((key) => ({ key, thisHour: use.get(key.id)?.thisHour ?? 0, refused: lastDay.get(key.id)?.limited ?? 0 }))
    .filter(({ thisHour, refused }) => refused > 0 || (limit > 0 && thisHour >= nearLimit * limit))
    .map(({ key, thisHour, refused }) => [
      keyLink(key),
      html`<a href="/portal/customers/${key.customer}">${key.customer}</a>`,
      limit > 0 ? html`${formatCount(thisHour)} of ${formatCount(limit)}${gauge(thisHour, limit)}` : formatCount(thisHour),
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

const freshness = ({ customers }: Overview): Html => {
  if (customers.length === 0)
    return nothing('There is no customer yet.', html`<a class="button primary" href="/portal/customers#add">Add a customer</a>`);
  const headings = [
    { label: 'Customer' },
    { label: 'Last sync' },
    { label: 'Last change' },
    { label: 'Rows', isNumber: true },
    { label: 'Active keys', isNumber: true },
  ] as const;
  const rows = customers.map(({ slug, name, synced_at, syncing_since, changed_at, rows, keys }) => [
    html`<a href="/portal/customers/${slug}">${name}</a>`,
    syncing_since ? html`${pill('running', 'warn')} since ${time(syncing_since)}` : time(synced_at, 'never'),
    time(changed_at, 'never'),
    formatCount(rows),
    formatCount(keys),
  ]);
  return table(headings, rows, 'How fresh each customer is');
};

export const overviewPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal', {
    get: async ({ keys }) => {
      const overview = await readOverview(context, () => keys.list());
      return {
        title: 'Overview',
        section: 'overview',
        body: html`
<div class="head"><h1>Overview</h1><a class="button primary" href="/portal/keys/new">Create a key</a></div>
${tiles(overview)}
<section><h2>Requests in the last 24 hours</h2>${usageChart(overview.hours, 'requests', true)}</section>
<section><h2>Freshness</h2>${freshness(overview)}</section>
<section><h2>Limits</h2>${limitedKeys(overview, context.requestsPerHour)}</section>`,
      };
    },
  });
