/**
 * `/metrics` for Prometheus on a port of its own: no balancer leads to it, no key or token guards it, and one process of an instance
 * answers for all of them.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';

/** Serves what all of `sources` say; a source that fails is a 500, so that a scrape never looks whole and is not. */
export const serveMetrics = async (
  { host, port }: { readonly host: string; readonly port: number },
  sources: readonly (() => Promise<string>)[],
): Promise<Server> => {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/metrics' && request.method === 'GET';
    if (!isAsked) return void response.writeHead(404).end();
    Promise.all(sources.map((source) => source())).then(
      (texts) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(texts.join('\n')),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};
