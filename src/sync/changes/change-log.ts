/**
 * Data versions of a table, and the change log from which deltas are read (contract: data versions; deltas).
 *
 * The change log has one narrow entry for each key: the last version that changed its row, and whether it deleted the row. A key that
 * changes every night still has one entry, and a delta needs no more. The rows come from the table, in the same snapshot.
 */
import type pg from 'pg';
import type { Dataset } from '../../database/control/datasets.ts';
import { stateTable } from '../../database/control/state-tables.ts';
import { quote } from '../../database/identifier.ts';
import { type Counts, total } from './differences.ts';

/**
 * Assigns the next version, which is above the base of the customer's epoch, and counts the rows. Returns the version. Deltas start at a
 * table's first version, because a client without data downloads the table.
 */
export const raiseVersion = async (client: pg.ClientBase, schema: string, id: number, rowsMore: number): Promise<number> => {
  const { rows } = await client.query<{ version: number }>(
    `update ${stateTable(schema, '_datasets')} d set version = greatest(d.version, s.base) + 1, row_count = d.row_count + $2::bigint,
       kept_from = case when d.version = 0 then greatest(d.version, s.base) + 1 else d.kept_from end
     from ${stateTable(schema, '_state')} s where d.id = $1 returning d.version`,
    [id, rowsMore],
  );
  // The log has no foreign key. This transaction holds the datasets of its entries.
  if (!rows[0]) throw new Error(`There is no dataset ${id}`);
  return rows[0].version;
};

/** Creates a version without deltas from earlier ones, because the rows have other columns. Copies must be downloaded again. */
export const startOver = async (client: pg.ClientBase, schema: string, id: number): Promise<void> => {
  const version = await raiseVersion(client, schema, id, 0);
  await client.query(`update ${stateTable(schema, '_datasets')} set kept_from = $2::bigint where id = $1`, [id, version]);
  await client.query(`delete from ${stateTable(schema, '_changed_keys')} where dataset_id = $1`, [id]);
};

/** Creates a version with the recorded changes. Without changes, the table keeps its version. */
export const makeVersion = async (
  client: pg.ClientBase,
  schema: string,
  { id, version }: Pick<Dataset, 'id' | 'version'>,
  changed: string,
  counts: Counts,
): Promise<number> => {
  if (total(counts) === 0) return version;
  const next = await raiseVersion(client, schema, id, counts.inserted - counts.deleted);
  if (version > 0) await noteVersion(client, schema, id, next, changed);
  return next;
};

/** Writes the changed keys of a version. Deletes existing entries first, because an upsert for each new one would take twice as long. */
export const noteVersion = async (client: pg.ClientBase, schema: string, id: number, version: number, changed: string): Promise<void> => {
  const log = stateTable(schema, '_changed_keys');
  await client.query(`delete from ${log} l using ${changed} c where l.dataset_id = $1 and l.key = c.key::text`, [id]);
  await client.query(
    `insert into ${log} (dataset_id, key, version, is_deleted)
     select $1::integer, c.key::text, $2::bigint, c.op = 'delete' from ${changed} c order by c.key::text collate "C"`,
    [id, version],
  );
};

/** Records the keys of all rows, for tables that were empty. Returns their number. */
export const logAllKeys = async (client: pg.ClientBase, table: string, key: string, changed: string): Promise<number> => {
  const { rowCount } = await client.query(`create unlogged table ${changed} as select ${quote(key)} as key, 'insert' as op from ${table}`);
  return rowCount ?? 0;
};

/**
 * Sets the times of the load at its very end: the sync time of each table and the creation time of the new versions. The precision is
 * milliseconds, as clients see it. `made` may have tables that are not in `synced`.
 */
export const dateVersions = async (
  client: pg.ClientBase,
  schema: string,
  synced: readonly number[],
  made: readonly number[],
): Promise<Date> => {
  const [datasets, versions] = [stateTable(schema, '_datasets'), stateTable(schema, '_dataset_versions')];
  const { rows } = await client.query<{ at: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as at`);
  const at = rows[0]?.at ?? new Date();
  await client.query(
    `update ${datasets} set synced_at = case when id = any($1::int[]) then $3::timestamptz else synced_at end,
       changed_at = case when id = any($2::int[]) then $3::timestamptz else changed_at end
     where id = any($1::int[]) or id = any($2::int[])`,
    [synced, made, at],
  );
  await client.query(
    `insert into ${versions} (dataset_id, version, made_at) select id, version, $2::timestamptz from ${datasets} where id = any($1::int[])`,
    [made, at],
  );
  return at;
};

/** Deletes change-log entries beyond the retention time, for all tables of the customer. */
export const trimChanges = async (client: pg.ClientBase, schema: string, retentionHours: number): Promise<void> => {
  const [datasets, versions] = [stateTable(schema, '_datasets'), stateTable(schema, '_dataset_versions')];
  const { rows } = await client.query<{ id: number; version: number }>(
    `select dataset_id as id, max(version) as version from ${versions}
     where made_at < clock_timestamp() - make_interval(hours => $1) group by dataset_id`,
    [retentionHours],
  );
  for (const { id, version } of rows) {
    await client.query(`update ${datasets} set kept_from = greatest(kept_from, $2::bigint) where id = $1`, [id, version]);
    for (const log of [stateTable(schema, '_changed_keys'), versions])
      await client.query(`delete from ${log} where dataset_id = $1 and version <= $2`, [id, version]);
  }
};
