/** The search of the endpoints: those remain that have all of the words, in their path, their texts or their columns. */
import { all } from './dom.ts';

const [box] = all('[data-endpoint-search]');
const input = box?.querySelector('input');
const endpoints = all<HTMLDetailsElement>('details.endpoint');
const [status] = box ? all('[role=status]', box) : [];

if (box && input && status) {
  const texts = new Map<Element, string>();
  const textOf = (endpoint: Element): string => {
    // Parameters that many endpoints share have examples of other tables, so only their names count.
    const parts = all(':scope > summary, :scope > p, td:first-child', endpoint).map(({ textContent }) => textContent);
    const text = texts.get(endpoint) ?? [endpoint.id, ...parts].join(' ').toLowerCase();
    texts.set(endpoint, text);
    return text;
  };
  const search = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const endpoint of endpoints) endpoint.hidden = !words.every((word) => textOf(endpoint).includes(word));
    const found = endpoints.filter(({ hidden }) => !hidden).length;
    for (const section of all('.endpoints')) section.hidden = all('details.endpoint:not([hidden])', section).length === 0;
    status.textContent =
      found === 0 ? 'No endpoint and no column has these words.' : words.length > 0 ? `${found} of ${endpoints.length}` : '';
  };
  input.addEventListener('input', search);
  box.hidden = false;
}

/** Opens the endpoint of the address. */
const openAddressed = (): void => {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(found instanceof HTMLDetailsElement)) return;
  found.open = true;
  found.scrollIntoView();
};
addEventListener('hashchange', openAddressed);
openAddressed();
