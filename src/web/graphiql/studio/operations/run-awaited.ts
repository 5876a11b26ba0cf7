/** Runs a document once, as soon as GraphiQL has read it in the current tab and has a schema. */
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

interface RunAwaitedProps {
  readonly awaited: string | undefined;
  /** Called when the document runs, or when the reader has changed it or left its tab. */
  readonly onDone: () => void;
}

export const RunAwaited = ({ awaited, onDone }: RunAwaitedProps) => {
  const { run } = useGraphiQLActions();
  const isReady = useGraphiQL(({ schema, queryEditor, responseEditor }) => Boolean(schema && queryEditor && responseEditor));
  // GraphiQL reads a new text of its editor after a pause: first the operation's name, then the text of the tab. A new tab has no text.
  const query = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.query);
  useEffect(() => {
    if (awaited === undefined || !query) return;
    if (query !== awaited) return onDone();
    if (!isReady) return;
    onDone();
    run();
  }, [awaited, query, isReady, run, onDone]);
  return null;
};
