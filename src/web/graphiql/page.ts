/** GraphiQL at `/graphql`. Each response has its own nonce for scripts. The page needs no key, its requests do (contract: GraphiQL). */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { catalogue } from '../../catalogue/index.ts';
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, publicBar } from '../pages/frame.ts';
import { html } from '../pages/html.ts';
import { pageHeaders } from '../pages/policy.ts';
import { BundleFiles, type FileSet, graphiqlBundle, StaticFiles } from '../pages/static-files.ts';
import { columnLabels } from './column-labels.ts';
import { restFacts } from './rest-tables.ts';

const bundle = new BundleFiles('graphiql', graphiqlBundle);
const facts = new StaticFiles({
  'rest-facts.json': () => JSON.stringify(restFacts(catalogue)),
  'column-labels.json': () => JSON.stringify(columnLabels(catalogue)),
});

export const graphiqlFiles: readonly FileSet[] = [bundle, facts];

const keyForm = html`<form id="key-bar" autocomplete="off">
<label for="api-key">API key</label>
<input id="api-key" type="password" placeholder="est_…" spellcheck="false" autocomplete="off">
<button>Use key</button>
<select id="demo-keys" aria-label="Demo key" hidden><option value="">Demo keys</option></select>
<span id="key-message" role="status"></span>
</form>`;

const render = (nonce: string, hasDemoKeys: boolean): string =>
  documentOf({
    title: 'GraphiQL',
    bodyClass: 'graphiql-page no-focus-outline',
    nonce,
    styles: [bundle.path('graphiql.css')],
    scripts: [bundle.path('graphiql.js')],
    body: html`${publicBar('/graphql', keyForm)}
<main id="content"><h1 class="unseen">GraphiQL</h1><noscript>GraphiQL needs JavaScript.</noscript>
<div id="studio-bar" role="group" aria-label="Queries"></div>
<div id="root" data-rest-facts="${facts.path('rest-facts.json')}" data-labels="${facts.path('column-labels.json')}"${hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}></div></main>`,
  });

export const sendPage = (reply: FastifyReply, hasDemoKeys: boolean): FastifyReply => {
  const nonce = randomBytes(16).toString('base64');
  // The editor, Monaco, sets inline styles.
  return reply.headers(pageHeaders({ nonce, inlineStyles: true, requests: true, editor: true })).send(render(nonce, hasDemoKeys));
};
