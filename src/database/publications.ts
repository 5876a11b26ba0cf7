/**
 * How instances may answer from memory and yet never be behind the data: announcements and leases.
 *
 * A notification arrives after the commit that it tells of, so alone it cannot keep an instance from calling data current
 * that another instance already shows renewed. Therefore a load announces itself first, in a transaction of its own, and
 * commits its data no sooner than `leaseMs` later. An instance answers from memory only for `leaseMs` from the moment at
 * which it asked whether anything is announced, and only if nothing was.
 *
 * Why that is enough: let an instance answer from memory at t, by a confirmation that it asked for at s > t - leaseMs. Had a
 * load been visible at t, its announcement would have been committed before t - leaseMs, hence before s, and the confirmation
 * would have shown it. Each side measures only its own waiting, so clocks need not agree. A load that is killed leaves its
 * announcement standing; then instances ask the database until the next load ends, which is slower and as right.
 *
 * Announcements are also notified, so that instances learn of them and of new versions at once; nothing depends on a
 * notification arriving. The time of an announcement bounds what `/changes` may call its present (contract: changes): what the
 * load commits will be dated later.
 */
import type pg from 'pg';
import { controlSchema } from './control-schema.ts';
import { qualify } from './identifier.ts';

/** How long an instance may trust a confirmation, and the least time between an announcement and its commit. */
export const leaseMs = 500;

/** Payload: the customer's id. */
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

/** Says that new versions of the customer's tables may be committed from `leaseMs` on; outside of any transaction. */
export const announce = (client: pg.ClientBase, customerId: number): Promise<void> => setAnnounced(client, customerId, 'clock_timestamp()');

/** Announces for every customer, where nothing stands announced; gives what tells this announcement from others. */
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

/** Ends what `announceAll` announced, or whatever stands announced. */
export const closeAnnouncements = async (client: pg.ClientBase, announcement?: string): Promise<void> => {
  await client.query(
    `with closed as (
       update ${publications} set revision = revision + 1, announced_at = null
       where $1::timestamptz is null or announced_at = $1::timestamptz returning customer_id)
     select pg_notify('${versionsChannel}', customer_id::text) from closed`,
    [announcement ?? null],
  );
};

/** Says that what was announced is there, in the transaction that brings it, or that it will not come. */
export const closeAnnouncement = (client: pg.ClientBase, customerId: number): Promise<void> => setAnnounced(client, customerId, 'null');

/**
 * A present that no change which is not visible yet will be dated before; to be read before the states. A load that is under
 * way bounds it: what it brings is dated after its announcement.
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
