/** Parsers of option values. */
import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../catalogue/instant.ts';
import { type KeyGroup, keyGroups } from '../catalogue/tiers.ts';
import { type NodeAddress, parseAddress } from '../database/cluster/nodes.ts';
import { parsePublicUrl } from '../http/public-url.ts';

export const parseEndpointGroups = (text: string): KeyGroup[] =>
  text.split(',').map((name) => {
    const group = keyGroups.find((known) => known === name.trim());
    if (!group) throw new InvalidArgumentError(`It is a list of ${keyGroups.join(', ')}.`);
    return group;
  });

/** A point in time. A day means its beginning in UTC. */
export const parsePast = (text: string): Date => {
  const time = parseInstant(text);
  if (!time) throw new InvalidArgumentError('It is a day such as 2026-11-21, or a time such as 2026-11-21T09:30Z.');
  return time;
};

/** A point in time in the future. */
export const parseTime = (text: string): Date => {
  const time = parseInstant(text);
  if (!time || time.getTime() <= Date.now()) throw new InvalidArgumentError('It is a future date such as 2027-12-31.');
  return time;
};

/** The address of a node, as `estate nodes` prints it. */
export const parseNode = (text: string): NodeAddress => {
  const address = parseAddress(text);
  if (!address) throw new InvalidArgumentError('It is host:port, as estate nodes prints it.');
  return address;
};

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const parseDuration = (text: string): number => {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!amount || !unit) throw new InvalidArgumentError('It is a number and a unit, such as 30m, 24h or 7d.');
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
};

export const parseSeed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};

/** A number from 1 to `max`. */
export const parseCount =
  (max: number) =>
  (text: string): number => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > max) throw new InvalidArgumentError(`It is a whole number from 1 to ${max}.`);
    return count;
  };

/** The address of a service, with its path prefix if it has one. */
export const parseUrl = (text: string): string => {
  const url = parsePublicUrl(text);
  if (url === undefined || url.endsWith('/v1'))
    throw new InvalidArgumentError(
      'It is an address such as https://example.com or https://example.com/estate, without a path of the service.',
    );
  return url;
};
