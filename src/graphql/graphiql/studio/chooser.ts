/** A dialog with a search over a list of operations: examples, or what was run before. */
import { button, element } from './element.ts';

export interface Choice {
  readonly title: string;
  readonly note: string;
  /** What it is found by, besides. */
  readonly text: string;
  open(): void;
}

interface Chooser {
  readonly title: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** Stands in the place of a list without entries. */
  readonly empty: string;
  readonly actions?: readonly HTMLButtonElement[];
}

const matches = ({ title, note, text }: Choice, words: readonly string[]): boolean => {
  const all = `${title} ${note} ${text}`.toLowerCase();
  return words.every((word) => all.includes(word));
};

/** Opens the dialog; choosing closes it. */
export const choose = ({ title, label, choices, empty, actions = [] }: Chooser): void => {
  const search = element('input', { type: 'search', 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false' });
  const found = element('ul', { class: 'choices' });
  const said = element('p', { role: 'status', class: 'hint' });
  const close = button('Close', () => dialog.close());
  const dialog = element(
    'dialog',
    { class: 'chooser', 'aria-label': title },
    element('div', { class: 'head' }, element('h2', {}, title), element('div', { class: 'actions' }, ...actions, close)),
    search,
    said,
    found,
  );
  const open = (choice: Choice): void => {
    dialog.close();
    choice.open();
  };
  const show = (): void => {
    const shown = choices.filter((choice) => matches(choice, search.value.toLowerCase().split(/\s+/)));
    said.textContent =
      choices.length === 0 ? empty : shown.length === 0 ? 'Nothing has these words.' : `${shown.length} of ${choices.length}`;
    found.replaceChildren(
      ...shown.map((choice) => {
        const entry = button('', () => open(choice));
        entry.append(element('strong', {}, choice.title), element('span', { class: 'note' }, choice.note));
        return element('li', {}, entry);
      }),
    );
  };
  search.addEventListener('input', show);
  search.addEventListener('keydown', (event) => {
    const first = found.querySelector('button');
    if (event.key === 'ArrowDown') first?.focus();
    else if (event.key === 'Enter' && search.value !== '') first?.click();
    else return;
    // The dialog may be gone, and the key would press what has the focus then.
    event.preventDefault();
  });
  found.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const item = (event.target as Element).closest('li');
    const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
    (next?.querySelector('button') ?? search).focus();
    event.preventDefault();
  });
  dialog.addEventListener('close', () => dialog.remove());
  show();
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
};
