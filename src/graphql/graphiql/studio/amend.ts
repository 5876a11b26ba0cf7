/**
 * What GraphiQL draws in a way that screen readers cannot follow. A tab is a list item around two buttons: here the item's first
 * button is the tab, and the second, which closes it, is for the pointer; the Delete key does the same. The explorer's fields
 * have no names: they are called as the argument that they stand beside.
 */

const set = (element: Element | null, attributes: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(attributes))
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
};

export const amend = (): void => {
  for (const item of document.querySelectorAll('.graphiql-tab')) {
    const isSelected = String(item.classList.contains('graphiql-tab-active'));
    set(item, { role: 'presentation' });
    set(item.querySelector('.graphiql-tab-button'), { role: 'tab', 'aria-selected': isSelected });
    set(item.querySelector('.graphiql-tab-close'), { 'aria-hidden': 'true', tabindex: '-1' });
    item.removeAttribute('aria-selected');
  }
  for (const field of document.querySelectorAll('.graphiql-plugin :is(input, select):not([aria-label], [id])')) {
    const [, name = 'Value'] = /graphiql-explorer-(\w+)/.exec(field.closest('[class*=graphiql-explorer-]')?.className ?? '') ?? [];
    set(field, { 'aria-label': field.closest('.variable-editor-title') ? 'Kind of operation to add' : name });
  }
};

export const closeTabsByKey = (): void =>
  document.addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Delete' || !(target instanceof Element) || !target.matches('.graphiql-tab-button')) return;
    target.parentElement?.querySelector<HTMLElement>('.graphiql-tab-close')?.click();
  });
