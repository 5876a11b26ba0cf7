/**
 * Limits the open connections of one client address (contract: connection limits). A connection from a trusted proxy carries requests of
 * many clients, so it is not counted.
 */
import type { Server } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { ApiError } from '../../errors.ts';
import { networkOf, type TrustedProxies } from '../client-address.ts';
import type { CloseWith } from './no-request.ts';

/** Returns a test whether an address belongs to a trusted proxy. If the setting is a number of proxies, every connection comes from one. */
const proxyTest = (proxies: TrustedProxies): ((address: string) => boolean) => {
  if (typeof proxies === 'number') return () => proxies > 0;
  const list = new BlockList();
  for (const network of proxies) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

export interface ConnectionLimitOptions {
  /** The limit for each address; 0 for no limit. */
  readonly max: number;
  readonly trustedProxies: TrustedProxies;
  readonly closeWith: CloseWith;
}

export const limitConnections = (server: Server, { max, trustedProxies, closeWith }: ConnectionLimitOptions): void => {
  if (max === 0) return;
  const isProxy = proxyTest(trustedProxies);
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress.replace(/^::ffff:/i, ''))) return;
    const network = networkOf(remoteAddress);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
    if (count > max) closeWith(socket, new ApiError('tooManyConnections', String(max)));
  });
};
