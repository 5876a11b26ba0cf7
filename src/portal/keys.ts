/** The list of keys, of all customers or of one. */
import type { FastifyInstance } from 'fastify';
import { type KeyRecord, stateOf } from '../access/keys.ts';
import { readKeyUse } from '../access/usage-report.ts';
import { endpointGroups } from '../catalogue/tiers.ts';
import { gauge } from './chart.ts';
import type { PortalContext } from './context.ts';
import { nothing, table, time } from './elements.ts';
import { formatCount } from './format.ts';
import { type Html, html } from './html.ts';
import { keyLink, statePill } from './key-state.ts';
import { addPage } from './page.ts';
import type { Visit } from './visit.ts';

const headings = [
  { label: 'Key' },
  { label: 'Customer' },
  { label: 'State' },
  { label: 'Tier' },
  { label: 'Groups' },
  { label: 'Created' },
  { label: 'Expires' },
  { label: 'Last used' },
  { label: 'This hour', isNumber: true },
] as const;

export const groupsInWords = (groups: readonly string[]): string =>
  endpointGroups.every((group) => groups.includes(group)) ? 'all' : groups.join(', ') || 'none';

/** Keys as a table, each with its use of late; without the customer's column where they are all of one. */
export const keyTable = async (context: PortalContext, keys: readonly KeyRecord[], ofOne = false): Promise<Html> => {
  const { database, usage, requestsPerHour } = context;
  if (keys.length === 0) return nothing('There is no key yet.');
  await usage.flush();
  const use = await readKeyUse(database.control);
  const rows = keys.map((key) => {
    const { thisHour = 0, lastAt } = use.get(key.id) ?? {};
    return [
      keyLink(key),
      ...(ofOne ? [] : [html`<a href="/portal/customers/${key.customer}">${key.customer}</a>`]),
      statePill(key),
      key.tier,
      groupsInWords(key.groups),
      time(key.created_at),
      time(key.expires_at, 'never'),
      time(lastAt, 'never'),
      html`${formatCount(thisHour)}${requestsPerHour > 0 && gauge(thisHour, requestsPerHour)}`,
    ];
  });
  return table(ofOne ? headings.filter(({ label }) => label !== 'Customer') : headings, rows, 'API keys');
};

const filters = (customers: readonly string[], chosen: string | null, withEnded: boolean): Html => html`
<form class="filters" data-submit-on-change>
<label>Customer <select name="customer"><option value="">all</option>${customers.map(
  (slug) => html`<option${slug === chosen && html` selected`}>${slug}</option>`,
)}</select></label>
<label><input type="checkbox" name="ended" value="yes"${withEnded && html` checked`}> Revoked and expired too</label>
<button>Show</button>
</form>`;

const screen = async (context: PortalContext, { keys, query }: Visit) => {
  const all = await keys.list();
  const customer = query.get('customer') || null;
  const withEnded = query.get('ended') === 'yes';
  const shown = all
    .filter((key) => customer === null || key.customer === customer)
    .filter((key) => withEnded || ['active', 'disabled'].includes(stateOf(key)))
    .reverse();
  const customers = [...new Set(all.map((key) => key.customer))].sort();
  const create = customer === null ? '/portal/keys/new' : `/portal/keys/new?customer=${encodeURIComponent(customer)}`;
  return {
    title: 'Keys',
    section: 'keys' as const,
    body: html`
<div class="head"><h1>Keys</h1><a class="button primary" href="${create}">Create a key</a></div>
${filters(customers, customer, withEnded)}
${await keyTable(context, shown)}`,
  };
};

export const keysPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/keys', { get: (visit) => screen(context, visit) });
