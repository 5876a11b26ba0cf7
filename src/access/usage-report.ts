/** The usage of keys as time series, for the portal. */
import { type Kysely, sql } from 'kysely';
import { type ControlTables, controlSchema } from '../database/control-tables.ts';
import { hourMs, type UsageMeasure, usageMeasures } from './usage.ts';

export type Sums = Readonly<Record<UsageMeasure, number>>;

export interface UsageStep extends Sums {
  readonly start: Date;
}

type Control = Kysely<ControlTables>;

const sums = sql.raw(usageMeasures.map((measure) => `coalesce(sum(u.${measure}), 0)::bigint as ${measure}`).join(', '));
const noUse: Sums = { requests: 0, rows: 0, bytes: 0, errors: 0, limited: 0 };

/** The subject: a key, all keys of a customer, or all keys. */
export interface UsageFilter {
  readonly keyId?: string;
  readonly customerId?: number;
}

const table = (name: string) => sql.id(controlSchema, name);

const useOf = ({ keyId, customerId }: UsageFilter) => {
  if (keyId !== undefined) return sql`${table('usage')} u where u.key_id = ${keyId} and`;
  if (customerId === undefined) return sql`${table('usage_totals')} u where`;
  return sql`${table('usage')} u where u.key_id in (select k.id from ${table('api_keys')} k where k.customer_id = ${customerId}) and`;
};

/** One step for each of the last `count` periods of `stepMs` (whole hours or days in UTC), including the current one. */
export const readSeries = async (control: Control, stepMs: number, count: number, filter: UsageFilter = {}): Promise<UsageStep[]> => {
  const now = Date.now();
  const first = now - (now % stepMs) - (count - 1) * stepMs;
  const { rows } = await sql<Sums & { step: number }>`
    select floor(extract(epoch from u.hour) * 1000 / ${stepMs}::bigint)::bigint as step, ${sums}
    from ${useOf(filter)} u.hour >= ${new Date(first)} group by step`.execute(control);
  const byStep = new Map(rows.map(({ step, ...row }) => [step, row]));
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * stepMs;
    return { start: new Date(start), ...(byStep.get(start / stepMs) ?? noUse) };
  });
};

export const dayMs = 24 * hourMs;
