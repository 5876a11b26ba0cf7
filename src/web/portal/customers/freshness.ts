/** The freshness of each customer's data, from the database. */
import { type RawBuilder, sql } from 'kysely';
import { isActive } from '../../../access/key-lookup.ts';
import type { Tier } from '../../../catalogue/tiers.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { type Dataset, type DatasetState, datasetsOf, runControlQuery, stateColumns } from '../../../database/control/datasets.ts';
import { controlSchema } from '../../../database/control-tables.ts';
import { endDeadRuns } from '../../../sync/history.ts';
import { type Listing, type ListingPage, pageLength } from '../listing.ts';

export interface CustomerState {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
  readonly created_at: Date;
  readonly suspended_at: Date | null;
  /** Rows of its category tables. */
  readonly rows: number;
  readonly synced_at: Date | null;
  readonly changed_at: Date | null;
  /** The start of the running load. */
  readonly syncing_since: Date | null;
  /** Active keys. */
  readonly keys: number;
}

/** The age of data that has missed a nightly load. */
const staleAfterMs = 36 * 3_600_000;

export const isStale = ({ synced_at }: Pick<CustomerState, 'synced_at'>): boolean =>
  synced_at !== null && Date.now() - synced_at.getTime() > staleAfterMs;

const table = (name: string) => sql.id(controlSchema, name);

export const customerSorts = ['name', 'slug', 'synced'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** Customers `c` with the end of their last sync and the start of the running load. */
const customersWithSyncs = sql`(
    select c.*, coalesce(p.total_rows, 0) as rows, p.last_synced_at as synced_at, p.last_changed_at as changed_at, s.syncing_since from ${table('customers')} c
    left join ${table('publications')} p on p.customer_id = c.id
    left join (select customer_id, max(started_at) as syncing_since from ${table('sync_runs')} where ended_at is null group by customer_id) s
      on s.customer_id = c.id
  ) c`;

interface States {
  readonly customers: readonly CustomerState[];
  /** Active keys of all counted customers. */
  readonly activeKeys: number;
}

const keysOfChosen = sql`k.customer_id in (select id from c)`;
const keysOfAll = sql`true`;

/** States of the customers in `chosen`, which also provides their `place` in the list. */
const readStates = async (database: Database, chosen: RawBuilder<unknown>, counted: RawBuilder<unknown>): Promise<States> => {
  await endDeadRuns(database);
  const { rows } = await sql<CustomerState & { readonly activeKeys: number }>`
    with c as materialized (${chosen}),
    k as materialized (
      select k.customer_id, count(*) as keys from ${table('api_keys')} k where ${counted} and ${isActive} group by k.customer_id
    )
    select c.id, c.slug, c.name, c.tier, c.created_at, c.suspended_at, c.rows, c.synced_at, c.changed_at, c.syncing_since, coalesce(k.keys, 0)::bigint as keys,
      (select coalesce(sum(keys), 0)::bigint from k) as "activeKeys"
    from c
    left join k on k.customer_id = c.id
    order by c.place`.execute(database.control);
  return { customers: rows, activeKeys: rows[0]?.activeKeys ?? 0 };
};

/** One page of customers. */
export const readCustomerPage = async (
  database: Database,
  { search, sort, isDescending, page }: Listing<CustomerSort>,
): Promise<ListingPage<CustomerState>> => {
  const has = (column: RawBuilder<unknown>) => sql`strpos(lower(${column}), lower(${search}::text)) > 0`;
  const where = search === '' ? sql`true` : sql`(${has(sql`c.name`)} or ${has(sql`c.slug`)})`;
  const by = { name: sql`lower(c.name)`, slug: sql`c.slug`, synced: sql`c.synced_at` }[sort];
  const order = sql`${by} ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last, c.slug`;
  const { customers } = await readStates(
    database,
    sql`select c.*, row_number() over (order by ${order}) as place
      from ${customersWithSyncs} where ${where} order by place limit ${pageLength} offset ${(page - 1) * pageLength}`,
    keysOfChosen,
  );
  return { rows: customers, total: await count(database, sql`${table('customers')} c where ${where}`) };
};

const count = async ({ control }: Database, from: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(control);
  return rows[0]?.total ?? 0;
};

export const countCustomers = (database: Database): Promise<number> => count(database, sql`${table('customers')} c`);

/** Customers with a running load first, then by the age of the last load, those without one last; and the active keys of all. */
export const readStalest = (database: Database, max: number): Promise<States> =>
  readStates(
    database,
    sql`select c.*, row_number() over (order by c.syncing_since nulls last, c.synced_at nulls last, c.slug) as place
      from ${customersWithSyncs} order by place limit ${max}`,
    keysOfAll,
  );

export type TableState = DatasetState & Pick<Dataset, 'kind'>;

/** A customer's tables by name. */
export const readTableStates = ({ pool }: Database, schema: string): Promise<TableState[]> =>
  runControlQuery(
    pool,
    datasetsOf(schema)
      .select(['kind', ...stateColumns])
      .orderBy('name'),
  );
