/**
 * Announcements and version leases. They let instances answer from memory and never return outdated data.
 *
 * A notification arrives after its commit. So a notification alone cannot prevent that one instance returns old data after another instance
 * has shown new data. Therefore a load announces itself in a separate transaction, and commits its data at least `leaseMs` later. An
 * instance answers from memory for `leaseMs` after it asked whether a load is announced, and only if none was.
 *
 * Proof: assume that an instance answers from memory at time t, confirmed by a question at s > t - leaseMs. If a load was visible at t, its
 * announcement was committed before t - leaseMs, hence before s, and the question would have found it. Each side measures only its own
 * waiting time, so clocks need not agree. A killed load leaves its announcement. Instances then ask the database until the next load ends,
 * which is slower and equally correct.
 *
 * Announcements are also sent as notifications, so that instances learn of new versions at once. Nothing depends on their arrival. The time
 * of an announcement limits the present of `/changes` (contract: changes), because the data of the load is dated later.
 */
import type pg from 'pg';
import { qualify } from '../identifier.ts';
import { controlSchema } from './control-schema.ts';

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

/** Announces for every customer without an announcement. Returns the identity of this announcement. */
export const announceAll = async (client: pg.ClientBase): Promise<string> => {
  const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  const at = rows[0]?.at ?? '';
  await client.query(
    `insert into ${publications} as p (customer_id, revision, announced_at)
     select id, 1, $1::timestamptz from ${qualify(controlSchema, 'customers')}
     on conflict (customer_id) do update set revision = p.revision + 1, announced_at = coalesce(p.announced_at, excluded.announced_at)`,
    [at],
  );
  return at;
};

/** Ends the announcement of `announceAll`, or any announcement. */
export const closeAnnouncements = async (client: pg.ClientBase, announcement?: string): Promise<void> => {
  await client.query(
    `with closed as (
       update ${publications} set revision = revision + 1, announced_at = null
       where $1::timestamptz is null or announced_at = $1::timestamptz returning customer_id)
     select pg_notify('${versionsChannel}', customer_id::text) from closed`,
    [announcement ?? null],
  );
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
