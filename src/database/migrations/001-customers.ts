/** Customers, their keys and their tables. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const customers: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema(controlSchema);
    await schema
      .createTable('customers')
      .addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('slug', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('tier', 'text', (c) => c.notNull())
      .addColumn('schema_name', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .execute();
    await schema
      .createTable('api_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'integer', (c) => c.notNull().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('lineage', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('tier', 'text', (c) => c.notNull())
      .addColumn('groups', sql`text[]`, (c) => c.notNull())
      .addColumn('hash', 'bytea', (c) => c.notNull())
      .addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz')
      .addColumn('disabled_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .execute();
    await schema
      .createTable('datasets')
      .addColumn('customer_id', 'integer', (c) => c.notNull().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('key_column', 'text')
      .addColumn('tier', 'text')
      .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('row_count', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('synced_at', 'timestamptz')
      .addColumn('changed_at', 'timestamptz')
      .addPrimaryKeyConstraint('datasets_pkey', ['customer_id', 'kind', 'name'])
      .execute();
  },
};
