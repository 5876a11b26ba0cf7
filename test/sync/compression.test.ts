/** Responses are compressed on request, and a partial response never appears complete (contract: compression). */

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { negotiateEncoding } from '../../src/http/responses/compress.ts';
import { sendChunks } from '../../src/http/responses/send.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test.each<[header: string | undefined, encoding: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity, br, gzip', 'br'],
  ['identity;q=0.51, gzip;q=0.5', undefined],
  ['identity;q=0.5, *;q=0.5', 'br'],
  ['gzip;q=nonsense', undefined],
  ['deflate, zstd', undefined],
])('Accept-Encoding: %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});

const unpack = { br: zlib.createBrotliDecompress, gzip: zlib.createGunzip } as const;

/** The bytes and headers that a client without decompression receives. */
const receive = (path: string, encoding: string, method = 'GET') =>
  new Promise<{ headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const headers = { 'X-API-Key': keys.nordEnterprise, 'Accept-Encoding': encoding };
    request(`${service.url}${path}`, { method, headers }, (response) => {
      const coding = response.headers['content-encoding'] as keyof typeof unpack | undefined;
      const body = coding ? response.pipe(unpack[coding]()) : response;
      text(body).then((whole) => resolve({ headers: response.headers, body: whole }), reject);
    })
      .on('error', reject)
      .end();
  });

describe.each(['br', 'gzip'] as const)('%s', (encoding) => {
  test.each([
    '/operations/orders?limit=500',
    '/operations/orders?limit=100000',
    '/raw/person?limit=100000',
    '/raw/catalog_value?limit=1000',
    '/openapi.json',
  ])('%s', async (path) => {
    const plain = await receive(path, 'identity');
    const packed = await receive(path, encoding);
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect(packed.body).toBe(plain.body);
  });

  test('small responses and 304s are not compressed', async () => {
    const { headers } = await receive('/operations/orders?limit=1&status=nothing', encoding);
    expect(headers['content-encoding']).toBeUndefined();
    const answer = await service.get('/operations/orders', { headers: { 'Accept-Encoding': encoding, 'If-None-Match': '*' } });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([304, null]);
  });

  test.each(['after a first chunk', 'at once'])(
    'a source that fails %s: reset or problem document, never a complete response',
    async (when) => {
      const app = Fastify();
      app.get('/', async (_request, reply) => {
        reply.type('application/json');
        await sendChunks(reply, failing(when === 'at once' ? 0 : 20));
        return reply;
      });
      app.setErrorHandler((_error, _request, reply) => reply.code(500).send('{}'));
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.server.address() as AddressInfo;
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request({ port, headers: { 'Accept-Encoding': encoding } }, resolve)
          .on('error', reject)
          .end();
      });
      // The client's parser reports whether the body is complete.
      if (when === 'at once') {
        expect([answer.statusCode, answer.headers['content-encoding'], await text(answer)]).toEqual([500, undefined, '{}']);
      } else {
        expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
        await expect(text(answer)).rejects.toThrow('aborted');
      }
      await app.close();
    },
  );
});

/** Random bytes, which cannot be compressed, and then a failure. */
async function* failing(chunks: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < chunks; n++) yield randomBytes(64 * 1024);
  throw new Error('the database went away');
}
