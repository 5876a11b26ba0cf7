/** The schema of the control data. Each customer's data has a schema of its own. */
export const controlSchema = 'estate';

/** Schemas that a session creates are not distributed by themselves. Without Citus, the setting means nothing. */
export const createsPlainSchemas = 'set citus.enable_schema_based_sharding = off';
