/** Which keys are used most, and which run into their limit: sums that the database makes, orders and cuts. */
import { sql } from 'kysely';
import type { KeyRecord } from '../access/keys.ts';
import { hourOf, type Measure, measures } from '../access/usage.ts';
import type { Sums } from '../access/usage-report.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import { type Page, pageLength } from './listing.ts';

type NamedKey = Pick<KeyRecord, 'id' | 'name' | 'customer'>;

const table = (name: string) => sql.id(controlSchema, name);
const named = sql`select k.id, k.name, c.slug as customer, s.* from s
  join ${table('api_keys')} k on k.id = s.key_id join ${table('customers')} c on c.id = k.customer_id`;

/** Keys used since a point in time, those with most of the measure first. */
export const readUsedKeys = async ({ control }: Database, since: Date, measure: Measure, page: number): Promise<Page<NamedKey & Sums>> => {
  const sums = sql.join(measures.map((name) => sql`sum(u.${sql.id(name)})::bigint as ${sql.id(name)}`));
  const order = sql`${sql.id('s', measure)} desc, s.key_id`;
  const { rows } = await sql<NamedKey & Sums & { total: number }>`
    with sums as (select u.key_id, ${sums} from ${table('usage')} u where u.hour >= ${since} group by u.key_id),
    s as (select s.*, count(*) over () as total from sums s order by ${order} limit ${pageLength} offset ${(page - 1) * pageLength})
    ${named} order by ${order}`.execute(control);
  return { rows, total: rows[0]?.total ?? 0 };
};

export interface LimitedKey extends NamedKey {
  readonly this_hour: number;
  readonly refused: number;
}

/** Keys that were refused for their limit in the last 24 hours or have had `near` requests this hour; the busiest first. */
export const readLimitedKeys = async ({ control }: Database, near: number, most: number): Promise<LimitedKey[]> => {
  const present = hourOf(Date.now());
  const dayAgo = new Date(Date.now() - 86_400_000);
  const thisHour = sql`coalesce(sum(u.requests) filter (where u.hour = ${present}), 0)`;
  const { rows } = await sql<LimitedKey>`
    with s as (
      select u.key_id, ${thisHour}::bigint as this_hour, sum(u.limited)::bigint as refused
      from ${table('usage')} u where u.hour = ${present} or (u.hour >= ${dayAgo} and u.limited > 0) group by u.key_id
      having sum(u.limited) > 0 or ${thisHour} >= ${near}::double precision
      order by refused desc, this_hour desc, u.key_id limit ${most}
    )
    ${named} order by s.refused desc, s.this_hour desc, s.key_id`.execute(control);
  return rows;
};
