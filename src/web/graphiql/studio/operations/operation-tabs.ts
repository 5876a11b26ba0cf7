/**
 * GraphiQL's tabs by the ARIA pattern. GraphiQL gives the role to a list item that holds two buttons, which screen readers cannot follow.
 * Here the first button is the tab. The second button, which closes it, is for the pointer; the Delete key does the same.
 */
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useLayoutEffect } from 'react';

const buttonSelector = '.graphiql-tab-button';
const tabButtons = () => [...document.querySelectorAll<HTMLElement>(buttonSelector)];

export const OperationTabs = () => {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const { closeTab } = useGraphiQLActions();
  // GraphiQL draws its tabs in the same commit, from the same state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements change with the tabs
  useLayoutEffect(() => {
    for (const [index, button] of tabButtons().entries()) {
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-selected', String(index === activeTabIndex));
      const item = button.closest('.graphiql-tab');
      item?.setAttribute('role', 'presentation');
      item?.removeAttribute('aria-selected');
      const close = item?.querySelector('.graphiql-tab-close');
      close?.setAttribute('aria-hidden', 'true');
      close?.setAttribute('tabindex', '-1');
    }
  }, [tabs, activeTabIndex]);
  useEffect(() => {
    const closeByKey = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Delete' || tabs.length < 2 || !(target instanceof Element) || !target.matches(buttonSelector)) return;
      closeTab(tabButtons().indexOf(target as HTMLElement));
    };
    addEventListener('keydown', closeByKey);
    return () => removeEventListener('keydown', closeByKey);
  }, [tabs, closeTab]);
  return null;
};
