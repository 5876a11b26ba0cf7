/**
 * `/metrics` for Prometheus on a separate port, protected by an optional bearer token. One process of an instance answers for all of its
 * processes.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import { problemPathOf } from './responses/problem.ts';

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** The bearer token in the `Authorization` header; empty for none. */
  readonly token?: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Serves the text of all `sources`. If one fails, the response is a 500, so that a scrape is never incomplete. */
export const serveMetrics = async (
  { host, port, token = '' }: MetricsServerOptions,
  sources: readonly (() => Promise<string>)[],
): Promise<Server> => {
  const expected = digest(token);
  // Digests have a fixed length, so the comparison takes the same time for every token.
  const isAllowed = (header = '') => token === '' || timingSafeEqual(digest(/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''), expected);
  const server = createServer(({ url = '/', method = '', headers }, response) => {
    if (problemPathOf(url) !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    if (!isAllowed(headers.authorization)) return void response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    Promise.all(sources.map((source) => source())).then(
      (texts) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(texts.join('\n')),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};
