/** The form fields for the tier and the endpoint groups of a key. */
import { type KeyRights, refuseMixedGroups } from '../../../access/keys.ts';
import { type Category, categories, keyGroups, type Tier, tiers } from '../../../catalogue/tiers.ts';
import { parseTier } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
import { select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { formField, noProblems, type Problems, problemAt } from '../form.ts';

/** What a tier adds to the tier below. */
const tierWords = (tier: Tier): string => {
  const below = tiers[tiers.indexOf(tier) - 1];
  const own = Object.keys(categories).filter((category) => categories[category as Category] === tier);
  return `${tier}: ${below ? `${below} and ` : ''}${own.join(', ')}`;
};

const groupWords = {
  rest: 'REST tables',
  raw: 'Raw tables',
  graphql: 'GraphQL',
  files: 'Files of whole tables',
  agents: 'Agents (MCP)',
  questions: 'Save questions (needs GraphQL)',
  deliveries: 'Deliver files, and nothing else',
} as const;

export const rightsFields = ({ tier, groups }: KeyRights, problems: Problems = noProblems): Html => html`
${formField(problems, { name: 'tier', label: 'Tier', hint: 'Not above the customer’s' }, (attributes) =>
  select(
    'tier',
    tiers.map((name) => [name, tierWords(name)] as const),
    tier,
    attributes,
  ),
)}
<fieldset class="field" aria-describedby="groups-hint${problems.has('groups') && ' groups-problem'}"><legend class="label">Endpoint groups</legend>
${keyGroups.map(
  (group) =>
    html`<label class="check"><input type="checkbox" name="groups" value="${group}"${groups.includes(group) && html` checked`}${
      problems.has('groups') && html` aria-invalid="true"`
    }> ${groupWords[group]}</label>`,
)}
<span class="hint" id="groups-hint">The catalogue, changes and look-up lists are open to every key</span>${problemAt(problems, 'groups')}</fieldset>`;

const parseGroups = (chosen: readonly string[]): KeyRights['groups'] => {
  const groups = keyGroups.filter((group) => chosen.includes(group));
  refuseMixedGroups(groups);
  if (groups.length === 0) throw new OperatorError('Choose at least one endpoint group.');
  return groups;
};

/** The parsers of the two fields. They reject unknown tiers and groups, and an empty list of groups. */
export const rightsIn = (form: URLSearchParams) => ({
  tier: (): Tier => parseTier(form.get('tier') ?? ''),
  groups: (): KeyRights['groups'] => parseGroups(form.getAll('groups')),
});
