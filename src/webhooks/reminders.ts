/** Events that no action causes: data that was not loaded for long, and keys that expire soon. Each is stored once. */
import type pg from 'pg';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { type NewEvent, recordEvent, runBounded, webhookTables } from './events.ts';

const { endpoints, events } = webhookTables;
const [customers, keys, publications] = ['customers', 'api_keys', 'publications'].map((name) => qualify(controlSchema, name));

/** How long events and their deliveries are kept. */
const keptDays = 30;
/** How long before its end a key is reported. */
const expiringDays = 7;

interface Row {
  readonly id: number;
  readonly slug: string;
  readonly subject: string;
}

const isWanted = (type: string, subject: string): string =>
  `exists (select from ${endpoints} e where e.customer_id = c.id and e.disabled_at is null and '${type}' = any(e.events))
   and not exists (select from ${events} v where v.customer_id = c.id and v.type = '${type}' and v.subject = ${subject})`;

const staleQuery = `select c.id, c.slug, p.last_synced_at::text as subject, p.last_synced_at
  from ${customers} c join ${publications} p on p.customer_id = c.id
  where p.last_synced_at < clock_timestamp() - $1 * interval '1 hour' and ${isWanted('data.stale', 'p.last_synced_at::text')}`;

const keySubject = `(k.id || ' ' || k.expires_at::text)`;
const expiringQuery = `select c.id, c.slug, ${keySubject} as subject, k.id as key_id, k.name, k.expires_at
  from ${keys} k join ${customers} c on c.id = k.customer_id
  where k.expires_at between clock_timestamp() and clock_timestamp() + interval '${expiringDays} days'
    and k.revoked_at is null and k.disabled_at is null and ${isWanted('key.expiring', keySubject)}`;

/** Stores the events that are due. Any process may do so at any time. */
export const recordReminders = async (pool: pg.Pool, staleHours: number): Promise<void> => {
  const due: NewEvent[] = [];
  const stale = await runBounded<Row & { last_synced_at: Date }>(pool, staleQuery, [staleHours]);
  for (const { subject, last_synced_at, ...customer } of stale)
    due.push({ customer, type: 'data.stale', subject, data: { loaded_at: last_synced_at } });
  const expiring = await runBounded<Row & { key_id: string; name: string; expires_at: Date }>(pool, expiringQuery);
  for (const { subject, key_id, name, expires_at, ...customer } of expiring)
    due.push({ customer, type: 'key.expiring', subject, data: { key: key_id, name, expires_at } });
  for (const event of due) await recordEvent(pool, event);
};

/** Deletes events that are no longer kept, with their deliveries. */
export const trimEvents = async (pool: pg.Pool): Promise<void> => {
  await runBounded(pool, `delete from ${events} where created_at < clock_timestamp() - interval '${keptDays} days'`);
};
