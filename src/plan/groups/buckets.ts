/** Buckets of dates and points in time. */

/** Periods, each named by its first day. A week begins on Monday (contract: buckets). */
export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Bucket = (typeof buckets)[number];
