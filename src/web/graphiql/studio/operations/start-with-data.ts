/** With a demo key, the page opens with an answer: the example in the current tab runs. Another document may be of a link, so it does not. */
import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import { viewOfExample } from '../examples.ts';

interface StartWithDataProps {
  readonly hasDemoKey: boolean;
  readonly onStart: (query: string) => void;
}

export const StartWithData = ({ hasDemoKey, onStart }: StartWithDataProps) => {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the tab that the page opens with runs
  useEffect(() => {
    if (hasDemoKey && tab?.query && tab.response === null && viewOfExample(tab.query)) onStart(tab.query);
  }, [hasDemoKey]);
  return null;
};
