/** Runs the query of a link from the documentation once, as soon as GraphiQL has a schema. */
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';

export const RunLinked = ({ query }: { readonly query: string }) => {
  const { run } = useGraphiQLActions();
  const { schema, queryEditor } = useGraphiQL(pick('schema', 'queryEditor'));
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current || !schema || queryEditor?.getValue() !== query) return;
    hasRun.current = true;
    run();
  }, [schema, queryEditor, query, run]);
  return null;
};
