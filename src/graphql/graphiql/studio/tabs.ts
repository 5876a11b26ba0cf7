/** Tabs by the pattern that screen readers know: one of them in the tab order, arrow keys between them. */
import { element } from './element.ts';

export interface Tabs<Name extends string> {
  readonly bar: HTMLElement;
  /** What the chosen tab shows. */
  readonly panel: HTMLElement;
  choose(name: Name): void;
}

export const tabsOf = <Name extends string>(
  label: string,
  id: string,
  names: readonly Name[],
  chosen: (name: Name) => void,
): Tabs<Name> => {
  const panel = element('div', { role: 'tabpanel', id: `${id}-panel`, tabindex: '0' });
  const bar = element('div', { role: 'tablist', 'aria-label': label, class: 'studio-tabs' });
  const tabs = names.map((name) =>
    element('button', { type: 'button', role: 'tab', id: `${id}-${name}`, 'aria-controls': panel.id }, name),
  );
  const choose = (name: Name): void => {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = names[index] === name;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', `${id}-${name}`);
    chosen(name);
  };
  for (const [index, tab] of tabs.entries()) tab.addEventListener('click', () => choose(names[index] as Name));
  bar.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(event.target as HTMLButtonElement);
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (at < 0 || place === undefined) return;
    event.preventDefault();
    const next = tabs.at(place % tabs.length) as HTMLElement;
    next.focus();
    next.click();
  });
  bar.append(...tabs);
  return { bar, panel, choose };
};
