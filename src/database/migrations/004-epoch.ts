/** The epoch of the data. It shows whether the data was restored from a backup. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const epoch: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .withSchema(controlSchema)
      .createTable('epoch')
      .addColumn('is_only', 'boolean', (c) => c.primaryKey().defaultTo(true).check(sql`is_only`))
      .addColumn('id', 'uuid', (c) => c.notNull())
      .addColumn('base', 'bigint', (c) => c.notNull())
      .addColumn('begun_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .addColumn('row_xid', sql`xid`)
      .addColumn('table_oid', sql`oid`)
      .addColumn('database_oid', sql`oid`)
      .addColumn('system_identifier', 'bigint')
      .addColumn('timeline', 'text')
      .execute();
    await sql`insert into ${sql.table(`${controlSchema}.epoch`)} (id, base) values (gen_random_uuid(), 0)`.execute(db);
  },
};
