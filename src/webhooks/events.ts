/**
 * Events for webhooks (contract: webhooks). An event and its deliveries are stored in the transaction of what the event reports, so that none
 * is lost and none is invented (decision 100).
 */
import pg from 'pg';
import { controlWithinMs } from '../database/control/datasets.ts';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';

export const eventTypes = ['data.changed', 'data.stale', 'key.expiring', 'load.failed'] as const;
export type EventType = (typeof eventTypes)[number];

/** The type of the event that an operator sends to test an endpoint. */
export const testType = 'webhook.test';

export const webhookTables = {
  endpoints: qualify(controlSchema, 'webhook_endpoints'),
  events: qualify(controlSchema, 'webhook_events'),
  deliveries: qualify(controlSchema, 'webhook_deliveries'),
} as const;

export interface NewEvent {
  readonly customer: { readonly id: number; readonly slug: string };
  readonly type: EventType;
  /** What the event says. It holds no data of tables. */
  readonly data: Readonly<Record<string, unknown>>;
  /** An event of the same type and subject is stored once. */
  readonly subject?: string;
}

const { endpoints, events, deliveries } = webhookTables;

/** Runs a statement outside of a load. A server that hangs must not delay the stop of the service. */
export const runBounded = async <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await pool.query<Row>({ text, values: [...values], query_timeout: controlWithinMs } as pg.QueryConfig)).rows;

const storeQuery = `with wanting as (select id from ${endpoints} where customer_id = $1 and disabled_at is null and $2 = any(events)),
       event as (
         insert into ${events} (customer_id, type, data, subject) select $1, $2, $3, $4 where exists (select from wanting)
         on conflict (customer_id, type, subject) do nothing returning id)
     insert into ${deliveries} (endpoint_id, event_id) select wanting.id, event.id from wanting, event`;

/** Stores an event for the endpoints of the customer that want it; without any, nothing is stored. */
export const recordEvent = async (client: pg.ClientBase | pg.Pool, { customer, type, data, subject }: NewEvent): Promise<void> => {
  const values = [customer.id, type, JSON.stringify({ customer: customer.slug, ...data }), subject ?? null];
  await (client instanceof pg.Pool ? runBounded(client, storeQuery, values) : client.query(storeQuery, values));
};
