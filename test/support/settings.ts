/** Settings of all tests. */
export const testSecret = 'a secret for the tests';

export const poolOptions = { poolSize: 8, bulkPoolSize: 2, statementTimeoutMs: 30_000, documentTimeoutMs: 30_000, onError: () => {} };

/** The fixed keys of the demo customers. */
export const keys = {
  nordBasic: 'est_nordbasic_demo',
  nordProfessional: 'est_nordprofessional_demo',
  nordEnterprise: 'est_nordenterprise_demo',
  suedEnterprise: 'est_suedenterprise_demo',
} as const;
