/** What the last load did to each table, for metrics, and the files, rows and failed checks of each load. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const tableLoads: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .withSchema(controlSchema)
      .createTable('table_loads')
      .addColumn('customer_id', 'integer', (c) => c.notNull().references(`${controlSchema}.customers.id`).onDelete('cascade'))
      .addColumn('table_name', sql`text collate "C"`, (c) => c.notNull())
      .addColumn('loaded_at', 'timestamptz', (c) => c.notNull())
      .addColumn('rows', 'bigint', (c) => c.notNull())
      .addColumn('deleted', 'bigint', (c) => c.notNull())
      .addColumn('seconds', 'float8', (c) => c.notNull())
      .addColumn('failed_checks', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('table_loads_pkey', ['customer_id', 'table_name'])
      .execute();
    // The previous version inserts runs without these columns.
    await sql`alter table ${sql.table(`${controlSchema}.sync_runs`)} add column files text[] not null default '{}',
      add column rows_read bigint not null default 0, add column failed_checks integer`.execute(db);
  },
};
