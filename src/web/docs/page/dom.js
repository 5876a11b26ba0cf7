/** Finds and creates elements of the page. */

export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};
