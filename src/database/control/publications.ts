/**
 * Announcements and version leases. They let instances answer from memory and never return outdated data.
 *
 * A notification arrives after its commit. So a notification alone cannot prevent that one instance returns old data after another instance
 * has shown new data. Therefore a load announces itself in a separate transaction, and commits its data at least `leaseMs` later. An
 * instance answers from memory for `leaseMs` after it read whether a load is announced, and only if none was.
 *
 * Proof: assume that an instance answers from memory at time t, confirmed by a question at s > t - leaseMs. If a load was visible at t, its
 * announcement was committed before t - leaseMs, hence before s, and the question would have found it. Each side measures only its own
 * waiting time, so clocks need not agree. A killed load leaves its announcement. Instances then ask the database until the next load ends,
 * which is slower and equally correct.
 *
 * Where the customer's schema is on another server, the announcement may end shortly before the data is visible there. So `estate` and the
 * customer's schema both count the loads. States are leased only if both numbers are equal (`cache/versions.ts`).
 *
 * Announcements are also sent as notifications, so that instances learn of new versions at once. Nothing depends on their arrival. The time
 * of an announcement limits the present of `/changes` (contract: changes), because the data of the load is dated later.
 */
import type pg from 'pg';
import { controlSchema } from '../control-tables.ts';
import { qualify } from '../identifier.ts';
import { type CustomerSchema, stateTable } from './state-tables.ts';

/** How long a confirmation is valid, and the minimum time between an announcement and its commit. */
export const leaseMs = 500;

/** The payload is the customer's id. */
export const versionsChannel = 'estate_versions';

const publications = qualify(controlSchema, 'publications');

const setAnnounced = async (client: pg.ClientBase | pg.Pool, customerId: number, announcedAt: string): Promise<void> => {
  await client.query(
    `with publication as (
       insert into ${publications} as p (customer_id, revision, announced_at) values ($1, 1, ${announcedAt})
       on conflict (customer_id) do update set revision = p.revision + 1, announced_at = excluded.announced_at
       returning customer_id)
     select pg_notify('${versionsChannel}', customer_id::text) from publication`,
    [customerId],
  );
};

/** Announces that new versions of the customer's tables may be committed after `leaseMs`. Call it outside a transaction. */
export const announce = (client: pg.ClientBase, customerId: number): Promise<void> => setAnnounced(client, customerId, 'clock_timestamp()');

/** Announces unless another announcement is there. Returns the identity of this announcement. */
export const announceIfNone = async (client: pg.ClientBase, customerId: number): Promise<string> => {
  const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  const at = rows[0]?.at ?? '';
  await client.query(
    `insert into ${publications} as p (customer_id, revision, announced_at) values ($1, 1, $2::timestamptz)
     on conflict (customer_id) do update set revision = p.revision + 1, announced_at = coalesce(p.announced_at, excluded.announced_at)`,
    [customerId, at],
  );
  return at;
};

/** Ends the announcement of `announceIfNone`, and no other. */
export const closeIfOwn = async (client: pg.ClientBase, customerId: number, announcement: string): Promise<void> => {
  await client.query(
    `with closed as (
       update ${publications} set revision = revision + 1,
         announced_at = case when announced_at = $2::timestamptz then null else announced_at end
       where customer_id = $1 returning customer_id)
     select pg_notify('${versionsChannel}', customer_id::text) from closed`,
    [customerId, announcement],
  );
};

/**
 * Copies what lists show of the customer's state. Call it in each transaction that changes the state. The truth stays in the customer's
 * schema.
 */
export const summarize = async (client: pg.ClientBase, { id, schema }: CustomerSchema): Promise<void> => {
  const { rows } = await client.query<{ loads: number; row_count: number; synced_at: string | null; changed_at: string | null }>(
    `select (select loads from ${stateTable(schema, '_state')}) as loads,
       coalesce(sum(row_count) filter (where kind = 'category'), 0)::bigint as row_count,
       max(synced_at)::text as synced_at, max(changed_at)::text as changed_at from ${stateTable(schema, '_datasets')}`,
  );
  const { loads, row_count, synced_at, changed_at } = rows[0]!;
  await client.query(
    `insert into ${publications} (customer_id, loads, total_rows, last_synced_at, last_changed_at) values ($1, $2, $3, $4, $5)
     on conflict (customer_id) do update set loads = excluded.loads, total_rows = excluded.total_rows,
       last_synced_at = excluded.last_synced_at, last_changed_at = excluded.last_changed_at`,
    [id, loads, row_count, synced_at, changed_at],
  );
};

/** Counts the load, in the transaction of its data. */
export const countLoad = async (client: pg.ClientBase, customer: CustomerSchema): Promise<void> => {
  await client.query(`update ${stateTable(customer.schema, '_state')} set loads = loads + 1`);
  await summarize(client, customer);
};

/** Ends an announcement, in the transaction that commits the data or after the load failed. */
export const closeAnnouncement = (client: pg.ClientBase, customerId: number): Promise<void> => setAnnounced(client, customerId, 'null');

/**
 * A time before which no invisible change will be dated. Read it before the states. A running load limits it, because its data is dated
 * after its announcement.
 */
export const readPresent = async (pool: pg.Pool, customerId: number): Promise<Date> => {
  const { rows } = await pool.query<{ present: Date }>({
    name: 'present',
    text: `select date_trunc('milliseconds', least(clock_timestamp(),
      (select announced_at from ${publications} where customer_id = $1))) as present`,
    values: [customerId],
  });
  return rows[0]?.present ?? new Date();
};
