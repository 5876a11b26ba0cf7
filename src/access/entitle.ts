/** Authorization: 403 for data that a key does not include (contract: access tiers; endpoint groups). */
import { type EndpointGroup, includesTier, type Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from './authenticate.ts';

/** Throws `forbidden` unless the key includes the tier and, if given, the endpoint group. */
export const authorize = (caller: Caller, tier: Tier, group?: EndpointGroup): void => {
  if (!includesTier(caller.tier, tier) || (group && !caller.groups.has(group))) throw new ApiError('forbidden');
};
