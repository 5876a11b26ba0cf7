/** What the portal shows besides keys: usage by key and hour, the log of the operator's actions, sessions that were signed out. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const portal: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema(controlSchema);
    await schema
      .createTable('usage')
      .addColumn('key_id', 'text', (c) => c.notNull().references(`${controlSchema}.api_keys.id`).onDelete('cascade'))
      .addColumn('hour', 'timestamptz', (c) => c.notNull())
      .addColumn('requests', 'bigint', (c) => c.notNull())
      .addColumn('rows', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('errors', 'bigint', (c) => c.notNull())
      .addColumn('limited', 'bigint', (c) => c.notNull())
      .addColumn('last_at', 'timestamptz', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_pkey', ['key_id', 'hour'])
      .execute();
    await schema.createIndex('usage_hour').on('usage').column('hour').execute();
    await schema
      .createTable('audit_log')
      .addColumn('id', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('address', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .execute();
    await schema
      .createTable('ended_sessions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
      .execute();
  },
};
