/** What lists of very many keys are found, ordered and counted by, and what all keys together were used for, by the hour. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const manyKeys: Migration = {
  async up(db: Kysely<unknown>) {
    const [keys, usage, totals, runs] = ['api_keys', 'usage', 'usage_totals', 'sync_runs'].map((name) =>
      sql.table(`${controlSchema}.${name}`),
    );
    // The index contains every column that decides whether a key is active, so counting does not read the table.
    await sql`create index api_keys_by_customer on ${keys} (customer_id, revoked_at, expires_at, disabled_at)`.execute(db);
    await sql`create index api_keys_by_lineage on ${keys} (lineage, created_at)`.execute(db);
    await sql`create index api_keys_by_creation on ${keys} (created_at, id)`.execute(db);
    await sql`create index api_keys_by_name on ${keys} (lower(name), id)`.execute(db);
    await sql`create index api_keys_by_expiry on ${keys} (expires_at, id)`.execute(db);
    await sql`create index usage_by_hour on ${usage} (hour, requests)`.execute(db);
    await sql`create index usage_limited on ${usage} (hour) where limited > 0`.execute(db);
    await sql`create index sync_runs_under_way on ${runs} (customer_id) where ended_at is null`.execute(db);
    await db.schema.withSchema(controlSchema).dropIndex('usage_hour').execute();
    // An instance of the version before writes no totals: what it counts while it is being replaced is missing in them.
    await sql`create table ${totals} (hour timestamptz primary key, requests bigint not null, rows bigint not null,
      bytes bigint not null, errors bigint not null, limited bigint not null)`.execute(db);
    await sql`insert into ${totals} select hour, sum(requests), sum(rows), sum(bytes), sum(errors), sum(limited)
      from ${usage} where hour > now() - interval '31 days' group by hour`.execute(db);
  },
};
