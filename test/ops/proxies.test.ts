/** The shipped configurations of HAProxy and nginx, run by the real programs in front of a server that records what it gets. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';

interface Got {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  bytes: number;
}

/** A server behind the proxy. Paths with `lost` get no answer: their connection closes after the request. */
const startRecorder = async () => {
  const got: Got[] = [];
  const server = createServer((asked, answer) => {
    const one: Got = { method: asked.method, url: asked.url, headers: asked.headers, bytes: 0 };
    if (asked.url !== '/health/ready') got.push(one);
    asked.on('data', ({ length }: Buffer) => {
      one.bytes += length;
    });
    asked.on('end', () => (asked.url?.includes('lost') ? asked.socket.destroy() : answer.end('taken')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { got, port: (server.address() as AddressInfo).port, stop };
};

const send = (
  port: number,
  {
    method = 'GET',
    path,
    headers = {},
    body = '',
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<number | undefined> =>
  new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      },
    );
    // A proxy that refuses a body answers before it has read the body.
    call.on('error', () => resolve(undefined)).end(body);
  });

const proxies = [
  ['HAProxy', hasHaproxy, async (port: number, waiting: number) => startHaproxy(port, { waiting })],
  [
    'nginx',
    hasNginx,
    async (port: number, waiting: number) => {
      const { url, stop } = await startNginx(port, { waiting });
      return { port: Number(new URL(url).port), stop };
    },
  ],
] as const;

describe.each(proxies.filter(([, isInstalled]) => isInstalled))('%s (skipped only if it is not installed)', (name, _isInstalled, start) => {
  let server: Awaited<ReturnType<typeof startRecorder>>;
  let waiting: Awaited<ReturnType<typeof startRecorder>>;
  let proxy: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    server = await startRecorder();
    waiting = await startRecorder();
    proxy = await start(server.port, waiting.port);
  });
  afterAll(async () => {
    await proxy.stop();
    server.stop();
    waiting.stop();
  });

  test('what a client says about its way is replaced', async () => {
    const headers = {
      Host: 'data.example.com',
      Forwarded: 'for=192.0.2.1;host=evil.example',
      'X-Forwarded-For': '192.0.2.1',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-Port': '1',
      'X-Real-IP': '192.0.2.1',
    };
    for (const path of ['/catalog', '/changes', '/portal/customers/nord/data']) {
      for (const method of ['GET', 'POST'])
        expect([path, method, await send(proxy.port, { method, path, headers })]).toEqual([path, method, 200]);
    }
    for (const { headers: passed } of [...server.got.splice(0), ...waiting.got.splice(0)]) {
      const way = Object.entries(passed).filter(([name]) => /forwarded|real-ip/.test(name));
      expect([passed.host, Object.fromEntries(way)]).toEqual([
        'data.example.com',
        { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'data.example.com', 'x-forwarded-proto': 'http' },
      ]);
    }
  });

  test('a path is compared decoded, and passed as it was sent', async () => {
    for (const path of ['/changes', '/%63hanges', '/chang%65s?since=2000-01-01', '/changes/', '/changes2', '/%2563hanges'])
      await send(proxy.port, { path });
    expect(waiting.got.splice(0).map(({ url }) => url)).toEqual(['/changes', '/%63hanges', '/chang%65s?since=2000-01-01']);
    expect(server.got.splice(0).map(({ url }) => url)).toEqual(['/changes/', '/changes2', '/%2563hanges']);
  });

  test('files of the portal pass whole, and other bodies of nginx are limited', async () => {
    const body = Buffer.alloc(3_000_000, 'x');
    for (const path of ['/portal/customers/nord/data', '/%70ortal/customers/nord/data'])
      expect([path, await send(proxy.port, { method: 'POST', path, body }), server.got.splice(0).map(({ bytes }) => bytes)]).toEqual([
        path,
        200,
        [body.length],
      ]);
    const graphql = await send(proxy.port, { method: 'POST', path: '/graphql', body: Buffer.alloc(200_000, 'x') });
    expect([graphql, server.got.splice(0).map(({ bytes }) => bytes)]).toEqual([200, [200_000]]);
    // HAProxy has no limit of a body; the service refuses it.
    if (name === 'nginx') {
      expect([undefined, 413]).toContain(await send(proxy.port, { method: 'POST', path: '/graphql', body }));
      expect(server.got.splice(0)).toEqual([]);
    }
  });

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])(
    '%s is repeated when its answer is lost only if it is GET or HEAD',
    async (method) => {
      // nginx does not ask an instance again for ten seconds after it lost an answer.
      const own = await start(server.port, waiting.port);
      const body = method === 'GET' || method === 'HEAD' ? '' : 'text';
      const status = await send(own.port, { method, path: '/lost', body });
      await own.stop();
      expect([method, status]).toEqual([method, 502]);
      expect([method, server.got.splice(0).length > 1]).toEqual([method, body === '']);
    },
  );
});
