/** Uploads that propose a source, that a key delivers, and that wait for a person (decision 142). */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const addWaitingUploads: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table ${sql.table(`${controlSchema}.uploads`)}
      add is_draft boolean not null default false, add draft jsonb, add key_id text, add held jsonb, add discarded_at timestamptz`.execute(
      db,
    );
  },
};
