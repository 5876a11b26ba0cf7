/** What a caller may read: 403 for what its key does not include (contract: access tiers; endpoint groups). */
import { type EndpointGroup, includesTier, type Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from './authenticate.ts';

/** Throws `forbidden` unless the caller's key includes the tier and, where one is named, the endpoint group. */
export const entitle = (caller: Caller, tier: Tier, group?: EndpointGroup): void => {
  if (!includesTier(caller.tier, tier) || (group && !caller.groups.has(group))) throw new ApiError('forbidden');
};
