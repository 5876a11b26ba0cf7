/** The client address depends on the configured proxies (contract: client address). */
import net from 'node:net';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { clientAddressOf, networkOf, type TrustedProxies, trustProxy } from '../../src/http/client-address.ts';

/** The address of a request from 127.0.0.1 with these header lines, over a real socket. */
const seen = async (proxies: TrustedProxies, ...lines: string[]): Promise<string> => {
  const app = Fastify({ trustProxy: trustProxy(proxies) });
  app.get('/', async (request) => clientAddressOf(request));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.map((line) => `X-Forwarded-For: ${line}\r\n`).join('')}\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  await app.close();
  return text.split('\r\n\r\n')[1] ?? '';
};

const forged = '198.51.100.66';

describe('the address that the nearest trusted proxy reports', () => {
  test.each<[TrustedProxies, string[], string]>([
    [0, [forged], '127.0.0.1'],
    [1, [], '127.0.0.1'],
    [1, ['203.0.113.9'], '203.0.113.9'],
    [1, [`${forged}, 203.0.113.9`], '203.0.113.9'],
    [1, [forged, '203.0.113.9'], '203.0.113.9'],
    [1, [`${forged}, 192.0.2.66`, ' 203.0.113.9 '], '203.0.113.9'],
    [2, [`${forged}, 203.0.113.9, 10.0.0.1`], '203.0.113.9'],
    [2, [forged, '203.0.113.9', '10.0.0.1'], '203.0.113.9'],
    [['127.0.0.1'], [`${forged}, 203.0.113.9`], '203.0.113.9'],
    [['127.0.0.0/8', '10.0.0.0/8'], [`${forged}, 203.0.113.9, 10.1.2.3`], '203.0.113.9'],
    [['10.0.0.0/8'], ['203.0.113.9'], '127.0.0.1'],
    [1, ['203.0.113.9:51234'], '203.0.113.9'],
    [1, ['::ffff:203.0.113.9'], '203.0.113.9'],
    [1, ['[2001:db8::1]:443'], '2001:db8::1'],
    [1, ['unknown'], '127.0.0.1'],
    [1, [`${forged}, not an address`], '127.0.0.1'],
  ])('proxies %j report %j: %s', async (proxies, lines, address) => {
    expect(await seen(proxies, ...lines)).toBe(address);
  });
});

test('an IPv6 client is counted by its /64', () => {
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff::2'));
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'));
  expect([networkOf('::1'), networkOf('fe80::1%eth0'), networkOf('1:2:3:4:5:6:7:8')]).toEqual([
    '0:0:0:0::/64',
    'fe80:0:0:0::/64',
    '1:2:3:4::/64',
  ]);
  expect([networkOf('203.0.113.9'), networkOf('::ffff:203.0.113.9'), networkOf(undefined)]).toEqual([
    '203.0.113.9',
    '203.0.113.9',
    'unknown',
  ]);
});

describe('TRUST_PROXY', () => {
  const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).TRUST_PROXY;

  test.each<[string, TrustedProxies]>([
    ['', 0],
    ['false', 0],
    ['0', 0],
    ['true', 1],
    ['2', 2],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['192.0.2.7, 10.0.0.0/8,fd00::/8', ['192.0.2.7', '10.0.0.0/8', 'fd00::/8']],
  ])('%s', (text, proxies) => expect(read(text)).toEqual(proxies));

  test.each(['yes', '-1', '33', '1.5', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', 'proxy.example', '1,10.0.0.1', '10.0.0.1,'])(
    '%s is refused',
    (text) => expect(() => read(text)).toThrow(/^TRUST_PROXY must be a number of proxies up to 32, or their addresses/),
  );
});
