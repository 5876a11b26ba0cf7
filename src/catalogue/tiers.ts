/** Access tiers, lowest first: a key reads the categories of its tier and of those below (contract: access tiers). */
export const tiers = ['basic', 'professional', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** The tier that each category belongs to, in the order in which `/catalog` lists them. */
export const categories = {
  accounting: 'enterprise',
  contracts: 'professional',
  depreciation: 'enterprise',
  operations: 'professional',
  property: 'basic',
  stakeholder: 'professional',
} as const satisfies Record<string, Tier>;
export type Category = keyof typeof categories;

/** Parts of the service that a key can be narrowed to (contract: endpoint groups). */
export const endpointGroups = ['rest', 'raw', 'graphql'] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** Whether a caller of tier `held` may read what needs tier `needed`. */
export const includesTier = (held: Tier, needed: Tier): boolean => tiers.indexOf(held) >= tiers.indexOf(needed);
