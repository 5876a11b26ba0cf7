/** Webhooks: their endpoints, the events, and the deliveries of each event (decision 100). */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    const [endpoints, events, deliveries, customers] = ['webhook_endpoints', 'webhook_events', 'webhook_deliveries', 'customers'].map(
      (name) => sql.table(`${controlSchema}.${name}`),
    );
    await sql`create table ${endpoints} (
      id text primary key,
      customer_id integer not null references ${customers} (id) on delete cascade,
      url text not null,
      events text[] not null,
      secret bytea not null,
      old_secret bytea,
      old_secret_until timestamptz,
      created_at timestamptz not null default now(),
      next_at timestamptz not null default now(),
      failures integer not null default 0,
      failing_since timestamptz,
      disabled_at timestamptz
    )`.execute(db);
    await sql`create index webhook_endpoints_by_customer on ${endpoints} (customer_id)`.execute(db);
    await sql`create table ${events} (
      id bigint generated always as identity primary key,
      uid uuid not null default gen_random_uuid(),
      customer_id integer not null references ${customers} (id) on delete cascade,
      type text not null,
      subject text,
      data text not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (customer_id, type, subject)
    )`.execute(db);
    await sql`create table ${deliveries} (
      endpoint_id text not null references ${endpoints} (id) on delete cascade,
      event_id bigint not null references ${events} (id) on delete cascade,
      state text not null default 'waiting',
      attempts integer not null default 0,
      last_at timestamptz,
      status integer,
      note text,
      primary key (endpoint_id, event_id)
    )`.execute(db);
    await sql`create index webhook_deliveries_waiting on ${deliveries} (endpoint_id, event_id) where state = 'waiting'`.execute(db);
    await sql`create index webhook_deliveries_by_event on ${deliveries} (event_id)`.execute(db);
  },
};
