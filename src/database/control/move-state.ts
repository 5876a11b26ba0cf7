/**
 * Moves the state of customers' data from the control schema to the customers' schemas, when a database of an earlier version is migrated.
 *
 * Each customer has a transaction of its own. One transaction for all would need a lock for each table of each customer. Versions and the
 * change log keep their numbers, so ETags, cursors and deltas stay valid. An interrupted move continues at the next start.
 */
import type pg from 'pg';
import type { Database } from '../connections/connection.ts';
import { inTransaction } from '../connections/transaction.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify, quote } from '../identifier.ts';
import { loadLockSpace } from '../load-lock.ts';
import { summarize } from './publications.ts';
import { type CustomerSchema, createStateTables, stateTable } from './state-tables.ts';

const control = (name: string) => qualify(controlSchema, name);

const unmovedQuery = `
  select c.id, c.schema_name as schema from ${control('customers')} c join pg_catalog.pg_namespace n on n.nspname = c.schema_name
  where not exists (select from pg_catalog.pg_class t where t.relname = '_state' and t.relnamespace = n.oid) order by c.id`;

const move = async (client: pg.PoolClient, { id, schema }: CustomerSchema): Promise<void> => {
  await client.query('set local statement_timeout = 0');
  // A load of the previous version completes first.
  await client.query('select pg_catalog.pg_advisory_xact_lock($1, $2)', [loadLockSpace, id]);
  const { rows } = await client.query<CustomerSchema>(unmovedQuery);
  if (!rows.some((row) => row.id === id)) return;
  // Loads of the previous version had a schema of their own for staging tables.
  await client.query(`drop schema if exists ${quote(`staging_${id}`)} cascade`);
  for (const statement of createStateTables(schema)) await client.query(statement);
  const table = (name: Parameters<typeof stateTable>[1]) => stateTable(schema, name);
  await client.query(`insert into ${table('_state')} (epoch, base) select id, base from ${control('epoch')}`);
  await client.query(
    `insert into ${table('_datasets')} (id, kind, name, key_column, tier, version, row_count, synced_at, changed_at, kept_from)
     select id, kind, name, key_column, tier, version, row_count, synced_at, changed_at, kept_from
     from ${control('datasets')} where customer_id = $1`,
    [id],
  );
  const copy = (to: Parameters<typeof stateTable>[1], from: string, columns: string) =>
    client.query(
      `insert into ${table(to)} (dataset_id, ${columns}) select dataset_id, ${columns} from ${control(from)}
       where dataset_id in (select id from ${table('_datasets')})`,
    );
  await copy('_dataset_versions', 'dataset_versions', 'version, made_at');
  await copy('_changed_keys', 'changed_keys', 'key, version, is_deleted');
  await copy('_deliveries', 'deliveries', 'version, filenode, bytes, digest');
  await client.query(
    `create trigger mirrors_dataset after insert or update on ${table('_datasets')}
     for each row execute function ${quote(controlSchema)}.mirror_dataset('${id}')`,
  );
  await summarize(client, { id, schema });
};

/** Moves the state of every customer that has it in the control schema. Several processes may call it at once. */
export const moveStates = async ({ pool }: Database): Promise<void> => {
  const { rows: old } = await pool.query<{ table: string | null }>('select pg_catalog.to_regclass($1) as table', [control('datasets')]);
  if (!old[0]?.table) return;
  const { rows: customers } = await pool.query<CustomerSchema>(unmovedQuery);
  for (const customer of customers) await inTransaction(pool, (client) => move(client, customer));
};
