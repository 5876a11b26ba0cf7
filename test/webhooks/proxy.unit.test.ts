/** The way out: the proxy, the ports, names of this machine, and own certificates (contract: addresses of webhooks). */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig, webhookReachOf } from '../../src/config.ts';
import { parseEndpoint, post, type WebhookReach } from '../../src/webhooks/post.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const message = { headers: { 'webhook-id': 'msg_1' }, body: '{}' };
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A proxy that connects to the receiver for every name, and records the names. */
const startProxy = async (status = 200) => {
  const asked: string[] = [];
  const proxy = http.createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} x\r\n\r\n`);
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const each of [target, socket]) each.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { asked, port: portOf(proxy), url: new URL(`http://me:p%40ss@127.0.0.1:${portOf(proxy)}`), close: () => proxy.close() };
};

describe('a proxy', () => {
  test('gets the name, with user and password, and the message goes through it', async () => {
    const proxy = await startProxy();
    const port = Number(new URL(receiver.url).port);
    const resolve = async () => expect.unreachable('the proxy resolves names');
    const reach: WebhookReach = { allowsPrivate: true, proxy: proxy.url, resolve };
    expect(await post(`http://receiver.test:${port}/hook`, message, reach)).toEqual({ isDelivered: true, status: 204 });
    expect(proxy.asked).toEqual([`receiver.test:${port} Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
    expect(receiver.messages.at(-1)).toMatchObject({ body: '{}', headers: { host: `receiver.test:${port}`, 'webhook-id': 'msg_1' } });
    proxy.close();
  });

  test.each([201, 204, 403, 407, 502])('that answers %s has not delivered', async (status) => {
    const proxy = await startProxy(status);
    const attempt = await post('http://receiver.test/', message, { allowsPrivate: true, proxy: proxy.url });
    expect(attempt).toEqual({ isDelivered: false, note: `the proxy refused the connection with status ${status}` });
    proxy.close();
  });

  test('that hangs is left when the service stops', async () => {
    const proxy = http.createServer().on('connect', () => {});
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const stop = new AbortController();
    const reach = { allowsPrivate: true, proxy: new URL(`http://127.0.0.1:${portOf(proxy)}`) };
    const attempt = post('https://receiver.test/', message, reach, stop.signal);
    const [, socket] = await once(proxy, 'connect');
    const ended = once(socket, 'end');
    socket.resume();
    stop.abort();
    expect(await attempt).toMatchObject({ isDelivered: false });
    await ended;
    socket.destroy();
    proxy.close();
  });

  test('reaches no private address that an endpoint states', async () => {
    const proxy = await startProxy();
    for (const url of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://x.localhost./'])
      expect(await post(url, message, { allowsPrivate: false, proxy: proxy.url })).toMatchObject({
        isDelivered: false,
        note: expect.stringContaining('not public'),
      });
    expect(proxy.asked).toEqual([]);
    proxy.close();
  });
});

describe('localhost', () => {
  test('is this machine, where private addresses are allowed', async () => {
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect(await post(url, message, { allowsPrivate: true })).toEqual({ isDelivered: true, status: 204 });
  });

  test('is refused elsewhere, with the reason', () => {
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost'])
      expect(() => parseEndpoint(`https://${name}/`, { allowsPrivate: false })).toThrow('WEBHOOK_ALLOW_PRIVATE');
    expect(parseEndpoint('https://notlocalhost/', { allowsPrivate: false }).hostname).toBe('notlocalhost');
  });
});

describe('ports', () => {
  const reachOf = (environment: Record<string, string>) => webhookReachOf(readConfig(environment));

  test('443 alone is allowed, or those of WEBHOOK_PORTS, or all with private addresses', () => {
    expect(reachOf({})).toEqual({ allowsPrivate: false, ports: [443], proxy: undefined });
    expect(reachOf({ WEBHOOK_ALLOW_PRIVATE: 'true' }).ports).toBeUndefined();
    expect(reachOf({ WEBHOOK_PORTS: '443, 8443', WEBHOOK_ALLOW_PRIVATE: 'true' }).ports).toEqual([443, 8443]);
    for (const url of ['https://a.example/', 'https://a.example:443/']) expect(parseEndpoint(url, reachOf({})).port).toBe('');
    expect(() => parseEndpoint('https://a.example:22/', reachOf({}))).toThrow('port 22. WEBHOOK_PORTS allows 443.');
    expect(() => parseEndpoint('http://a.example/', reachOf({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: '443' }))).toThrow('port 80');
  });

  test.each(['0', '65536', '443;8443', '443,', 'https'])('WEBHOOK_PORTS=%s is refused', (text) => {
    expect(() => readConfig({ WEBHOOK_PORTS: text })).toThrow('WEBHOOK_PORTS must be ports');
  });

  test.each(['proxy:3128', 'socks5://proxy:1080', 'http://proxy:3128/path', 'nonsense'])('WEBHOOK_PROXY=%s is refused', (text) => {
    expect(() => readConfig({ WEBHOOK_PROXY: text })).toThrow('WEBHOOK_PROXY must be http://');
  });
});

test('NODE_EXTRA_CA_CERTS adds an authority, also behind a proxy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-ca-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' }); // biome-ignore format: one line
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) =>
    response.writeHead(204).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startProxy();
  const program = `import { post } from ${JSON.stringify(join(import.meta.dirname, '../../src/webhooks/post.ts'))};
    const attempt = (reach) => post('https://localhost:${portOf(server)}/', { headers: {}, body: '{}' }, { allowsPrivate: true, ...reach });
    console.log(JSON.stringify([await attempt({}), await attempt({ proxy: new URL(${JSON.stringify(proxy.url.href)}) })]));`;
  const run = async (environment: Record<string, string>) => {
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH, ...environment } });
    return JSON.parse(stdout);
  };
  try {
    expect(await run({ NODE_EXTRA_CA_CERTS: certificate })).toEqual(Array(2).fill({ isDelivered: true, status: 204 }));
    const refused = { isDelivered: false, note: 'no answer (DEPTH_ZERO_SELF_SIGNED_CERT)' };
    expect(await run({})).toEqual([refused, refused]);
    expect(proxy.asked.length).toBe(2);
  } finally {
    server.close();
    proxy.close();
    rmSync(folder, { recursive: true });
  }
});
