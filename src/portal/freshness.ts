/** How fresh each customer's data is, as the database has it now. */
import { sql } from 'kysely';
import type { Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema, type DatasetKind } from '../database/control.ts';
import { endDeadRuns } from '../sync/history.ts';

export interface CustomerState {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
  readonly created_at: Date;
  /** Rows of its category tables. */
  readonly rows: number;
  readonly synced_at: Date | null;
  readonly changed_at: Date | null;
  /** When the load began that is under way. */
  readonly syncing_since: Date | null;
  /** Keys that would be let in now. */
  readonly keys: number;
}

/** In the order of their slugs. */
export const readCustomerStates = async (database: Database): Promise<CustomerState[]> => {
  const { control } = database;
  await endDeadRuns(database);
  const table = (name: string) => sql.id(controlSchema, name);
  const { rows } = await sql<CustomerState>`
    select c.id, c.slug, c.name, c.tier, c.created_at, coalesce(d.rows, 0)::bigint as rows, d.synced_at, d.changed_at,
      (select max(started_at) from ${table('sync_runs')} s where s.customer_id = c.id and s.ended_at is null) as syncing_since,
      (select count(*) from ${table('api_keys')} k
        where k.customer_id = c.id and k.revoked_at is null and k.disabled_at is null and (k.expires_at is null or k.expires_at > now())) as keys
    from ${table('customers')} c
    left join lateral (
      select sum(row_count) filter (where kind = 'category') as rows, max(synced_at) as synced_at, max(changed_at) as changed_at
      from ${table('datasets')} where customer_id = c.id
    ) d on true
    order by c.slug`.execute(control);
  return rows;
};

export interface TableState {
  readonly kind: DatasetKind;
  readonly name: string;
  readonly version: number;
  readonly row_count: number;
  readonly synced_at: Date | null;
  readonly changed_at: Date | null;
}

/** A customer's tables in the order of their names. */
export const readTableStates = ({ control }: Database, customerId: number): Promise<TableState[]> =>
  control
    .selectFrom('datasets')
    .select(['kind', 'name', 'version', 'row_count', 'synced_at', 'changed_at'])
    .where('customer_id', '=', customerId)
    .orderBy('name')
    .execute();
