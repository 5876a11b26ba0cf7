/** Deliveries over HTTP: what they are, how far they are, and what came of them. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const uploads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .withSchema(controlSchema)
      .createTable('uploads')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'integer', (c) => c.notNull().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('is_check', 'boolean', (c) => c.notNull())
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('files', sql`text[]`, (c) => c.notNull())
      .addColumn('source', 'text')
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('started_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`pg_catalog.clock_timestamp()`))
      .addColumn('seen_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`pg_catalog.clock_timestamp()`))
      .addColumn('progress', 'jsonb')
      .addColumn('run_id', 'bigint')
      .addColumn('cancelled_at', 'timestamptz')
      .addColumn('ended_at', 'timestamptz')
      .addColumn('result', 'jsonb')
      .addColumn('error', 'text')
      .execute();
    await db.schema
      .withSchema(controlSchema)
      .createIndex('uploads_of_customer')
      .on('uploads')
      .columns(['customer_id', 'started_at'])
      .execute();
  },
};
