/** Tabs by the ARIA pattern: one tab is in the tab order, the arrow keys move between the tabs. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react';

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
    const at = names.indexOf(chosen);
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const name = names.at(place % names.length) as Name;
    onChoose(name);
    bar.current?.querySelector<HTMLElement>(`#${id}-${name}`)?.focus();
  };
  return (
    <>
      <div ref={bar} className="studio-tabs" role="tablist" aria-label={label} data-chosen={chosen} onKeyDown={move}>
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
