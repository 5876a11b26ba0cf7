/** The form fields for the tier and the endpoint groups of a key. */
import { type KeyRights, refuseMixedGroups } from '../../../access/keys.ts';
import { type Category, categories, keyGroups, type Tier, tiers } from '../../../catalogue/tiers.ts';
import { parseTier } from '../../../database/control/customers.ts';
import { select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { Refusal } from '../failures.ts';
import { formField, noProblems, type Problems, problemAt } from '../form.ts';
import type { KeyTexts } from '../texts/keys.ts';
import { type Wording, wordings } from '../texts/wording.ts';

/** What a tier adds to the tier below. */
const tierWords = (tier: Tier, { tierAnd }: KeyTexts): string => {
  const below = tiers[tiers.indexOf(tier) - 1];
  const own = Object.keys(categories).filter((category) => categories[category as Category] === tier);
  return `${tier}: ${below ? tierAnd(below, own.join(', ')) : own.join(', ')}`;
};

export const rightsFields = (
  { tier, groups }: KeyRights,
  problems: Problems = noProblems,
  { keys: t }: Wording = wordings.en,
): Html => html`
${formField(problems, { name: 'tier', label: t.tier, hint: t.tierHint }, (attributes) =>
  select(
    'tier',
    tiers.map((name) => [name, tierWords(name, t)] as const),
    tier,
    attributes,
  ),
)}
<fieldset class="field" aria-describedby="groups-hint${problems.has('groups') && ' groups-problem'}"><legend class="label">${t.groups}</legend>
${keyGroups.map(
  (group) =>
    html`<label class="check"><input type="checkbox" name="groups" value="${group}"${groups.includes(group) && html` checked`}${
      problems.has('groups') && html` aria-invalid="true"`
    }> ${t.groupWords[group]}</label>`,
)}
<span class="hint" id="groups-hint">${t.groupsHint}</span>${problemAt(problems, 'groups')}</fieldset>`;

const parseGroups = (chosen: readonly string[], { noGroup }: KeyTexts): KeyRights['groups'] => {
  const groups = keyGroups.filter((group) => chosen.includes(group));
  refuseMixedGroups(groups);
  if (groups.length === 0) throw new Refusal(noGroup);
  return groups;
};

/** The parsers of the two fields. They reject unknown tiers and groups, and an empty list of groups. */
export const rightsIn = (form: URLSearchParams, { keys: t }: Wording = wordings.en) => ({
  tier: (): Tier => parseTier(form.get('tier') ?? ''),
  groups: (): KeyRights['groups'] => parseGroups(form.getAll('groups'), t),
});
