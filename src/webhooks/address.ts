/** Which addresses a webhook may reach: public ones only, so that no endpoint leads into the operator's network (contract: webhooks). */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 networks that are assigned. All others lead nowhere. */
const assigned = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64: the last 32 bits are an IPv4 address. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Whether an IP address is public. An IPv4 address within IPv6 decides for it. */
export const isPublicAddress = (text: string): boolean => {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.match(translated)) return isPublicAddress(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  return address.match(assigned) && address.range() === 'unicast';
};
