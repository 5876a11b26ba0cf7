/** The part of a form that says what a key may read. */
import type { Rights } from '../access/keys.ts';
import { type Category, categories, endpointGroups, type Tier, tiers } from '../catalogue/tiers.ts';
import { parseTier } from '../database/customers.ts';
import { OperatorError } from '../errors.ts';
import { field, select } from './elements.ts';
import { type Html, html } from './html.ts';

/** What a tier adds to the one below. */
const tierWords = (tier: Tier): string => {
  const below = tiers[tiers.indexOf(tier) - 1];
  const own = Object.keys(categories).filter((category) => categories[category as Category] === tier);
  return `${tier}: ${below ? `${below} and ` : ''}${own.join(', ')}`;
};

const groupWords = { rest: 'REST tables', raw: 'Raw tables', graphql: 'GraphQL' } as const;

export const rightsFields = ({ tier, groups }: Rights): Html => html`
${field(
  'Tier',
  select(
    'tier',
    tiers.map((name) => [name, tierWords(name)] as const),
    tier,
  ),
  'Not above the customer’s',
)}
<fieldset class="field"><legend class="label">Endpoint groups</legend>
${endpointGroups.map(
  (group) =>
    html`<label class="check"><input type="checkbox" name="groups" value="${group}"${groups.includes(group) && html` checked`}> ${groupWords[group]}</label>`,
)}
<span class="hint">The catalogue, changes and look-up lists are open to every key</span></fieldset>`;

/** Throws an `OperatorError` for a tier or a group that there is not, or if no group is chosen. */
export const parseRights = (form: URLSearchParams): Rights => {
  const chosen = form.getAll('groups');
  const groups = endpointGroups.filter((group) => chosen.includes(group));
  if (groups.length === 0) throw new OperatorError('Choose at least one endpoint group.');
  return { tier: parseTier(form.get('tier') ?? ''), groups };
};
