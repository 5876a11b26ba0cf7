/** Customers that are suspended, and a log that only grows. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const operatorsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const [customers, log, refuse] = ['customers', 'audit_log', 'refuse_change'].map((name) => sql.table(`${controlSchema}.${name}`));
    await sql`alter table ${customers} add column suspended_at timestamptz`.execute(db);
    // Holds for the table's owner too, and in sessions that replicate; taking it away takes DDL.
    await sql`create function ${refuse}() returns trigger language plpgsql as
      $$ begin raise exception '% only grows: % is refused', tg_table_name, lower(tg_op); end $$`.execute(db);
    await sql`create trigger only_grows before update or delete or truncate on ${log}
      for each statement execute function ${refuse}()`.execute(db);
    await sql`alter table ${log} enable always trigger only_grows`.execute(db);
    await sql`create index audit_log_by_time on ${log} (at)`.execute(db);
  },
};
