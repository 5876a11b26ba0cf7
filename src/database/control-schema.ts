/** The schema of the control data; customers' data stands in schemas of their own. */
export const controlSchema = 'estate';
