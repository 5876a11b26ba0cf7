/** Tabs above the answer. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { placeAfterKey } from '../../browser/tabs.ts';

interface TabsProps<Name extends string> {
  readonly label: string;
  /** The prefix of the elements' ids. */
  readonly id: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
}

export const Tabs = <Name extends string>({ label, id, names, chosen, onChoose, children }: TabsProps<Name>) => {
  const bar = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const place = placeAfterKey(event.key, names.indexOf(chosen), names.length);
    if (place === undefined) return;
    event.preventDefault();
    const name = names[place] as Name;
    onChoose(name);
    bar.current?.querySelector<HTMLElement>(`#${id}-${name}`)?.focus();
  };
  return (
    <>
      <div ref={bar} className="tabs" role="tablist" aria-label={label} data-chosen={chosen} onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-controls={`${id}-panel`}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, so the keyboard must reach it */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
};
