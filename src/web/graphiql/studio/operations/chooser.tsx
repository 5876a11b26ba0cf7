/** A dialog with a searchable list of operations: examples or saved questions. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { matchesQuery } from '../../../browser/words/matches.ts';
import type { Operation } from './operation.ts';

export interface Choice {
  readonly title: string;
  readonly note: string;
  /** Additional text for the search. */
  readonly text: string;
  readonly operation: Operation;
}

interface ChooserProps {
  readonly title: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** Shown instead of a list without entries. */
  readonly empty: string;
  readonly onChoose: (operation: Operation) => void;
  readonly onClose: () => void;
}

/** The choices that match; those that have the query as it is come first. */
const foundIn = (choices: readonly Choice[], query: string): readonly Choice[] => {
  const wanted = query.trim().toLowerCase();
  const found = choices
    .map((choice) => ({ choice, all: `${choice.title} ${choice.note} ${choice.text}` }))
    .map(({ choice, all }) => ({ choice, isExact: all.toLowerCase().includes(wanted), all }))
    .filter(({ all, isExact }) => isExact || matchesQuery(all, query));
  return [...found.filter(({ isExact }) => isExact), ...found.filter(({ isExact }) => !isExact)].map(({ choice }) => choice);
};

export const Chooser = ({ title, label, choices, empty, onChoose, onClose }: ChooserProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    dialog.current?.showModal();
    search.current?.focus();
  }, []);

  const found = foundIn(choices, text);
  const close = () => dialog.current?.close();
  const choose = ({ operation }: Choice) => {
    close();
    onChoose(operation);
  };
  const inSearch = (event: KeyboardEvent) => {
    const first = list.current?.querySelector('button');
    if (event.key === 'ArrowDown') first?.focus();
    else if (event.key === 'Enter' && text !== '') first?.click();
    else return;
    // The dialog may have closed. The key would then press the button that has the focus.
    event.preventDefault();
  };
  const inList = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const item = (event.target as Element).closest('li');
    const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
    (next?.querySelector('button') ?? search.current)?.focus();
    event.preventDefault();
  };

  return createPortal(
    <dialog ref={dialog} className="chooser" aria-label={title} onClose={onClose}>
      <div className="head">
        <h2>{title}</h2>
        <div className="actions">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </div>
      <input
        ref={search}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={inSearch}
      />
      <p role="status" className="hint">
        {choices.length === 0 ? empty : found.length === 0 ? 'Nothing has these words.' : `${found.length} of ${choices.length}`}
      </p>
      <ul ref={list} className="choices" onKeyDown={inList}>
        {found.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the choices do not change while the dialog is open
          <li key={index}>
            <button type="button" onClick={() => choose(choice)}>
              <strong>{choice.title}</strong>
              <span className="note">{choice.note}</span>
            </button>
          </li>
        ))}
      </ul>
    </dialog>,
    document.body,
  );
};
