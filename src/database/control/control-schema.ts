/** The schema of the control data. Each customer's data has a schema of its own. */
export const controlSchema = 'estate';
