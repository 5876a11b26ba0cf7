/** The fixed keys of the demo customers, which the documentation shows. They exist only if the demo was loaded. */
import { defaultGroups, type EndpointGroup, endpointGroups, type Tier } from '../src/catalogue/tiers.ts';

export const demoKeys = {
  nord: {
    basic: 'est_nordbasic_demo',
    professional: 'est_nordprofessional_demo',
    enterprise: 'est_nordenterprise_demo',
    agents: 'est_nordagents_demo',
  },
  sued: { enterprise: 'est_suedenterprise_demo' },
} as const satisfies Record<string, Partial<Record<Tier | 'agents', string>>>;

export interface FixedKey {
  /** The tier, or `agents` for the key that may do everything. */
  readonly label: string;
  readonly tier: Tier;
  readonly groups: readonly EndpointGroup[];
  readonly key: string;
}

/** The keys of a demo customer. Other customers have none. */
export const fixedKeys = (slug: string): readonly FixedKey[] =>
  Object.entries((demoKeys as Readonly<Record<string, Readonly<Record<string, string>>>>)[slug] ?? {}).map(([label, key]) =>
    label === 'agents'
      ? { label, tier: 'enterprise', groups: endpointGroups, key }
      : { label, tier: label as Tier, groups: defaultGroups, key },
  );
