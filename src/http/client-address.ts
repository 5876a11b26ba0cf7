/**
 * Finds the client's address, also behind proxies: the address that the nearest trusted proxy reports. Values that the client itself writes
 * into `X-Forwarded-For` come before that address and are never used (contract: client address).
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The proxies in front of the service: their number, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/** The value for Fastify's `trustProxy`. Fastify would trust no proxy for a plain number. */
export const trustProxy = (proxies: TrustedProxies) => {
  if (typeof proxies !== 'number') return proxies.length > 0 && [...proxies];
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
};

/** The normalized address, without a port and with IPv4 as IPv4. Undefined for other texts. */
const plainAddress = (text = ''): string | undefined => {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text);
  const address = (bare?.[1] ?? bare?.[2] ?? text).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : undefined;
};

/** The client's address. If a proxy reports something other than an address, the proxy's own address is used. */
export const clientAddressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  plainAddress(ip) ?? plainAddress(socket.remoteAddress) ?? 'unknown';

/** The network under which requests are counted: an IPv4 address, or the /64 of an IPv6 address, because one client owns all of it. */
export const networkOf = (address: string | undefined): string => {
  const plain = plainAddress(address) ?? 'unknown';
  if (!plain.includes(':')) return plain;
  // `URL` returns the shortest form, with at most one gap.
  const [head = '', tail] = new URL(`http://[${plain.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return `${[...groups, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
};
