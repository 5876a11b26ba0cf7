/** Drops the foreign key of the change log, because its check cost time for each row. A trigger deletes the rows of a removed dataset. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const changeLog: Migration = {
  async up(db: Kysely<unknown>) {
    const [datasets, log, forget] = ['datasets', 'changed_keys', 'forget_changes'].map((name) => sql.table(`${controlSchema}.${name}`));
    // A transaction that writes lines has raised the version of the dataset, so the dataset cannot be removed meanwhile.
    await sql`alter table ${log} drop constraint changed_keys_dataset_id_fkey`.execute(db);
    await sql`create function ${forget}() returns trigger language plpgsql as
      $$ begin delete from ${log} where dataset_id = old.id; return null; end $$`.execute(db);
    await sql`create trigger forgets_changes after delete on ${datasets} for each row execute function ${forget}()`.execute(db);
  },
};
