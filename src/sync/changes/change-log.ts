/**
 * Data versions of a table, and the change log from which deltas are read (contract: data versions; deltas).
 *
 * The change log has one narrow entry for each key: the last version that changed its row, and whether it deleted the row. A key that
 * changes every night still has one entry, and a delta needs no more. The rows come from the table, in the same snapshot.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { controlSchema } from '../../database/control/control.ts';
import { type Dataset, datasets, datasetsOf, runControlQuery } from '../../database/control/datasets.ts';
import { qualify, quote } from '../../database/identifier.ts';
import { type Counts, total } from './differences.ts';

const epochs = qualify(controlSchema, 'epoch');
const versions = qualify(controlSchema, 'dataset_versions');
const changedKeys = qualify(controlSchema, 'changed_keys');

/**
 * Assigns the next version, which is above the base of the epoch, and counts the rows. Returns the version. Deltas start at a table's first
 * version, because a client without data downloads the table.
 */
export const raiseVersion = async (client: pg.ClientBase, id: number, rowsMore: number): Promise<number> => {
  const { rows } = await client.query<{ version: number }>(
    `update ${datasets} d set version = greatest(d.version, e.base) + 1, row_count = d.row_count + $2::bigint,
       kept_from = case when d.version = 0 then greatest(d.version, e.base) + 1 else d.kept_from end
     from ${epochs} e where d.id = $1 returning d.version`,
    [id, rowsMore],
  );
  // The log has no foreign key. This transaction holds the datasets of its entries.
  if (!rows[0]) throw new Error(`There is no dataset ${id}`);
  return rows[0].version;
};

/** Creates a version with the recorded changes. Without changes, the table keeps its version. */
export const makeVersion = async (
  client: pg.ClientBase,
  { id, version }: Pick<Dataset, 'id' | 'version'>,
  changed: string,
  counts: Counts,
): Promise<number> => {
  if (total(counts) === 0) return version;
  const next = await raiseVersion(client, id, counts.inserted - counts.deleted);
  if (version > 0) await noteVersion(client, id, next, changed);
  return next;
};

/** Deletes existing entries of the keys first. An upsert for each new entry would take twice as long. */
const noteVersion = async (client: pg.ClientBase, id: number, version: number, changed: string): Promise<void> => {
  await client.query(`delete from ${changedKeys} l using ${changed} c where l.dataset_id = $1 and l.key = c.key::text`, [id]);
  await client.query(
    `insert into ${changedKeys} (dataset_id, key, version, is_deleted)
     select $1::integer, c.key::text, $2::bigint, c.op = 'delete' from ${changed} c order by c.key::text collate "C"`,
    [id, version],
  );
};

/** Records the keys of all rows, for tables that were empty. Returns their number. */
export const noteAll = async (client: pg.ClientBase, table: string, key: string, changed: string): Promise<number> => {
  const { rowCount } = await client.query(`create unlogged table ${changed} as select ${quote(key)} as key, 'insert' as op from ${table}`);
  return rowCount ?? 0;
};

/**
 * Sets the times of the load at its very end: the sync time of each table and the creation time of the new versions. The precision is
 * milliseconds, as clients see it.
 */
export const dateVersions = async (client: pg.ClientBase, synced: readonly number[], made: readonly number[]): Promise<Date> => {
  const { rows } = await client.query<{ at: Date }>(
    `with moment as (select date_trunc('milliseconds', clock_timestamp()) as at),
     synced as (update ${datasets} set synced_at = at, changed_at = case when id = any($2::int[]) then at else changed_at end
       from moment where id = any($1::int[])),
     made as (insert into ${versions} (dataset_id, version, made_at) select id, version, at from ${datasets}, moment where id = any($2::int[]))
     select at from moment`,
    [synced, made],
  );
  return rows[0]?.at ?? new Date();
};

/** Deletes change-log entries beyond the retention time, for all tables of the customer. */
export const trimChanges = async (client: pg.ClientBase, customerId: number, retentionHours: number): Promise<void> => {
  const outdated = datasetsOf(customerId)
    .innerJoin('dataset_versions as v', 'v.dataset_id', 'datasets.id')
    .where('made_at', '<', sql<Date>`clock_timestamp() - make_interval(hours => ${retentionHours})`)
    .select(({ fn }) => ['datasets.id', fn.max('v.version').as('version')])
    .groupBy('datasets.id');
  for (const { id, version } of await runControlQuery(client, outdated)) {
    await client.query(`update ${datasets} set kept_from = greatest(kept_from, $2::bigint) where id = $1`, [id, version]);
    await client.query(`delete from ${changedKeys} where dataset_id = $1 and version <= $2`, [id, version]);
    await client.query(`delete from ${versions} where dataset_id = $1 and version <= $2`, [id, version]);
  }
};
