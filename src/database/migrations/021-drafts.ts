/** Checks and loads of drafts: the draft whose files they read, and the report of the check (decision 146). */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const drafts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table ${sql.table(`${controlSchema}.uploads`)} add draft_id text, add report jsonb`.execute(db);
  },
};
