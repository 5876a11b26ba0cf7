/** The form fields for the data scope of a key (contract: data scopes). */
import { readScope } from '../../../access/scope.ts';
import type { ScopeDefinition } from '../../../catalogue/data-scope.ts';
import { type PersonalClass, personalClasses, personalMeanings } from '../../../catalogue/personal.ts';
import { OperatorError } from '../../../errors.ts';
import { select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import { formField, type Problems } from '../form.ts';
import { idsIn, inRanges, itemsOf } from './id-ranges.ts';
import { type PropertySearch, searchFields } from './property-search.ts';

const choices = {
  all: 'all data of its tables',
  limited: 'only the classes and properties below',
} as const;
type Choice = keyof typeof choices;

/** The lists of a property set: the name in the form and in the scope, the label, and the hint. */
const lists = [
  ['ids', 'Property ids', 'Ids and ranges such as 1001-1250, separated by commas or spaces; empty for all properties'],
  ['companies', 'Companies', 'Company numbers; the key reads all of their properties, also later ones'],
  ['federal_states', 'Federal states', 'Such as BE, NW; together with companies, both must hold'],
] as const;

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
    list: (name: (typeof lists)[number][0]) => {
      const { [name]: listed = [] } = definition?.properties ?? {};
      return name === 'ids' ? inRanges(listed) : listed.join(', ');
    },
  } as const;
};

export const scopeFields = (
  form: URLSearchParams,
  definition: ScopeDefinition | null,
  search: PropertySearch,
  problems: Problems,
): Html => {
  const { choice, personal, list } = shown(form, definition);
  return html`
${formField(problems, { name: 'data', label: 'Data', hint: 'Only a rotation can change it later' }, (attributes) =>
  select('data', Object.entries(choices), choice, attributes),
)}
<details${choice === 'limited' && html` open`}><summary>Classes and properties</summary>
<div class="stack">
<fieldset class="field"><legend class="label">Personal data</legend>
${personalClasses.map(
  (each) =>
    html`<label class="check"><input type="checkbox" name="personal" value="${each}"${personal.includes(each) && html` checked`}> ${each}: ${personalMeanings[each]}</label>`,
)}</fieldset>
${lists.map(([name, label, hint]) =>
  formField(
    problems,
    { name, label, hint },
    (attributes) => html`<input name="${name}" maxlength="100000" value="${list(name)}"${attributes}>`,
  ),
)}
${searchFields(search, list('ids'))}
</div></details>`;
};

/** The scope in a form; null for all data. Throws an `OperatorError` for values that are not valid, and for a limit that limits nothing. */
export const scopeIn = (form: URLSearchParams): ScopeDefinition | null => {
  const choice = (form.get('data') ?? 'all') as Choice;
  if (!(choice in choices)) throw new OperatorError('Choose which data the key reads.');
  if (choice === 'all') return null;
  const given = lists.flatMap(([name]): [string, unknown][] => {
    const items = name === 'ids' ? idsIn(form.get(name)) : itemsOf(form.get(name));
    return items.length > 0 ? [[name, items]] : [];
  });
  const scope = readScope({
    personal: form.getAll('personal'),
    ...(given.length > 0 && { properties: Object.fromEntries(given) }),
  });
  if (!scope) throw new OperatorError('Nothing is limited: leave out a class or name properties, or choose all data.');
  return scope;
};
