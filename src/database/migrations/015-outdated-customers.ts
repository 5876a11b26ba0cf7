/** Customers whose category tables may lack columns of the catalogue. The first start of the new version adds them (`sync/upgrade/new-columns.ts`). */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const outdatedCustomers: Migration = {
  async up(db: Kysely<unknown>) {
    const [outdated, customers] = ['outdated_customers', 'customers'].map((name) => sql.table(`${controlSchema}.${name}`));
    await sql`create table ${outdated} (customer_id integer primary key references ${customers} (id) on delete cascade)`.execute(db);
    await sql`insert into ${outdated} select id from ${customers}`.execute(db);
  },
};
