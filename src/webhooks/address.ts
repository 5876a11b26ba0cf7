/** Which addresses a webhook may reach: public ones only, so that no endpoint leads into the operator's network (contract: webhooks). */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 networks that are not public (IANA special-purpose registry, and multicast). */
const closedV4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closedV4.addSubnet(network, prefix, 'ipv4');

/** IPv6 networks within 2000::/3 that are not public, or lead to IPv4 addresses of the sender's choice (Teredo, 6to4). */
const closedV6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closedV6.addSubnet(network, prefix, 'ipv6');

/** Networks whose last 32 bits are an IPv4 address: mapped addresses and NAT64. */
const embedding = new BlockList();
embedding.addSubnet('::ffff:0:0', 96, 'ipv6');
embedding.addSubnet('64:ff9b::', 96, 'ipv6');

const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** The last 32 bits as an IPv4 address. `URL` writes them as two hexadecimal groups. */
const embeddedV4 = (address: string): string => {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').at(-1)?.split(':') ?? [];
  const [high = 0, low = 0] = ['', '', ...groups].slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** Whether an IP address is public. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  if (embedding.check(address, 'ipv6')) return isPublicAddress(embeddedV4(address));
  return globalV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
};
