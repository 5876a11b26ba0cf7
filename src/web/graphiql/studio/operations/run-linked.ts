/** Runs the query of a link from the documentation once, as soon as GraphiQL has a schema. */
import { pick, useGraphiQL, useGraphiQLActions, useOperationsEditorState } from '@graphiql/react';
import { useEffect, useRef } from 'react';

export const RunLinked = ({ query }: { readonly query: string }) => {
  const { run } = useGraphiQLActions();
  const { schema, queryEditor } = useGraphiQL(pick('schema', 'queryEditor'));
  const [edited] = useOperationsEditorState();
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current || !schema || edited !== query || !queryEditor) return;
    hasRun.current = true;
    run();
  }, [schema, queryEditor, edited, query, run]);
  return null;
};
