/**
 * Where a request comes from, behind proxies too: the address that the nearest trusted proxy reports. What a client writes into
 * `X-Forwarded-For` itself stands to the left of that and is never believed (contract: client address).
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The proxies in front: how many there are, or the addresses and networks that they speak from. */
export type TrustedProxies = number | readonly string[];

/** Fastify's `trustProxy`; a bare number would trust nobody there. */
export const trustProxy = (proxies: TrustedProxies) => {
  if (typeof proxies !== 'number') return proxies.length > 0 && [...proxies];
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
};

/** An address as it is written everywhere here: without port, IPv4 as IPv4; undefined if it is none. */
const plainAddress = (text = ''): string | undefined => {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text);
  const address = (bare?.[1] ?? bare?.[2] ?? text).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : undefined;
};

/** The client's address; a proxy that reports something else than an address stands for its clients itself. */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  plainAddress(ip) ?? plainAddress(socket.remoteAddress) ?? 'unknown';

/** What requests are counted under: the address, of IPv6 its /64, since one client has all of that. */
export const networkOf = (address: string | undefined): string => {
  const plain = plainAddress(address) ?? 'unknown';
  if (!plain.includes(':')) return plain;
  // URLs have the shortest form, with at most one gap.
  const [head = '', tail] = new URL(`http://[${plain.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return `${[...groups, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
};
