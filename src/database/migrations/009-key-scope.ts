/** The data scope of a key, as JSON; null for a key without a scope. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const keyScope: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table ${sql.table(`${controlSchema}.api_keys`)} add column scope jsonb`.execute(db);
  },
};
