/** Saved questions: GraphQL documents with names, for all customers or for one. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const addQuestions: Migration = {
  async up(db: Kysely<unknown>) {
    const [table, customers] = ['questions', 'customers'].map((name) => sql.table(`${controlSchema}.${name}`));
    await sql`create table ${table} (
      id integer generated always as identity primary key,
      name text not null,
      customer_id integer references ${customers} (id) on delete cascade,
      document text not null,
      added_at timestamptz not null default now()
    )`.execute(db);
    await sql`create unique index questions_by_name on ${table} (name, coalesce(customer_id, 0))`.execute(db);
  },
};
