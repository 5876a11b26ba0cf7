/** What keys were used for, read back for the portal as series over time. */
import { type Kysely, sql } from 'kysely';
import { type ControlTables, controlSchema } from '../database/control.ts';
import { hourMs, type Measure, measures } from './usage.ts';

export type Sums = Readonly<Record<Measure, number>>;

export interface Step extends Sums {
  readonly start: Date;
}

type Control = Kysely<ControlTables>;

const usage = sql.id(controlSchema, 'usage');
const sums = sql.raw(measures.map((measure) => `coalesce(sum(u.${measure}), 0)::bigint as ${measure}`).join(', '));
const noUse: Sums = { requests: 0, rows: 0, bytes: 0, errors: 0, limited: 0 };

/** One step for each of the last `count` spans of `stepMs` (whole hours or days, UTC), the present one included; of one key, if given. */
export const readSeries = async (control: Control, stepMs: number, count: number, keyId?: string): Promise<Step[]> => {
  const now = Date.now();
  const first = now - (now % stepMs) - (count - 1) * stepMs;
  const { rows } = await sql<Sums & { step: number }>`
    select floor(extract(epoch from u.hour) * 1000 / ${stepMs}::bigint)::bigint as step, ${sums} from ${usage} u
    where u.hour >= ${new Date(first)} and (${keyId ?? null}::text is null or u.key_id = ${keyId ?? null}) group by step`.execute(control);
  const byStep = new Map(rows.map(({ step, ...row }) => [step, row]));
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * stepMs;
    return { start: new Date(start), ...(byStep.get(start / stepMs) ?? noUse) };
  });
};

export const dayMs = 24 * hourMs;
