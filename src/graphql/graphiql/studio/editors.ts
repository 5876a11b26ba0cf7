/** GraphiQL's editors: what stands in them, and opening an operation in a tab of its own. Monaco, the editor, is global for that. */
import type { Operation } from './operation.ts';

interface Model {
  readonly uri: { readonly path: string };
  getValue(): string;
  setValue(text: string): void;
  onDidChangeContent(listener: () => void): void;
}

declare const monaco: {
  readonly editor: {
    getModels(): readonly Model[];
    setTheme(name: string): void;
    onDidCreateModel(listener: (model: Model) => void): void;
  };
};

/** As GraphiQL calls its models. */
const files = { query: 'operation.graphql', variables: 'variables.json', response: 'response.json' } as const;
export type Part = keyof typeof files;

const modelOf = (part: Part): Model | undefined => monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(files[part]));

export const textIn = (part: Part): string => modelOf(part)?.getValue() ?? '';

/** Tells of every change of a part; the editors come later than the page. */
export const onChange = (parts: readonly Part[], listener: () => void): void => {
  const watch = (model: Model): void => {
    if (!parts.some((part) => model.uri.path.endsWith(files[part]))) return;
    model.onDidChangeContent(listener);
    listener();
  };
  for (const model of monaco.editor.getModels()) watch(model);
  monaco.editor.onDidCreateModel(watch);
};

/** Shows an operation in a new tab; running it is up to the reader. */
export const openInTab = ({ query, variables }: Pick<Operation, 'query' | 'variables'>): void => {
  document.querySelector<HTMLElement>('.graphiql-tab-add')?.click();
  modelOf('query')?.setValue(query);
  modelOf('variables')?.setValue(variables);
};

/** The editors look at the system's colours when they are drawn; this way they follow them. */
export const followColors = (): void =>
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) =>
    monaco.editor.setTheme(matches ? 'graphiql-DARK' : 'graphiql-LIGHT'),
  );
