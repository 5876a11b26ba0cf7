/** Access tiers, lowest first. A key reads the categories of its tier and of lower tiers (contract: access tiers). */
export const tiers = ['basic', 'professional', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** The tier of each category, in the order of `/catalog`. */
export const categories = {
  accounting: 'enterprise',
  contracts: 'professional',
  depreciation: 'enterprise',
  operations: 'professional',
  property: 'basic',
  stakeholder: 'professional',
} as const satisfies Record<string, Tier>;
export type Category = keyof typeof categories;

/** The endpoint groups of keys (contract: endpoint groups). */
export const endpointGroups = ['rest', 'raw', 'graphql', 'files', 'agents', 'questions'] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** `deliveries` goes with no other group: such a key delivers files and reads nothing (contract: delivery keys). */
export const keyGroups = [...endpointGroups, 'deliveries'] as const;
export type KeyGroup = (typeof keyGroups)[number];

export const isEndpointGroup = (group: KeyGroup): group is EndpointGroup => group !== 'deliveries';

/**
 * The groups of a key for which none are named. `agents` is named on purpose, because agents send data to model providers; `questions`,
 * because such a key changes what other keys see.
 */
export const defaultGroups = endpointGroups.filter((group) => group !== 'agents' && group !== 'questions');

/** Whether a key of tier `held` may read data of tier `needed`. */
export const includesTier = (held: Tier, needed: Tier): boolean => tiers.indexOf(held) >= tiers.indexOf(needed);
