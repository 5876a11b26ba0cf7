/** The state of customers' data moves from the control schema to the customers' schemas (`control/move-state.ts`). */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const customerState: Migration = {
  async up(db: Kysely<unknown>) {
    const table = (name: string) => sql.table(`${controlSchema}.${name}`);
    // The names differ from the columns of `datasets`. The previous version joins both tables without qualified names.
    await sql`alter table ${table('publications')} add column loads bigint not null default 0,
      add column total_rows bigint not null default 0, add column last_synced_at timestamptz, add column last_changed_at timestamptz`.execute(
      db,
    );
    const { rows } = await sql`select from ${table('customers')} limit 1`.execute(db);
    if (rows.length === 0) {
      for (const name of ['deliveries', 'changed_keys', 'dataset_versions', 'datasets']) await sql`drop table ${table(name)}`.execute(db);
      await sql`drop function ${table('forget_changes')}()`.execute(db);
      return;
    }
    // Instances of the previous version read these tables until they are replaced, so loads mirror the states there. The following
    // release drops the tables.
    await sql`create function ${table('mirror_dataset')}() returns trigger language plpgsql as $$ begin
      insert into ${table('datasets')} as d (customer_id, kind, name, key_column, tier, version, row_count, synced_at, changed_at, kept_from)
      values (tg_argv[0]::integer, new.kind, new.name, new.key_column, new.tier, new.version, new.row_count, new.synced_at, new.changed_at,
        new.version)
      on conflict (customer_id, kind, name) do update set version = excluded.version, row_count = excluded.row_count,
        synced_at = excluded.synced_at, changed_at = excluded.changed_at,
        kept_from = case when d.version = excluded.version then d.kept_from else excluded.version end;
      return null; end $$`.execute(db);
    // A load of the previous version would change rows without their versions.
    await sql`create function ${table('refuse_moved')}() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 and exists (select from ${table('customers')} c where c.id = new.customer_id
          and to_regclass(format('%I._state', c.schema_name)) is not null) then
        raise exception 'the state of this customer is in its schema: use the newer version of the program';
      end if;
      return new; end $$`.execute(db);
    await sql`create trigger refuses_moved before insert or update on ${table('datasets')}
      for each row execute function ${table('refuse_moved')}()`.execute(db);
  },
};
