/**
 * The search. Words are compared without case, accents and plural endings. Matches in the title rank before search words, and these before
 * the description.
 */
import { all, element } from './dom.js';

const idle = new Set(
  'a an and are can do does for from get has have how i in is it me mean means my of on or the there to what where which who with your'.split(
    ' ',
  ),
);
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
const bonus = { page: 3, table: 2.5, part: 2, column: 1, code: 1.2, term: 1.5, endpoint: 0.8 };

const closeness = (asked, words) => {
  if (words.includes(asked)) return 1;
  return asked.length > 1 && words.some((word) => word.startsWith(asked)) ? 0.6 : 0;
};

const scoreOf = (asked, { kind, title, about, more }) => {
  const parts = asked.map((word) =>
    Math.max(4 * closeness(word, title), (kind === 'page' ? 4 : 3) * closeness(word, more), closeness(word, about)),
  );
  const found = parts.filter((part) => part > 0).length;
  // A section may have the same name as a page. Then the page is preferred.
  const exact = kind !== 'part' && title.length === asked.filter((word) => title.includes(word)).length ? 1.5 : 1;
  return (parts.reduce((sum, part) => sum + part, 0) * (found / asked.length) ** 2 + (found > 0 ? bonus[kind] : 0)) * exact;
};

const find = (index, query) => {
  const every = wordsOf(query);
  const telling = every.filter((word) => !idle.has(word));
  const asked = telling.length > 0 ? telling : every;
  if (asked.length === 0) return [];
  return index
    .map((entry) => [scoreOf(asked, entry), entry])
    .sort(([one], [other]) => other - one)
    .filter(([score], _at, [[best]]) => score > 1.5 && score > best / 3)
    .slice(0, 12)
    .map(([, { shown }]) => shown);
};

const search = document.querySelector('[data-search]');
if (search) {
  const [input, list] = [search.querySelector('input'), search.querySelector('ul')];
  let index;
  const load = async () => {
    const entries = await (await fetch(document.querySelector('[data-index]').dataset.index)).json();
    return entries.map((shown) => {
      const [kind, title, , about, more] = shown;
      return { kind, title: wordsOf(title), about: wordsOf(about), more: wordsOf(more), shown };
    });
  };
  const options = () => all('[role=option]', list);
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (option) => {
    for (const other of options()) other.setAttribute('aria-selected', String(other === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    option?.scrollIntoView({ block: 'nearest' });
  };
  const go = (option) => {
    close();
    location.href = option.dataset.address;
  };
  const draw = (entries) => {
    list.replaceChildren(
      ...entries.map(([kind, title, address, about], at) => {
        const option = element(
          'li',
          { role: 'option', id: `found-${at}`, 'data-address': address, 'aria-selected': 'false' },
          element('span', { class: 'kind' }, kind),
          element('span', { class: 'what' }, element('strong', {}, title), element('span', {}, about)),
        );
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    if (entries.length === 0)
      list.append(element('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing has these words.'));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(options().find((option) => option.dataset.address));
  };
  const update = async () => {
    const asked = input.value;
    if (asked.trim() === '') return close();
    index ??= load();
    const entries = await index;
    if (input.value === asked) draw(find(entries, asked));
  };
  input.addEventListener('input', update);
  input.addEventListener('focus', update);
  input.addEventListener('keydown', (event) => {
    const shown = options();
    const at = shown.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && shown[at]?.dataset.address) go(shown[at]);
    else if (event.key === 'ArrowDown') mark(shown[(at + 1) % shown.length]);
    else if (event.key === 'ArrowUp') mark(shown.at(at <= 0 ? -1 : at - 1));
    else return;
    event.preventDefault();
  });
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) close();
  });
  // A click on a result must not move the focus first.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    input.focus();
  });
  search.hidden = false;
}
