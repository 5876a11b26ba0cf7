/** The operation in GraphiQL's editors. */
import { pick, useGraphiQL, useGraphiQLActions, useOperationsEditorState, useVariablesEditorState } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { nameIn, type Operation } from './operation.ts';

/** Of several operations in the document, the one with the name `lastName`, else the first. */
export const useCurrentOperation = (lastName: string | undefined): Operation => {
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  return { query, variables, operationName: nameIn({ query, variables, operationName: lastName }) };
};

/** Opens an operation in a new tab, as soon as the editors have loaded. It does not run the operation. */
export const useOpenInTab = (): ((operation: Operation) => void) => {
  const { addTab } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL(pick('queryEditor', 'variableEditor'));
  const [waiting, setWaiting] = useState<Operation>();
  useEffect(() => {
    if (!waiting || !queryEditor || !variableEditor) return;
    addTab();
    queryEditor.setValue(waiting.query);
    variableEditor.setValue(waiting.variables);
    setWaiting(undefined);
  }, [waiting, queryEditor, variableEditor, addTab]);
  return setWaiting;
};
