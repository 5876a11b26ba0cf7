/** Shows the reader's own data in the documentation. The key stays in this tab and is never part of an address. */
import { ageText } from '../../browser/age.ts';
import type { OwnRights, OwnTable, QuestionAnswer } from '../../browser/answers.ts';
import { request } from '../../browser/client.ts';
import { demoKeysAt, forgetKey, keepKey, keyOfTab } from '../../browser/key.ts';
import { serviceAddress } from '../../browser/service.ts';
import { questionAddress, questionQuery } from '../question-query.ts';
import { all, element } from './dom.ts';

const ask = (path: string): Promise<Response> => request(path, { key: keyOfTab() });

const fillKey = (): void => {
  for (const place of all('[data-your-key]')) place.textContent = keyOfTab() || 'est_YOUR_KEY';
};

/** What the service reports about the key: tables, freshness, remaining quota, expiry. */
const describeKey = async (): Promise<string> => {
  const answer = await ask('/me');
  if (!answer.ok) return (await answer.json()).detail;
  const { tier, groups, expires_at, quota, tables }: OwnRights = await answer.json();
  const raw = tables.filter(({ category }) => category === 'raw');
  const others = tables.filter((table) => !raw.includes(table));
  const names = [...new Set(others.map(({ category }) => category))];
  const lists = [
    ...(others.length > 0 ? [`${others.length} tables of ${names.join(', ')}`] : []),
    ...(raw.length > 0 ? [`${raw.length} raw tables`] : []),
  ];
  const ages = tables.map(({ age_seconds }) => age_seconds).filter((age) => age !== null);
  return [
    `Tier ${tier}: ${lists.join(' and ')}, by ${groups.join(', ')}.`,
    ages.length > 0 ? `Data last loaded ${ageText(Math.max(...ages), 'en')}.` : 'No data has been loaded yet.',
    quota ? `${quota.remaining.toLocaleString('en')} of ${quota.limit.toLocaleString('en')} requests are left this hour.` : '',
    expires_at ? `The key ends on ${new Date(expires_at).toLocaleString()}.` : 'The key has no end.',
  ].join(' ');
};

/** A menu with the keys of the demo customers, which fills the form. */
const offerDemoKeys = async (path: string, form: HTMLFormElement, field: HTMLInputElement): Promise<void> => {
  const keys = await demoKeysAt(path);
  if (keys.length === 0) return;
  const choices = [{ name: 'Demo keys', key: '' }, ...keys].map(({ name, key }) => element('option', { value: key }, name));
  const menu = element('select', { 'aria-label': 'Demo key' }, ...choices);
  menu.value = keys.some(({ key }) => key === keyOfTab()) ? keyOfTab() : '';
  menu.addEventListener('change', () => {
    if (!menu.value) return;
    field.value = menu.value;
    form.requestSubmit();
  });
  form.append(menu);
};

for (const panel of all('[data-key-panel]')) {
  const form = panel.querySelector('form') as HTMLFormElement;
  const field = form.elements.namedItem('key') as HTMLInputElement;
  const [state] = all('[data-key-state]', panel) as [HTMLElement];
  const [forget] = all('[data-forget]', panel) as [HTMLElement];
  const hint = state.textContent ?? '';
  const show = async (): Promise<void> => {
    field.value = keyOfTab();
    forget.hidden = !keyOfTab();
    fillKey();
    state.textContent = keyOfTab() ? 'Asking what the key may read …' : hint;
    if (keyOfTab()) state.textContent = await describeKey().catch(() => 'The service does not answer.');
  };
  panel.hidden = false;
  const demoKeys = document.querySelector<HTMLElement>('[data-demo-keys]')?.dataset.demoKeys;
  if (demoKeys) offerDemoKeys(demoKeys, form, field);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    keepKey(field.value.trim());
    show();
  });
  forget.addEventListener('click', () => {
    forgetKey();
    show();
  });
  show();
}
fillKey();

/* The number of rows of each table for the key, and their age. */

const stateOf = (table: OwnTable | undefined): string => {
  if (!table) return 'Not for this key';
  // A key that reads some properties only does not learn the number of rows.
  const rows = table.row_count === null ? '' : `${table.row_count.toLocaleString('en')} rows`;
  const age = table.age_seconds === null ? 'never loaded' : `loaded ${ageText(table.age_seconds, 'en')}`;
  return [rows, age].filter(Boolean).join(', ');
};

/** The failed checks of a table. Keys are data of the reader and stay on the page. */
const checkItems = ({ failed_checks }: Pick<OwnTable, 'failed_checks'>): readonly HTMLElement[] =>
  failed_checks.map(({ count, en, keys }) => {
    const examples = keys.length > 0 ? ` (${keys.join(', ')}${count > keys.length ? ', …' : ''})` : '';
    return element('li', {}, `${count.toLocaleString('en')} ${en}${examples}`);
  });

const showStates = async (places: readonly HTMLElement[]): Promise<void> => {
  const answer = await ask('/me');
  if (!answer.ok) return;
  const { tables }: OwnRights = await answer.json();
  for (const place of places) {
    place.textContent = stateOf(tables.find(({ category, table }) => category !== 'raw' && table === place.dataset.stateOf));
    place.closest('[hidden]')?.removeAttribute('hidden');
  }
  for (const place of all('[data-checks-of]')) {
    const items = checkItems(
      tables.find(({ category, table }) => category !== 'raw' && table === place.dataset.checksOf) ?? { failed_checks: [] },
    );
    if (items.length === 0) continue;
    place.append(element('p', {}, 'Checks of the data that fail'), element('ul', {}, ...items));
    place.hidden = false;
  }
};
const states = all('[data-state-of]');
if (states.length > 0 && keyOfTab()) showStates(states);

/* The saved questions of the key. */

/** The address and the query of a question for programs that open CSV. */
const programsOf = ({ name, variables, formats }: QuestionAnswer): readonly HTMLElement[] => {
  if (!formats.includes('csv')) return [];
  const asked = { origin: serviceAddress(), name, variables: variables.map((variable) => variable.name) };
  return [
    element(
      'details',
      {},
      element('summary', {}, 'CSV and Power Query'),
      element('p', {}, element('code', { class: 'long' }, questionAddress(asked))),
      element('div', { class: 'sample' }, element('pre', { tabindex: '0' }, element('code', {}, questionQuery(asked)))),
    ),
  ];
};

const showQuestions = async (place: HTMLElement): Promise<void> => {
  const answer = await ask('/questions');
  if (!answer.ok) return;
  const questions: readonly QuestionAnswer[] = await answer.json();
  const items = questions.map((question) => {
    const { title, endpoint_url, variables, saved_by, saved_at } = question;
    return element(
      'li',
      {},
      element('code', {}, endpoint_url),
      ` ${title} ${variables.length > 0 ? `(${variables.map(({ name, type }) => `${name}: ${type}`).join(', ')})` : ''}`,
      ...(saved_by === null ? [] : [element('small', { class: 'quiet' }, ` Saved by ${saved_by}, ${saved_at.slice(0, 10)}`)]),
      ...programsOf(question),
    );
  });
  place.replaceChildren(
    items.length > 0 ? element('ul', {}, ...items) : element('p', { class: 'quiet' }, 'There is no saved question for your key.'),
  );
};
for (const place of all('[data-questions]')) if (keyOfTab()) showQuestions(place);

for (const details of all('details[data-codes]'))
  details.addEventListener(
    'toggle',
    async () => {
      if (!keyOfTab()) return;
      const answer = await ask(details.dataset.codes ?? '');
      if (!answer.ok) return;
      const values: readonly { readonly value: unknown; readonly label: string }[] = await answer.json();
      const items = values.map(({ value, label }) =>
        element('div', {}, element('dt', {}, element('code', {}, String(value))), element('dd', {}, label)),
      );
      details.querySelector('dl')?.replaceChildren(...items);
      const [summary] = all('summary', details);
      if (summary) summary.textContent = `${values.length} codes of your own data`;
    },
    { once: true },
  );
