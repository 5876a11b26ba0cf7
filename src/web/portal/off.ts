/**
 * The page at `/portal` while the portal is off. It explains how to enable it.
 *
 * The status is 404, not 503, because nothing has failed and no monitor should report an error.
 */
import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html.ts';
import { securityHeaders } from '../pages/policy.ts';
import { visitorPage } from './layout.ts';

const content = {
  title: 'The portal is off',
  body: html`
<h1>The portal is off</h1>
<p class="lead">It is where the operator of this service adds customers and issues API keys. It opens once it has a password:</p>
<ol class="plain-list">
<li>Set <code>PORTAL_PASSWORD</code> in the environment of the service, to at least 12 characters, the same on every instance; or <code>PORTAL_OPERATORS</code>, for operators with names.</li>
<li>Start the service again.</li>
</ol>
<p class="hint">Until then customers and keys are managed on the command line.</p>
<p><a class="button" href="/">To the front page</a></p>`,
};

export const portalOffRoutes = (app: FastifyInstance): void => {
  for (const url of ['/portal', '/portal/*'])
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { isPublic: true },
      handler: (_request, reply) => reply.code(404).headers(securityHeaders({})).send(visitorPage(content, app.publicUrl.prefix)),
    });
};
