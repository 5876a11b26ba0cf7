/** GraphiQL's explorer plugin, with names for its fields: the plugin draws inputs without a label. */
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { type GraphiQLPlugin, useGraphiQL, useOperationsEditorState, useOptimisticState } from '@graphiql/react';
import { useLayoutEffect, useReducer, useRef } from 'react';

const plugin = explorerPlugin();
const Explorer = plugin.content;

/** An input is named after its argument, which is part of the class name around it. */
const nameFields = (container: HTMLElement): void => {
  for (const field of container.querySelectorAll(':is(input, select):not([aria-label], [id])')) {
    const [, name = 'Value'] = /graphiql-explorer-(\w+)/.exec(field.closest('[class*=graphiql-explorer-]')?.className ?? '') ?? [];
    field.setAttribute('aria-label', field.closest('.variable-editor-title') ? 'Kind of operation to add' : name);
  }
};

const NamedExplorer = () => {
  const container = useRef<HTMLDivElement>(null);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  // The plugin draws when one of these changes, and after an event. This component renders in the same commits.
  useGraphiQL(({ schema }) => schema);
  useOptimisticState(useOperationsEditorState());
  useLayoutEffect(() => nameFields(container.current as HTMLElement));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events come from the plugin's controls
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a control is a click or a change, too
    <div ref={container} onClick={renderAgain} onChange={renderAgain} onFocus={renderAgain} onBlur={renderAgain}>
      <Explorer />
    </div>
  );
};

export const explorer: GraphiQLPlugin = { ...plugin, content: NamedExplorer };
