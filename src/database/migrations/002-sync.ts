/** What loads leave behind: their history, the keys that each version changed, and the announcements of new versions. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const syncMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema(controlSchema);
    await sql`alter table ${sql.table(`${controlSchema}.datasets`)}
      add column id integer generated always as identity unique,
      add column kept_from bigint not null default 0`.execute(db);
    // Nothing is known of how tables came to the versions that they have by now: deltas begin there.
    await sql`update ${sql.table(`${controlSchema}.datasets`)} set kept_from = version`.execute(db);
    await schema
      .createTable('dataset_versions')
      .addColumn('dataset_id', 'integer', (c) => c.notNull().references(`${controlSchema}.datasets.id`).onDelete('cascade'))
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('made_at', 'timestamptz', (c) => c.notNull())
      .addPrimaryKeyConstraint('dataset_versions_pkey', ['dataset_id', 'version'])
      .execute();
    await schema
      .createTable('changed_keys')
      .addColumn('dataset_id', 'integer', (c) => c.notNull().references(`${controlSchema}.datasets.id`).onDelete('cascade'))
      .addColumn('key', sql`text collate "C"`, (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('is_deleted', 'boolean', (c) => c.notNull())
      .addPrimaryKeyConstraint('changed_keys_pkey', ['dataset_id', 'key'])
      .execute();
    await schema.createIndex('changed_keys_by_version').on('changed_keys').columns(['dataset_id', 'version', 'key']).execute();
    await schema
      .createTable('publications')
      .addColumn('customer_id', 'integer', (c) => c.primaryKey().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('revision', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('announced_at', 'timestamptz')
      .execute();
    await schema
      .createTable('sync_runs')
      .addColumn('id', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('customer_id', 'integer', (c) => c.notNull().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('tables', sql`text[]`, (c) => c.notNull())
      .addColumn('started_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .addColumn('ended_at', 'timestamptz')
      .addColumn('inserted', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('updated', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('deleted', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('error', 'text')
      .execute();
    await schema.createIndex('sync_runs_by_customer').on('sync_runs').columns(['customer_id', 'id']).execute();
  },
};
