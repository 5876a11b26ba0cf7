/** The history has a button for each operation. GraphiQL names all of them "Set active", so here the shown name is the name for screen readers, too. */
import { useEffect } from 'react';

const takeName = (): void => {
  for (const button of document.querySelectorAll('.graphiql-history-item-label[aria-label]')) button.removeAttribute('aria-label');
};

export const HistoryNames = () => {
  useEffect(() => {
    const observer = new MutationObserver(takeName);
    observer.observe(document.getElementById('root') as HTMLElement, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return null;
};
