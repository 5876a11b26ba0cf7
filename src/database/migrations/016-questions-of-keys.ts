/** Which key saved a question. Questions of the operator have none. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const questionsOfKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table ${sql.table(`${controlSchema}.questions`)} add saved_by text`.execute(db);
  },
};
