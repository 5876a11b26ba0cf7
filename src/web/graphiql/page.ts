/** GraphiQL at `/graphql`. Each response has its own nonce for scripts. The page needs no key, its requests do (contract: GraphiQL). */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { catalogue } from '../../catalogue/index.ts';
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, publicBar } from '../pages/frame.ts';
import { html } from '../pages/html.ts';
import { keyForm } from '../pages/key-form.ts';
import { securityHeaders } from '../pages/policy.ts';
import { BundleFiles, type FileSet, graphiqlBundle, StaticFiles } from '../pages/static-files.ts';
import { columnLabels } from './column-labels.ts';

const bundle = new BundleFiles('graphiql', graphiqlBundle);
const labels = new StaticFiles({
  'column-labels.json': () => JSON.stringify(columnLabels(catalogue)),
});

export const graphiqlFiles: readonly FileSet[] = [bundle, labels];

const render = (prefix: string, nonce: string, hasDemoKeys: boolean): string =>
  documentOf({
    prefix,
    title: 'GraphiQL',
    bodyClass: 'graphiql-page no-focus-outline',
    nonce,
    styles: [bundle.path('graphiql.css')],
    scripts: [bundle.path('graphiql.js')],
    body: html`${publicBar('/graphql', keyForm)}
<main id="content"><h1 class="unseen">GraphiQL</h1><noscript>GraphiQL needs JavaScript.</noscript>
<div id="studio-bar" role="group" aria-label="Queries"></div>
<div id="root" data-labels="${labels.path('column-labels.json')}"${hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}></div></main>`,
  });

export const sendGraphiql = (reply: FastifyReply, hasDemoKeys: boolean): FastifyReply => {
  const nonce = randomBytes(16).toString('base64');
  // The editor, Monaco, sets inline styles.
  return reply
    .headers(securityHeaders({ nonce, inlineStyles: true, requests: true, editor: true }))
    .send(render(reply.server.publicUrl.prefix, nonce, hasDemoKeys));
};
