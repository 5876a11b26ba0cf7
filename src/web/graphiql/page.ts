/** GraphiQL at `/graphql`. The page needs no key, its requests do (contract: GraphiQL). */
import type { FastifyReply } from 'fastify';
import type { PublicUrl } from '../../http/public-url.ts';
import { addVary } from '../../http/responses/headers.ts';
import { madeOnce, sendMade } from '../../http/responses/made-bodies.ts';
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, publicBar } from '../pages/frame.ts';
import { html } from '../pages/html.ts';
import { keyForm } from '../pages/key-form.ts';
import { securityHeaders } from '../pages/policy.ts';
import { BundleFiles, type FileSet, graphiqlBundle, StaticFiles } from '../pages/static-files.ts';
import { examples } from './examples.ts';

const bundle = new BundleFiles('graphiql', graphiqlBundle);
const contents = new StaticFiles({
  'examples.json': () => JSON.stringify(Object.values(examples)),
});

export const graphiqlFiles: readonly FileSet[] = [bundle, contents];

const render = (prefix: string, hasDemoKeys: boolean): string =>
  documentOf({
    prefix,
    title: 'GraphiQL',
    bodyClass: 'graphiql-page no-focus-outline',
    styles: [bundle.path('graphiql.css')],
    scripts: [bundle.path('graphiql.js')],
    body: html`${publicBar('/graphql', keyForm)}
<main id="content"><h1 class="unseen">GraphiQL</h1><noscript>GraphiQL needs JavaScript.</noscript>
<div id="studio-bar" role="group" aria-label="Queries"></div>
<div id="root" data-examples="${contents.path('examples.json')}"${hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}></div></main>`,
  });

/** A function that sends the page, which is made once. Another `Accept` gets another answer at its address. */
export const createGraphiqlPage = ({ prefix }: PublicUrl, hasDemoKeys: boolean): ((reply: FastifyReply) => Promise<FastifyReply>) => {
  const page = madeOnce(() => render(prefix, hasDemoKeys));
  // The editor, Monaco, sets inline styles.
  const headers = { ...securityHeaders({ inlineStyles: true, requests: true, editor: true }), 'cache-control': 'public, no-cache' };
  return async (reply) => sendMade(addVary(reply.headers(headers), 'Accept'), await page());
};
