/** Keys as the pages list them, with their use of late: found, ordered, counted and cut into pages by the database. */
import { type RawBuilder, sql } from 'kysely';
import type { KeyRecord } from '../access/keys.ts';
import { hourOf } from '../access/usage.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import { type Listing, type Page, pageLength } from './listing.ts';

export const keySorts = ['name', 'customer', 'created', 'expires'] as const;
export type KeySort = (typeof keySorts)[number];

export interface ListedKey extends KeyRecord {
  /** Requests since the full hour. */
  readonly thisHour: number;
  readonly lastAt: Date | null;
}

export interface KeyFilter {
  /** Slug of the customer whose keys are listed; undefined for all. */
  readonly customer?: string | undefined;
  /** Revoked and expired keys too. */
  readonly withEnded?: boolean;
}

const table = (name: string) => sql.id(controlSchema, name);

/** Keys that have not ended for good; `k` is the key. */
const isAlive = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

const orders: Record<KeySort, RawBuilder<unknown>> = {
  name: sql`lower(k.name)`,
  customer: sql`k.customer`,
  created: sql`k.created_at`,
  expires: sql`k.expires_at`,
};

const foundBy = (search: string): RawBuilder<unknown> => {
  const has = (column: RawBuilder<unknown>) => sql`strpos(lower(${column}), lower(${search}::text)) > 0`;
  return sql`(${has(sql`k.name`)} or ${has(sql`k.id`)} or ${has(sql`c.slug`)})`;
};

/** One page of keys. */
export const readKeys = async (
  { control }: Database,
  { search, sort, isDescending, page }: Pick<Listing<KeySort>, 'search' | 'sort' | 'isDescending' | 'page'>,
  { customer, withEnded = false }: KeyFilter,
  length = pageLength,
): Promise<Page<ListedKey>> => {
  const conditions = [
    ...(customer === undefined ? [] : [sql`c.slug = ${customer}`]),
    ...(withEnded ? [] : [isAlive]),
    ...(search === '' ? [] : [foundBy(search)]),
  ];
  const keys = sql`${table('api_keys')} k join ${table('customers')} c on c.id = k.customer_id
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}`;
  const order = sql`${orders[sort]} ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last, k.id`;
  const { rows } = await sql<ListedKey>`
    select k.*, l.last_at as "lastAt", coalesce(h.requests, 0)::bigint as "thisHour" from (
      select * from (
        select k.id, k.name, k.tier, k.groups, k.lineage, k.created_at, k.expires_at, k.disabled_at, k.revoked_at, c.slug as customer from ${keys}
      ) k order by ${order} limit ${length} offset ${(page - 1) * length}
    ) k
    left join lateral (select u.last_at from ${table('usage')} u where u.key_id = k.id order by u.hour desc limit 1) l on true
    left join ${table('usage')} h on h.key_id = k.id and h.hour = ${hourOf(Date.now())}
    order by ${order}`.execute(control);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${keys}`.execute(control);
  return { rows, total: counted.rows[0]?.total ?? 0 };
};

/** How many keys would be let in now. */
export const countActiveKeys = async ({ control }: Database): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::bigint as total from ${table('api_keys')} k where ${isAlive} and k.disabled_at is null`.execute(control);
  return rows[0]?.total ?? 0;
};

/** Requests of a key in the present hour, and when it was last used; null if it never was. */
export const readUseOf = async ({ control }: Database, keyId: string): Promise<Pick<ListedKey, 'thisHour' | 'lastAt'>> => {
  const last = await control
    .selectFrom('usage')
    .selectAll()
    .where('key_id', '=', keyId)
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isPresent = last?.hour.getTime() === hourOf(Date.now()).getTime();
  return { thisHour: isPresent ? last.requests : 0, lastAt: last?.last_at ?? null };
};

/** The key that took a key's place when it was rotated, and the one whose place it took; the nearest of each. */
export const readRelatives = async ({ control }: Database, { lineage, id, created_at }: KeyRecord) => {
  const kin = control.selectFrom('api_keys').select(['id', 'name', 'revoked_at']).where('lineage', '=', lineage).where('id', '<>', id);
  const successor = await kin.where('created_at', '>', created_at).orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  const predecessor = await kin.where('created_at', '<', created_at).orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  return { successor, predecessor };
};
