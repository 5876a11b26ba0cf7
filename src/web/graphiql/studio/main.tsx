/** The script of the GraphiQL page. */
import '@graphiql/react/font/fira-code.css';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import '../assets/graphiql-page.css';
import { createRoot } from 'react-dom/client';
import { apiKey, showKeyForm } from '../../browser/key.ts';
import { openedLink } from './operations/link.ts';
import { Studio } from './studio.tsx';

const workers: Readonly<Record<string, string>> = { graphql: './graphiql-graphql-worker.js', json: './graphiql-json-worker.js' };

/** Monaco, the editor, asks for its workers here. They are modules next to this one. */
(globalThis as { MonacoEnvironment?: unknown }).MonacoEnvironment = {
  getWorker: (_module: string, label: string) =>
    new Worker(new URL(workers[label] ?? './graphiql-editor-worker.js', import.meta.url), { type: 'module', name: label }),
};

const root = document.getElementById('root') as HTMLElement;

const hasDemoKey = showKeyForm(root.dataset.demoKeys, {
  used: 'Key in use until this tab is closed.',
  missing: 'Enter an API key to see the schema and to run queries.',
  choose: 'Choose a demo key, or enter an API key.',
});
createRoot(root).render(<Studio hasDemoKey={hasDemoKey} {...openedLink(apiKey !== '')} />);
