/** Which file a raw table was last loaded from in full, so that the same file again need not be read into the database. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const deliveries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .withSchema(controlSchema)
      .createTable('deliveries')
      .addColumn('dataset_id', 'integer', (c) => c.primaryKey().references(`${controlSchema}.datasets.id`).onDelete('cascade'))
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('filenode', sql`oid`, (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull())
      .execute();
  },
};
