/** Finds and creates elements of the page. */

export const all = <Found extends Element = HTMLElement>(selector: string, within: ParentNode = document): readonly Found[] => [
  ...within.querySelectorAll<Found>(selector),
];

export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};
