/** The search box. Its index is loaded with the first query. */
import { servicePath } from '../../browser/service.ts';
import { type Hit, openSearch } from '../search/search.ts';
import { all, element } from './dom.ts';

const search = document.querySelector<HTMLElement>('[data-search]');
const [input, list] = [search?.querySelector('input'), search?.querySelector('ul')];
if (search && input && list) {
  let find: Promise<(query: string) => readonly Hit[]> | undefined;
  const load = async () => {
    const path = document.querySelector<HTMLElement>('[data-index]')?.dataset.index ?? '';
    return openSearch(await (await fetch(servicePath(path))).text());
  };
  const options = () => all('[role=option]', list);
  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (option: HTMLElement | undefined): void => {
    for (const other of options()) other.setAttribute('aria-selected', String(other === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    option?.scrollIntoView({ block: 'nearest' });
  };
  const go = (option: HTMLElement): void => {
    close();
    location.href = servicePath(option.dataset.address ?? '');
  };
  const draw = (hits: readonly Hit[]): void => {
    list.replaceChildren(
      ...hits.map(({ kind, title, address, sentence }, at) => {
        const option = element(
          'li',
          { role: 'option', id: `found-${at}`, 'data-address': address, 'aria-selected': 'false' },
          element('span', { class: 'kind' }, kind),
          element(
            'span',
            { class: 'what' },
            element('strong', {}, title),
            element('span', {}, ...sentence.map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part))),
          ),
        );
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    if (hits.length === 0)
      list.append(
        element('li', { role: 'option', class: 'none', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing has these words.'),
      );
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(options().find((option) => option.dataset.address));
  };
  const update = async (): Promise<void> => {
    const asked = input.value;
    if (asked.trim() === '') return close();
    find ??= load();
    const found = (await find)(asked);
    if (input.value === asked) draw(found);
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
    if (!search.contains(relatedTarget as Node | null)) close();
  });
  // A click on a result must not move the focus first.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')))
      return;
    event.preventDefault();
    input.focus();
  });
  search.hidden = false;
}
