/** Lists of keys with their recent usage. The database searches, sorts, counts and pages. */
import { type RawBuilder, sql } from 'kysely';
import { hasNotEnded, isActive } from '../../../access/key-lookup.ts';
import type { KeyRecord } from '../../../access/keys.ts';
import { hourOf, type UsageMeasure, usageMeasures } from '../../../access/usage.ts';
import type { Sums } from '../../../access/usage-report.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { controlSchema } from '../../../database/control-tables.ts';
import { type Listing, type ListingPage, pageLength } from '../listing.ts';
import { countedKeys, searchedKeys } from './key-search.ts';

export const keySorts = ['name', 'customer', 'created', 'expires'] as const;
export type KeySort = (typeof keySorts)[number];

export interface ListedKey extends KeyRecord {
  /** Requests in the current hour. */
  readonly thisHour: number;
  readonly lastAt: Date | null;
}

export interface KeyFilter {
  /** The customer's slug; undefined for all customers. */
  readonly customer?: string | undefined;
  /** Include revoked and expired keys. */
  readonly withEnded?: boolean;
}

const table = (name: string) => sql.id(controlSchema, name);

type Order = Readonly<Record<KeySort, RawBuilder<unknown>>>;
/** Each order has an index; `c` is the customer. */
const orders: Order = { name: sql`lower(k.name)`, customer: sql`c.slug`, created: sql`k.created_at`, expires: sql`k.expires_at` };

/** One page of keys. Pages in the second half are read from the end. */
export const readKeys = async (
  database: Database,
  { search, sort, isDescending, page }: Pick<Listing<KeySort>, 'search' | 'sort' | 'isDescending' | 'page'>,
  { customer, withEnded = false }: KeyFilter,
  length = pageLength,
): Promise<ListingPage<ListedKey>> => {
  const conditions = [
    ...(customer === undefined ? [] : [sql`k.customer_id = (select c.id from ${table('customers')} c where c.slug = ${customer})`]),
    ...(withEnded ? [] : [hasNotEnded]),
  ];
  const { where, total } = await (search === '' ? countedKeys(database, conditions) : searchedKeys(database, conditions, search));
  const ahead = (page - 1) * length;
  const count = Math.min(length, total - ahead);
  if (count <= 0) return { rows: [], total };
  const behind = total - ahead - count;
  const isFromEnd = behind < ahead;
  const direction = sql.raw(isDescending === isFromEnd ? 'asc' : 'desc');
  const order = sql`${orders[sort]} ${direction}, k.id ${direction}`;
  const { rows } = await sql<ListedKey>`
    select k.id, k.name, k.tier, k.groups, k.scope, k.lineage, k.created_at, k.expires_at, k.disabled_at, k.revoked_at, c.slug as customer,
      l.last_at as "lastAt", coalesce(h.requests, 0)::bigint as "thisHour"
    from (
      select k.* from ${table('api_keys')} k ${sort === 'customer' ? sql`join ${table('customers')} c on c.id = k.customer_id` : sql``}
      where ${where} order by ${order} limit ${count} offset ${isFromEnd ? behind : ahead}
    ) k
    join ${table('customers')} c on c.id = k.customer_id
    left join lateral (select u.last_at from ${table('usage')} u where u.key_id = k.id order by u.hour desc limit 1) l on true
    left join ${table('usage')} h on h.key_id = k.id and h.hour = ${new Date(hourOf(Date.now()))}
    order by ${order}`.execute(database.control);
  return { rows: isFromEnd ? rows.reverse() : rows, total };
};

/** Requests of a key in the current hour, and its last use; null if it was never used. */
export const readUseOf = async ({ control }: Database, keyId: string): Promise<Pick<ListedKey, 'thisHour' | 'lastAt'>> => {
  const last = await control
    .selectFrom('usage')
    .selectAll()
    .where('key_id', '=', keyId)
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isPresent = last?.hour.getTime() === hourOf(Date.now());
  return { thisHour: isPresent ? last.requests : 0, lastAt: last?.last_at ?? null };
};

/** The direct successor and the direct predecessor of a rotated key. */
export const readRelatives = async ({ control }: Database, { lineage, id, created_at }: KeyRecord) => {
  const kin = control.selectFrom('api_keys').select(['id', 'name', 'revoked_at']).where('lineage', '=', lineage).where('id', '<>', id);
  const successor = await kin.where('created_at', '>', created_at).orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  const predecessor = await kin.where('created_at', '<', created_at).orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  return { successor, predecessor };
};

type NamedKey = Pick<KeyRecord, 'id' | 'name' | 'customer'>;

const named = sql`select k.id, k.name, c.slug as customer, s.* from s
  join ${table('api_keys')} k on k.id = s.key_id join ${table('customers')} c on c.id = k.customer_id`;

/** Keys used since a point in time, by the measure in descending order. */
export const readUsedKeys = async (
  { control }: Database,
  since: Date,
  measure: UsageMeasure,
  page: number,
): Promise<ListingPage<NamedKey & Sums>> => {
  const sums = sql.join(usageMeasures.map((name) => sql`sum(u.${sql.id(name)})::bigint as ${sql.id(name)}`));
  const order = sql`s.rank desc, s.key_id`;
  const used = sql`${table('usage')} u where u.hour >= ${since}`;
  const { rows } = await sql<NamedKey & Sums & { total: number }>`
    with ranked as (select u.key_id, sum(u.${sql.id(measure)}) as rank, count(*) over ()::bigint as total from ${used} group by u.key_id),
    s as (
      select * from (select * from ranked s order by ${order} limit ${pageLength} offset ${(page - 1) * pageLength}) s
      cross join lateral (select ${sums} from ${used} and u.key_id = s.key_id) u
    )
    ${named} order by ${order}`.execute(control);
  return { rows, total: rows[0]?.total ?? 0 };
};

export interface EndingKey extends NamedKey {
  readonly expires_at: Date;
  readonly last_at: Date | null;
  /** Whether the key has a successor and is still used. */
  readonly is_rotated: boolean;
}

/** Active keys that expire before a point in time, the earliest first. Rotated keys are included if they were used after their rotation. */
export const readEndingKeys = async ({ control }: Database, before: Date, max: number): Promise<EndingKey[]> => {
  const { rows } = await sql<EndingKey>`
    select k.id, k.name, c.slug as customer, k.expires_at, u.last_at, s.rotated_at is not null as is_rotated
    from ${table('api_keys')} k join ${table('customers')} c on c.id = k.customer_id
    left join lateral (select u.last_at from ${table('usage')} u where u.key_id = k.id order by u.hour desc limit 1) u on true
    left join lateral (
      select max(s.created_at) as rotated_at from ${table('api_keys')} s
      where s.lineage = k.lineage and s.created_at > k.created_at and s.revoked_at is null
    ) s on true
    where ${isActive} and k.expires_at < ${before} and (s.rotated_at is null or u.last_at > s.rotated_at)
    order by k.expires_at, k.id limit ${max}`.execute(control);
  return rows;
};

export interface LimitedKey extends NamedKey {
  readonly this_hour: number;
  readonly refused: number;
}

/** Keys that exceeded their quota in the last 24 hours or have `near` requests in this hour; the busiest first. */
export const readLimitedKeys = async ({ control }: Database, near: number, max: number): Promise<LimitedKey[]> => {
  const present = new Date(hourOf(Date.now()));
  const dayAgo = new Date(Date.now() - 86_400_000);
  const usage = table('usage');
  const { rows } = await sql<LimitedKey>`
    with s as (
      select found.key_id, u.* from (
        select key_id from ${usage} where hour >= ${dayAgo} and limited > 0
        union (
          select key_id from ${usage} where hour = ${present} and requests >= ${Math.ceil(near)}::bigint
          order by requests desc, key_id limit ${max}
        )
      ) found cross join lateral (
        select coalesce(sum(requests) filter (where hour = ${present}), 0)::bigint as this_hour, sum(limited)::bigint as refused
        from ${usage} where key_id = found.key_id and hour >= ${dayAgo}
      ) u order by refused desc, this_hour desc, key_id limit ${max}
    )
    ${named} order by s.refused desc, s.this_hour desc, s.key_id`.execute(control);
  return rows;
};
