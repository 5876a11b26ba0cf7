/** Enhancements of the documentation pages: tabs of samples, the position in the contents, highlighted lines of the diagram. */
import { copyOnClick } from '../../browser/copy.ts';
import { placeAfterKey } from '../../browser/tabs.ts';
import { all, element } from './dom.ts';
import './endpoints.ts';
import './own-data.ts';
import './search.ts';

const languageSlot = 'estate-language';

/* Samples: one language at a time, the same one in all of them. */

const choose = (language: string): void => {
  for (const group of all('[data-sample]')) {
    const parts = all(':scope > [data-language]', group);
    const shown = parts.find((part) => part.dataset.language === language) ?? parts.find((part) => !part.hidden) ?? parts[0];
    for (const part of parts) part.hidden = part !== shown;
    for (const tab of all('[role=tab]', group)) {
      const isShown = tab.textContent === shown?.dataset.language;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }
};

const copyButton = (group: HTMLElement): HTMLButtonElement => {
  const button = element('button', { type: 'button', class: 'copy-code' }, 'Copy');
  copyOnClick(button, () => all('pre', group).find((pre) => !pre.closest('[hidden]')));
  return button;
};

for (const [index, group] of all('[data-sample]').entries()) {
  const parts = all(':scope > [data-language]', group);
  const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Language' });
  for (const [at, part] of parts.entries()) {
    part.id = `sample-${index}-${at}`;
    part.setAttribute('role', 'tabpanel');
    const language = part.dataset.language ?? '';
    part.setAttribute('aria-label', language);
    for (const title of all('.language', part)) title.hidden = true;
    const tab = element('button', { type: 'button', role: 'tab', 'aria-controls': part.id }, language);
    tab.addEventListener('click', () => {
      localStorage.setItem(languageSlot, language);
      choose(language);
    });
    tabs.append(tab);
  }
  tabs.addEventListener('keydown', ({ key, target }) => {
    const place = placeAfterKey(key, [...tabs.children].indexOf(target as Element), parts.length);
    if (place === undefined) return;
    const next = tabs.children[place] as HTMLElement;
    next.focus();
    next.click();
  });
  group.prepend(element('div', { class: 'sample-bar' }, tabs, copyButton(group)));
}
choose(localStorage.getItem(languageSlot) ?? 'curl');

/* The contents, scrolled to the current page. */

const contents = document.getElementById('contents');
const showPlace = (): void => {
  const place = contents?.querySelector<HTMLElement>('[aria-current]');
  if (!place || !contents) return;
  const isBelow = place.offsetTop + place.offsetHeight > contents.clientHeight;
  if (isBelow) contents.scrollTop = place.offsetTop - contents.clientHeight / 2;
};
contents?.addEventListener('toggle', showPlace);
showPlace();

/* The diagram of all tables: highlights the lines of the table at the pointer. */

for (const diagram of all('[data-diagram]')) {
  const show = (name: string | undefined): void => {
    for (const line of all('[data-tables]', diagram))
      line.classList.toggle('own', name !== undefined && (line.dataset.tables ?? '').split(' ').includes(name));
    diagram.classList.toggle('chosen', name !== undefined);
  };
  for (const type of ['pointerover', 'focusin'])
    diagram.addEventListener(type, ({ target }) => show((target as Element).closest<HTMLElement>('[data-table]')?.dataset.table));
  for (const type of ['pointerleave', 'focusout']) diagram.addEventListener(type, () => show(undefined));
}

/* Shows a code or column of the address, even in a collapsed section. */

document
  .getElementById(decodeURIComponent(location.hash.slice(1)))
  ?.closest('details')
  ?.setAttribute('open', '');
