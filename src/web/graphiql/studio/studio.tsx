/** GraphiQL with the parts of this page: views of the response, examples, saved questions and links. */
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { apiKey } from '../../browser/key.ts';
import type { ViewName } from '../view-names.ts';
import { SystemColors } from './color-scheme.ts';
import { exampleDocuments, viewOfExample } from './examples.ts';
import { explorer } from './explorer.tsx';
import { createFetcher } from './fetcher.ts';
import { ActionBar } from './operations/action-bar.tsx';
import { HistoryNames } from './operations/history-names.ts';
import { rememberView } from './operations/link.ts';
import type { Operation } from './operations/operation.ts';
import { OperationTabs } from './operations/operation-tabs.ts';
import { RunAwaited } from './operations/run-awaited.ts';
import { StartWithData } from './operations/start-with-data.ts';
import { keepAnswer } from './response/answers.ts';
import { ResponseViews } from './response/response-views.tsx';

const plugins = [explorer, HISTORY_PLUGIN];
const [firstExample = ''] = exampleDocuments;

interface StudioProps {
  /** The operation from the page's address. */
  readonly linked?: Operation | undefined;
  /** The view from the page's address, or the last one of this browser tab. */
  readonly linkedView: ViewName | undefined;
  /** Whether that operation runs without a click. */
  readonly runsLink: boolean;
  /** Whether the key in use is one of the demo. */
  readonly hasDemoKey: Promise<boolean>;
}

export const Studio = ({ linked, linkedView, runsLink, hasDemoKey: offered }: StudioProps) => {
  /** The name of the operation that was run or opened last. A document may have several operations. */
  const [lastName, setLastName] = useState(linked?.operationName);
  const [view, setView] = useState<ViewName>(linkedView ?? 'JSON');
  const changeView = useCallback((chosen: ViewName) => {
    rememberView(chosen);
    setView(chosen);
  }, []);
  /** The document that runs when the editor has it. */
  const [awaited, setAwaited] = useState(runsLink ? linked?.query : undefined);
  const stopWaiting = useCallback(() => setAwaited(undefined), []);
  /** Runs an example in its view. */
  const runExample = (query: string): void => {
    changeView(viewOfExample(query) ?? 'Table');
    if (apiKey) setAwaited(query);
  };
  const [hasDemoKey, setHasDemoKey] = useState(false);
  useEffect(() => {
    offered.then(setHasDemoKey);
  }, [offered]);
  const fetcher = useMemo(
    () =>
      createFetcher((operation, text) => {
        setLastName(operation.operationName);
        keepAnswer(text);
      }),
    [],
  );
  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      defaultTabs={[linked ? { query: linked.query, variables: linked.variables } : { query: firstExample }]}
      {...(linked ? { initialQuery: linked.query, initialVariables: linked.variables } : {})}
      shouldPersistHeaders={false}
      isHeadersEditorEnabled={false}
      defaultEditorToolsVisibility
      forcedTheme="system"
    >
      <GraphiQL.Footer>
        <ResponseViews lastName={lastName} view={view} onView={changeView} />
      </GraphiQL.Footer>
      <ActionBar
        isLinked={linked !== undefined && !runsLink}
        lastName={lastName}
        view={view}
        onOpen={setLastName}
        onView={changeView}
        onExample={(query) => {
          runExample(query);
          // On a phone, the answer is below the editors.
          document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' });
        }}
      />
      <OperationTabs />
      <HistoryNames />
      <SystemColors />
      <RunAwaited awaited={awaited} onDone={stopWaiting} />
      {!linked && <StartWithData hasDemoKey={hasDemoKey} onStart={linkedView ? setAwaited : runExample} />}
    </GraphiQL>
  );
};
