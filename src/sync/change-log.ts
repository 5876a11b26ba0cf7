/**
 * Versions of a table's data, and which keys each version changed: what deltas are read from (contract: data versions; deltas).
 *
 * The log is narrow: for each key the last version that changed its row and whether that deleted it. A key that changes every
 * night takes one line, and a delta needs no more. Rows themselves come from the table, in the same snapshot.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { controlSchema } from '../database/control.ts';
import { ask, type Dataset, datasets, datasetsOf } from '../database/datasets.ts';
import { qualify, quote } from '../database/identifier.ts';
import { type Counts, total } from './differences.ts';

const epochs = qualify(controlSchema, 'epoch');
const versions = qualify(controlSchema, 'dataset_versions');
const changedKeys = qualify(controlSchema, 'changed_keys');

/**
 * Gives the table its next version, above its epoch's base, and counts its rows; gives the version. A table's first
 * version is also the first since which deltas are kept: whoever has nothing downloads the table.
 */
export const raiseVersion = async (client: pg.ClientBase, id: number, rowsMore: number): Promise<number> => {
  const { rows } = await client.query<{ version: number }>(
    `update ${datasets} d set version = greatest(d.version, e.base) + 1, row_count = d.row_count + $2::bigint,
       kept_from = case when d.version = 0 then greatest(d.version, e.base) + 1 else d.kept_from end
     from ${epochs} e where d.id = $1 returning d.version`,
    [id, rowsMore],
  );
  // The log has no foreign key: its lines are written for datasets that this transaction holds.
  if (!rows[0]) throw new Error(`There is no dataset ${id}`);
  return rows[0].version;
};

/** Gives the table a new version in which the noted keys changed, and says which; without changes it keeps its own. */
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

/** Keys that have a line lose it first: to look for one before each new line takes twice as long. */
const noteVersion = async (client: pg.ClientBase, id: number, version: number, changed: string): Promise<void> => {
  await client.query(`delete from ${changedKeys} l using ${changed} c where l.dataset_id = $1 and l.key = c.key::text`, [id]);
  await client.query(
    `insert into ${changedKeys} (dataset_id, key, version, is_deleted)
     select $1::integer, c.key::text, $2::bigint, c.op = 'delete' from ${changed} c order by c.key::text collate "C"`,
    [id, version],
  );
};

/** Keys of all rows of a table, as noted differences: for tables that were empty. Gives how many there are. */
export const noteAll = async (client: pg.ClientBase, table: string, key: string, changed: string): Promise<number> => {
  const { rowCount } = await client.query(`create unlogged table ${changed} as select ${quote(key)} as key, 'insert' as op from ${table}`);
  return rowCount ?? 0;
};

/**
 * Dates what the load did, at its very end: each table was synced now, and the new versions were made now. In milliseconds, as
 * clients see it.
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

/** Forgets what changed longer ago than deltas are kept, for all tables of the customer. */
export const trimChanges = async (client: pg.ClientBase, customerId: number, retentionHours: number): Promise<void> => {
  const outdated = datasetsOf(customerId)
    .innerJoin('dataset_versions as v', 'v.dataset_id', 'datasets.id')
    .where('made_at', '<', sql<Date>`clock_timestamp() - make_interval(hours => ${retentionHours})`)
    .select(({ fn }) => ['datasets.id', fn.max('v.version').as('version')])
    .groupBy('datasets.id');
  for (const { id, version } of await ask(client, outdated)) {
    await client.query(`update ${datasets} set kept_from = greatest(kept_from, $2::bigint) where id = $1`, [id, version]);
    await client.query(`delete from ${changedKeys} where dataset_id = $1 and version <= $2`, [id, version]);
    await client.query(`delete from ${versions} where dataset_id = $1 and version <= $2`, [id, version]);
  }
};
