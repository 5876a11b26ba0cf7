/**
 * `GET /docs`: the interface description to read and to try out, served from this process without a key (contract: interface
 * description).
 *
 * A view takes four requests, since each counts against the quota of the caller's address: the page, a script that starts
 * Swagger UI, and its style sheet and program, whose paths carry their version so that browsers keep them.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Routes } from './context.ts';
import { docsScript, docsStyle } from './docs-script.ts';

const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
const { version } = createRequire(import.meta.url)(manifest) as { version: string };

/** What of the package is served; nothing else can be asked for. */
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

const assetPath = (file: keyof typeof assets): string => `/docs/${version}/${file}`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Real-Estate Data API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('swagger-ui.css')}">
<style>${docsStyle}</style>
</head>
<body>
<noscript><p>This page needs JavaScript. The interface description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<div id="docs"></div>
<script src="${assetPath('swagger-ui-bundle.js')}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The page's scripts, styles and requests are this service's own; Swagger UI sets styles inline and its icons are data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const revalidated = 'public, no-cache';
const kept = 'public, max-age=31536000, immutable';

const send = (reply: FastifyReply, type: string, caching: string, body: string | Buffer): FastifyReply =>
  reply
    .header('Content-Security-Policy', contentSecurityPolicy)
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', caching)
    .type(type)
    .send(body);

export const docsRoutes: Routes = (app) => {
  const serve = (url: string, handler: (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>): void => {
    app.route({ method: ['GET', 'HEAD'], url, config: { isPublic: true }, handler: (_request, reply) => handler(reply) });
  };
  serve('/docs', (reply) => send(reply, 'text/html; charset=utf-8', revalidated, page));
  serve('/docs/start.js', (reply) => send(reply, 'text/javascript; charset=utf-8', revalidated, docsScript));
  for (const [file, type] of Object.entries(assets))
    serve(assetPath(file as keyof typeof assets), async (reply) => send(reply, type, kept, await readFile(join(dirname(manifest), file))));
};
