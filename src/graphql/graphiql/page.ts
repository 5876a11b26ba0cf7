/**
 * GraphiQL at `/graphql`: a small page, whose scripts run under a nonce of its own, and the assets beside it. The page needs
 * no key, its requests do (contract: GraphiQL).
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { amendScript } from './amend-script.ts';
import { type AssetName, assetPaths } from './assets.ts';
import { examples } from './examples.ts';
import { pageScript } from './page-script.ts';

/** A browser that opens the address, not a client that sends a query. */
export const isPageRequest = ({ method, headers, query }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html') && !(query as URLSearchParams).has('query');

/** GraphiQL's pale colours are made dark enough to be read; its own title stands in the header. */
const style = `
body { display: flex; flex-direction: column; height: 100vh; margin: 0; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; padding: 8px 16px; font: 14px system-ui, sans-serif; background: #10233f; color: #fff; }
h1 { margin: 0; font-size: 16px; }
#key-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; min-width: 0; }
#key-bar label { font-weight: 600; }
#api-key { width: 26em; max-width: 100%; box-sizing: border-box; padding: 5px 8px; border: 1px solid #8aa; border-radius: 4px; font: 13px ui-monospace, monospace; }
#key-bar button { padding: 5px 14px; border: 0; border-radius: 4px; background: #3fbf8f; color: #06231a; font-weight: 600; cursor: pointer; }
#key-message.wrong { color: #ffd479; }
#root { flex: 1; min-height: 0; }
#root > div { height: 100%; }
.graphiql-logo { display: none; }
.graphiql-container .graphiql-doc-explorer-type-name { text-decoration: underline; }
body:not(.graphiql-dark) .graphiql-container { --color-warning: 36, 100%, 26%; --color-info: 208, 100%, 32%; }
body:not(.graphiql-dark) .monaco-editor .mtk8 { color: #06603f; }
body:not(.graphiql-dark) .monaco-editor .line-numbers.dimmed-line-number { color: #23697f; }
@media (max-width: 700px) {
  .graphiql-container .graphiql-session { flex-direction: column; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
}
`;

const options = {
  title: 'Estate GraphQL',
  endpoint: '/graphql',
  defaultTabs: Object.values(examples).map((query) => ({ query })),
  shouldPersistHeaders: false,
  isHeadersEditorEnabled: false,
};

/** JSON inside a script element: no text of it may end that. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const render = (paths: Readonly<Record<AssetName, string>>, nonce: string): string => {
  const workers = { editorWorkerService: paths['editor-worker.js'], json: paths['json-worker.js'], graphql: paths['graphql-worker.js'] };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${options.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${paths['graphiql.css']}">
<style>${style}</style>
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<header>
<h1>${options.title}</h1>
<form id="key-bar" autocomplete="off">
<label for="api-key">API key</label>
<input id="api-key" type="password" placeholder="est_…" spellcheck="false" autocomplete="off">
<button type="submit">Use key</button>
<span id="key-message" role="status"></span>
</form>
</header>
<main id="root"></main>
<script nonce="${nonce}">${pageScript}${amendScript}
const workers = ${inScript(workers)};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_id, label) => workers[label] ?? workers.editorWorkerService };</script>
<script nonce="${nonce}" src="${paths['graphiql.js']}"></script>
<script nonce="${nonce}">YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...${inScript(options)}, query: lastQuery ?? ${inScript(options.defaultTabs[0]?.query)} });</script>
</body>
</html>
`;
};

/** Scripts only with this answer's nonce; Monaco sets styles inline and its icons and fonts are data. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('Referrer-Policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(render(await assetPaths(), nonce));
};
