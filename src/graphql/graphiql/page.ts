/** GraphiQL at `/graphql`, its scripts under a nonce of each answer's own. The page needs no key, its requests do (contract: GraphiQL). */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogue } from '../../catalogue/index.ts';
import { documentOf, publicBar } from '../../pages/frame.ts';
import { html } from '../../pages/html.ts';
import { pageHeaders } from '../../pages/policy.ts';
import { pageScript, projectFile, StaticFiles } from '../../pages/static-files.ts';
import { restFacts } from './rest-tables.ts';

/** A browser that opens the address, not a client that sends a query. */
export const isPageRequest = ({ method, headers, query }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html') && !(query as URLSearchParams).has('query');

type Library = Readonly<Record<'js' | 'css' | 'editorWorkerService' | 'jsonWorker' | 'graphqlWorker', string>>;
const library = (part: keyof Library) => () => (createRequire(import.meta.url)('@graphql-yoga/render-graphiql/graphiql') as Library)[part];

export const graphiqlFiles = new StaticFiles({
  'graphiql.js': library('js'),
  'graphiql.css': () => `${library('css')()}${projectFile('src/graphql/graphiql/assets/graphiql-page.css')}`,
  'editor-worker.js': library('editorWorkerService'),
  'json-worker.js': library('jsonWorker'),
  'graphql-worker.js': library('graphqlWorker'),
  'editor.js': () => projectFile('src/graphql/graphiql/assets/editor.js'),
  'studio.js': () => pageScript('src/graphql/graphiql/studio/main.ts'),
  'rest-facts.json': () => JSON.stringify(restFacts(catalogue)),
});

const keyForm = html`<form id="key-bar" autocomplete="off">
<label for="api-key">API key</label>
<input id="api-key" type="password" placeholder="est_…" spellcheck="false" autocomplete="off">
<button>Use key</button>
<span id="key-message" role="status"></span>
</form>`;

const actions = html`<div class="studio-bar" role="group" aria-label="Queries">
<button id="open-examples" type="button">Examples</button>
<button id="open-history" type="button">History</button>
<button id="copy-link" type="button">Copy link</button>
<span id="studio-message" class="hint" role="status"></span>
</div>`;

const render = (nonce: string): string => {
  const path = graphiqlFiles.path.bind(graphiqlFiles);
  const workers = {
    editorWorkerService: path('editor-worker.js'),
    json: path('json-worker.js'),
    graphql: path('graphql-worker.js'),
  };
  return documentOf({
    title: 'GraphiQL',
    bodyClass: 'graphiql-page no-focus-outline',
    nonce,
    styles: [path('graphiql.css')],
    libraries: [path('editor.js'), path('graphiql.js')],
    scripts: [path('studio.js')],
    body: html`${publicBar('/graphql', keyForm)}
<main id="content"><h1 class="unseen">GraphiQL</h1><noscript>GraphiQL needs JavaScript.</noscript>
${actions}
<div id="root" data-workers="${JSON.stringify(workers)}" data-rest-facts="${path('rest-facts.json')}"></div></main>`,
  });
};

export const sendPage = (reply: FastifyReply): FastifyReply => {
  const nonce = randomBytes(16).toString('base64');
  // Monaco, the editor, sets styles inline.
  return reply.headers(pageHeaders({ nonce, inlineStyles: true, requests: true, editor: true })).send(render(nonce));
};
