/** Sources that are kept with customers, and which of them a load used (decision 141). A version never changes. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const keptSources: Migration = {
  async up(db: Kysely<unknown>) {
    const [sources, customers, runs, uploads, refuse] = ['kept_sources', 'customers', 'sync_runs', 'uploads', 'refuse_change'].map((name) =>
      sql.table(`${controlSchema}.${name}`),
    );
    await sql`create table ${sources} (
      customer_id integer not null references ${customers} (id) on delete cascade,
      name text collate "C" not null,
      version integer not null,
      text text,
      kept_by text not null,
      kept_at timestamptz not null default clock_timestamp(),
      primary key (customer_id, name, version)
    )`.execute(db);
    // Versions are removed with their customer only.
    await sql`create trigger only_grows before update or truncate on ${sources} for each statement execute function ${refuse}()`.execute(
      db,
    );
    await sql`alter table ${sources} enable always trigger only_grows`.execute(db);
    await sql`alter table ${runs} add source text, add source_version integer`.execute(db);
    await sql`alter table ${uploads} add source_version integer`.execute(db);
  },
};
