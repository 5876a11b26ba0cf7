/** The form fields for the data scope of a key (contract: data scopes). */
import { readScope } from '../../../access/scope.ts';
import type { ScopeDefinition } from '../../../catalogue/data-scope.ts';
import { type PersonalClass, personalClasses } from '../../../catalogue/personal.ts';
import { select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { Refusal } from '../failures.ts';
import { formField, type Problems } from '../form.ts';
import type { Wording } from '../texts/wording.ts';
import { idsIn, inRanges, itemsOf } from './id-ranges.ts';
import { type PropertySearch, searchFields } from './property-search.ts';

/** The lists of a property set, by the name in the form and in the scope. */
const lists = ['ids', 'companies', 'federal_states'] as const;

/** What the form shows: the submitted values, or those of a definition. */
const shown = (form: URLSearchParams, definition: ScopeDefinition | null) => {
  if (form.has('data'))
    return {
      choice: form.get('data') === 'limited' ? 'limited' : 'all',
      personal: form.getAll('personal') as PersonalClass[],
      list: (name: string) => form.get(name) ?? '',
    } as const;
  return {
    choice: definition ? 'limited' : 'all',
    personal: definition?.personal ?? personalClasses,
    list: (name: (typeof lists)[number]) => {
      const { [name]: listed = [] } = definition?.properties ?? {};
      return name === 'ids' ? inRanges(listed) : listed.join(', ');
    },
  } as const;
};

export const scopeFields = (
  form: URLSearchParams,
  definition: ScopeDefinition | null,
  search: PropertySearch,
  { problems, wording }: { readonly problems: Problems; readonly wording: Wording },
): Html => {
  const { keys: t } = wording;
  const { choice, personal, list } = shown(form, definition);
  return html`
${formField(problems, { name: 'data', label: t.data, hint: t.dataHint }, (attributes) =>
  select('data', Object.entries(t.dataChoices), choice, attributes),
)}
<details${choice === 'limited' && html` open`}><summary>${t.scope}</summary>
<div class="stack">
<fieldset class="field"><legend class="label">${t.personal}</legend>
${personalClasses.map(
  (each) =>
    html`<label class="check"><input type="checkbox" name="personal" value="${each}"${personal.includes(each) && html` checked`}> ${each}: ${t.personalMeanings[each]}</label>`,
)}</fieldset>
${lists.map((name) =>
  formField(
    problems,
    { name, label: t.lists[name][0], hint: t.lists[name][1] },
    (attributes) => html`<input name="${name}" maxlength="100000" value="${list(name)}"${attributes}>`,
  ),
)}
${searchFields(search, list('ids'), wording)}
</div></details>`;
};

/** The scope in a form; null for all data. Throws an `OperatorError` for values that are not valid, and for a limit that limits nothing. */
export const scopeIn = (form: URLSearchParams, { keys: t }: Wording): ScopeDefinition | null => {
  const choice = form.get('data') ?? 'all';
  if (!Object.hasOwn(t.dataChoices, choice)) throw new Refusal(t.chooseData);
  if (choice === 'all') return null;
  const given = lists.flatMap((name): [string, unknown][] => {
    const items = name === 'ids' ? idsIn(form.get(name)) : itemsOf(form.get(name));
    return items.length > 0 ? [[name, items]] : [];
  });
  const scope = readScope({
    personal: form.getAll('personal'),
    ...(given.length > 0 && { properties: Object.fromEntries(given) }),
  });
  if (!scope) throw new Refusal(t.nothingLimited);
  return scope;
};
