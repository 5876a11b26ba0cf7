/** A dialog with a searchable list of operations: examples or saved questions. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { Dialog } from '../../../browser/dialog.tsx';
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
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [text, setText] = useState('');

  const found = foundIn(choices, text);
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

  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
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
          <ul ref={list} className="choice-list" onKeyDown={inList}>
            {found.map(({ title: name, note, operation }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the choices do not change while the dialog is open
              <li key={index}>
                <button
                  type="button"
                  onClick={() => {
                    close();
                    onChoose(operation);
                  }}
                >
                  <strong>{name}</strong>
                  <span className="note">{note}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
};
