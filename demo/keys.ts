/** The fixed keys of the demo customers, which the documentation shows. They exist only if the demo was loaded. */
import type { Tier } from '../src/catalogue/tiers.ts';

export const demoKeys = {
  nord: { basic: 'est_nordbasic_demo', professional: 'est_nordprofessional_demo', enterprise: 'est_nordenterprise_demo' },
  sued: { enterprise: 'est_suedenterprise_demo' },
} as const satisfies Record<string, Partial<Record<Tier, string>>>;

/** The keys of a demo customer by tier. Other customers have none. */
export const fixedKeys = (slug: string): readonly (readonly [Tier, key: string])[] =>
  Object.entries((demoKeys as Readonly<Record<string, Partial<Record<Tier, string>>>>)[slug] ?? {}) as [Tier, string][];
