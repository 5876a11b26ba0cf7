/** The operation in GraphiQL's editors. */
import { pick, useGraphiQL, useGraphiQLActions, useOperationsEditorState, useVariablesEditorState } from '@graphiql/react';
import { useCallback, useEffect, useState } from 'react';
import { nameIn, type Operation } from './operation.ts';

/** Of several operations in the document, the one with the name `lastName`, else the first. */
export const useCurrentOperation = (lastName: string | undefined): Operation => {
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  return { query, variables, operationName: nameIn({ query, variables, operationName: lastName }) };
};

/** Opens an operation in a new tab, as soon as the editors have loaded. `onOpened` is called when its text is in the editors. */
export const useOpenInTab = (): ((operation: Operation, onOpened?: () => void) => void) => {
  const { addTab } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL(pick('queryEditor', 'variableEditor'));
  const [waiting, setWaiting] = useState<{ readonly operation: Operation; readonly onOpened?: (() => void) | undefined }>();
  useEffect(() => {
    if (!waiting || !queryEditor || !variableEditor) return;
    addTab();
    queryEditor.setValue(waiting.operation.query);
    variableEditor.setValue(waiting.operation.variables);
    setWaiting(undefined);
    waiting.onOpened?.();
  }, [waiting, queryEditor, variableEditor, addTab]);
  return useCallback((operation, onOpened) => setWaiting({ operation, onOpened }), []);
};
