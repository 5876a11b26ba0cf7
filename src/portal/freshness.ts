/** How fresh each customer's data is, as the database has it now. */
import { type RawBuilder, sql } from 'kysely';
import type { Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema, type DatasetKind } from '../database/control.ts';
import { endDeadRuns } from '../sync/history.ts';
import { type Listing, type Page, pageLength } from './listing.ts';

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

const table = (name: string) => sql.id(controlSchema, name);

export const customerSorts = ['name', 'slug', 'synced'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** Sums over a customer's tables; `c` is the customer. */
const freshest = sql`(select max(d.synced_at) from ${table('datasets')} d where d.customer_id = c.id)`;
const loading = sql`(select max(s.started_at) from ${table('sync_runs')} s where s.customer_id = c.id and s.ended_at is null)`;

/** States of the customers that `chosen` selects, which has to give their `place` in the list too. */
const readStates = async (database: Database, chosen: RawBuilder<unknown>): Promise<CustomerState[]> => {
  await endDeadRuns(database);
  const { rows } = await sql<CustomerState>`
    with c as materialized (${chosen}),
    k as (
      select customer_id, count(*) as keys from ${table('api_keys')}
      where customer_id in (select id from c) and revoked_at is null and disabled_at is null and (expires_at is null or expires_at > now())
      group by customer_id
    )
    select c.id, c.slug, c.name, c.tier, c.created_at, coalesce(d.rows, 0)::bigint as rows, d.synced_at, d.changed_at,
      ${loading} as syncing_since, coalesce(k.keys, 0)::bigint as keys
    from c
    left join k on k.customer_id = c.id
    left join lateral (
      select sum(row_count) filter (where kind = 'category') as rows, max(synced_at) as synced_at, max(changed_at) as changed_at
      from ${table('datasets')} where customer_id = c.id
    ) d on true
    order by c.place`.execute(database.control);
  return rows;
};

/** One page of customers. */
export const readCustomerPage = async (
  database: Database,
  { search, sort, isDescending, page }: Listing<CustomerSort>,
): Promise<Page<CustomerState>> => {
  const has = (column: RawBuilder<unknown>) => sql`strpos(lower(${column}), lower(${search}::text)) > 0`;
  const customers = sql`${table('customers')} c where ${search === '' ? sql`true` : sql`(${has(sql`c.name`)} or ${has(sql`c.slug`)})`}`;
  const by = { name: sql`lower(c.name)`, slug: sql`c.slug`, synced: freshest }[sort];
  const order = sql`${by} ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last, c.slug`;
  const rows = await readStates(
    database,
    sql`select c.*, row_number() over (order by ${order}) as place from ${customers} order by place limit ${pageLength} offset ${(page - 1) * pageLength}`,
  );
  return { rows, total: await count(database, customers) };
};

const count = async ({ control }: Database, from: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(control);
  return rows[0]?.total ?? 0;
};

export const countCustomers = (database: Database): Promise<number> => count(database, sql`${table('customers')} c`);

/** Customers with a load under way, then those whose last load is longest ago, those without any last. */
export const readStalest = (database: Database, most: number): Promise<CustomerState[]> =>
  readStates(
    database,
    sql`select c.*, row_number() over (order by ${loading} nulls last, ${freshest} nulls last, c.slug) as place
      from ${table('customers')} c order by place limit ${most}`,
  );

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
