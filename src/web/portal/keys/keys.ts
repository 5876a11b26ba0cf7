/** The list of keys, of all customers or of one, and the short form of a key. */
import type { FastifyInstance } from 'fastify';
import { type KeyState, keyStateOf } from '../../../access/key-lookup.ts';
import type { KeyRecord } from '../../../access/keys.ts';
import { scopeInWords } from '../../../access/scope.ts';
import { endpointGroups } from '../../../catalogue/tiers.ts';
import { type Heading, longName, nothing, pill, type Tone, table, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { gauge } from '../chart.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import { customerChoice } from '../customer-choice.ts';
import { type Listing, pager, readListing, searchField, sortHeading } from '../listing.ts';
import { addPage } from '../page.ts';
import { type KeySort, keySorts, type ListedKey, readKeys } from './key-list.ts';

const tones: Record<KeyState, Tone> = { active: 'good', disabled: 'warn', expired: 'off', revoked: 'bad' };

export const statePill = (key: KeyRecord): Html => pill(keyStateOf(key), tones[keyStateOf(key)]);

/** Names may repeat; the public id is unique. */
export const keyLink = ({ id, name }: Pick<KeyRecord, 'id' | 'name'>): Html =>
  html`<span class="key">${longName(`/portal/keys/${id}`, name || 'unnamed')} <code>${id}</code></span>`;

export const groupsInWords = (groups: readonly string[]): string =>
  endpointGroups.every((group) => groups.includes(group)) ? 'all' : groups.join(', ') || 'none';

type Column = (key: ListedKey, requestsPerHour: number) => Html | string;

const columns = {
  Key: keyLink,
  Customer: ({ customer }) => html`<a href="/portal/customers/${customer}">${customer}</a>`,
  State: statePill,
  Tier: ({ tier }) => tier,
  Groups: ({ groups }) => groupsInWords(groups),
  Data: ({ scope }) => (scope ? html`<span title="${scopeInWords(scope)}">limited</span>` : 'all'),
  Created: ({ created_at }) => time(created_at),
  Expires: ({ expires_at }) => time(expires_at, 'never'),
  'Last used': ({ lastAt }) => time(lastAt, 'never'),
  'This hour': ({ thisHour }, limit) => html`${formatCount(thisHour)}${limit > 0 && gauge(thisHour, limit)}`,
} as const satisfies Record<string, Column>;
type ColumnName = keyof typeof columns;

/** The sortable columns. */
const sortsOf: Partial<Record<ColumnName, KeySort>> = { Key: 'name', Customer: 'customer', Created: 'created', Expires: 'expires' };

/** Columns that a phone shows only on the key's own page. */
const extras: readonly ColumnName[] = ['Tier', 'Groups', 'Data', 'Created', 'Expires'];

/** A table of keys. `ofOne` omits the customer's column; with a `listing`, headings sort. */
export const keyTable = (
  { requestsPerHour }: PortalContext,
  keys: readonly ListedKey[],
  { ofOne = false, listing }: { readonly ofOne?: boolean; readonly listing?: Listing<KeySort> } = {},
): Html => {
  const names = (Object.keys(columns) as ColumnName[]).filter((name) => !(ofOne && name === 'Customer'));
  const headings = names.map((name): Heading => {
    const sort = sortsOf[name];
    const isExtra = extras.includes(name);
    if (listing && sort) return { ...sortHeading(listing, sort, name), isExtra };
    return { label: name, isExtra, ...(name === 'This hour' && { isNumber: true as const }) };
  });
  const rows = keys.map((key) => names.map((name) => (columns[name] as Column)(key, requestsPerHour)));
  return table(headings, rows, 'API keys');
};

const filters = (listing: Listing<KeySort>, customers: Html, withEnded: boolean): Html => html`
<form class="filters" data-submit-on-change>
${searchField(listing, 'Part of a name, an id or a customer')}
${customers}
<label><input type="checkbox" name="ended" value="yes"${withEnded && html` checked`}> Revoked and expired too</label>
<button>Show</button>
</form>`;

const none = (listing: Listing<KeySort>, isNarrowed: boolean): Html =>
  isNarrowed || listing.page > 1
    ? nothing('No key is like that.', html`<a class="button" href="/portal/keys">All keys</a>`)
    : nothing('There is no key yet.');

const content = async (context: PortalContext, { query }: PortalCall) => {
  await context.usage.flush();
  const customer = query.get('customer')?.replaceAll('\0', '') || undefined;
  const withEnded = query.get('ended') === 'yes';
  const listing = readListing('/portal/keys', query, keySorts, '-created');
  const page = await readKeys(context.database, listing, { customer, withEnded });
  const create = customer === undefined ? '/portal/keys/new' : `/portal/keys/new?customer=${encodeURIComponent(customer)}`;
  const choice = await customerChoice(context.database, customer, 'all');
  return {
    title: 'Keys',
    section: 'keys' as const,
    body: html`
<div class="head"><h1>Keys</h1><a class="button primary" href="${create}">Create a key</a></div>
${filters(listing, html`<label>Customer ${choice(html``)}</label>`, withEnded)}
${page.rows.length > 0 ? keyTable(context, page.rows, { listing }) : none(listing, listing.search !== '' || customer !== undefined)}
${pager(listing, page)}`,
  };
};

export const keysPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/keys', { get: (call) => content(context, call) });
