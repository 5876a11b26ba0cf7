/** What each schema made of a saved question, so that lists neither parse nor validate it. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const outcomesOfQuestions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table ${sql.table(`${controlSchema}.questions`)} add outcomes jsonb not null default '{}'`.execute(db);
  },
};
