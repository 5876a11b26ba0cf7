/** The changes of a load to raw tables. They are computed before the load's transaction and applied in it. */
import type pg from 'pg';
import type { Catalogue } from '../../catalogue/index.ts';
import type { RawColumn, RawTable } from '../../catalogue/raw-table.ts';
import { type Dataset, registerDataset } from '../../database/control/datasets.ts';
import { createRawTable } from '../../database/ddl.ts';
import { qualify, quote } from '../../database/identifier.ts';
import { OperatorError } from '../../errors.ts';
import { findPlaces } from '../files/file-rows.ts';
import { Rejections, rejectionsShown } from '../files/rejections.ts';
import { namesInFile } from '../files/rows.ts';
import type { Mode } from '../files/source-files.ts';
import type { LoadSession } from '../load-session.ts';
import { type Staged, stagedName } from '../staging/stage.ts';
import type { Target } from '../target.ts';
import { keepTimes, timesOfLoad } from '../values/load-times.ts';
import { linkColumns } from './dependants.ts';
import { apply, type Comparison, type Counts, compare, noChanges, total, writeAll } from './differences.ts';
import type { Replacements } from './replacements.ts';
import { analyzeIndexed } from './statistics.ts';

export interface RawChange {
  readonly staged: Staged;
  /** Undefined if the table already equals the file. */
  readonly comparison: Comparison | undefined;
  readonly counts: Counts;
}

const definitionOf = ({ key, tier, columns, unique }: Target): RawTable => {
  const declared = [...columns].map(([name, { type, required }]) => [name, `${type}${required ? ' not null' : ''}` as RawColumn]);
  return { purpose: '', key, tier, unique, personal: {}, columns: Object.fromEntries(declared) };
};

/** Throws an `OperatorError` if a key is both delivered and deleted. */
const refuseContradictions = async (client: pg.ClientBase, { target, rows, deletes }: Staged): Promise<void> => {
  if (!rows || !deletes) return;
  const key = quote(target.key);
  const { rows: found } = await client.query<{ key: string }>(
    `select ${key}::text as key from ${rows} join ${deletes} using (${key}) order by ${key} limit 1`,
  );
  if (found[0]) throw new OperatorError(`${target.table}: the row ${target.key} ${found[0].key} is to be loaded and to be deleted.`);
};

/** Columns that are missing in the file keep their values in existing rows. */
const keepUndelivered = async (client: pg.ClientBase, current: string, { target, rows, columns }: Staged): Promise<void> => {
  const ofLoad = timesOfLoad(target, columns);
  const missing = [...target.columns.keys()].filter((column) => !columns.includes(column) && !ofLoad.includes(column)).map(quote);
  if (!rows || missing.length === 0) return;
  const key = quote(target.key);
  await client.query(
    `update ${rows} n set ${missing.map((column) => `${column} = t.${column}`).join(', ')} from ${current} t where t.${key} = n.${key}`,
  );
};

/** New rows need every required column. Throws an `OperatorError` that names rows without one. */
const refuseIncomplete = async (client: pg.ClientBase, current: string, { target, rows, columns, source }: Staged): Promise<void> => {
  const ofLoad = timesOfLoad(target, columns);
  const missing = [...target.columns]
    .filter(([column, { required }]) => required && !columns.includes(column) && !ofLoad.includes(column))
    .map(([column]) => column);
  if (!rows || !source || missing.length === 0 || columns.length === 0) return;
  const key = quote(target.key);
  const { rows: found } = await client.query<{ key: string; total: number }>(
    `select n.${key}::text as key, count(*) over () as total from ${rows} n
     where not exists (select 1 from ${current} t where t.${key} = n.${key}) order by n.${key} limit ${rejectionsShown}`,
  );
  if (found.length === 0) return;
  const places = await findPlaces(source, columns, target.key, new Set(found.map((row) => row.key)));
  const rejections = new Rejections('each');
  for (const row of found) {
    const place = { file: source.name, ...places.get(row.key) };
    rejections.add(place, { reason: `there is no such row of ${target.table} yet, and a new one needs ${missing.join(', ')}` });
  }
  rejections.addUnseen((found[0]?.total ?? 0) - found.length);
  rejections.throwIfAny();
};

/** Compares the staging table with the current table, which the customer's lock keeps unchanged until the load ends. */
export const compareStaged = async (session: LoadSession, catalogue: Catalogue, staged: Staged, mode: Mode): Promise<RawChange> => {
  const { client, customer } = session;
  const { target } = staged;
  const { table, key } = target;
  if (staged.isAsLoaded) return { staged, comparison: undefined, counts: noChanges };
  // A table that the load creates is compared with an empty one. It does not exist before the load's transaction.
  const current = target.isNew ? stagedName(session, table, 'none') : qualify(customer.schema_name, table);
  if (target.isNew) await client.query(createRawTable(customer.schema_name, `${table} none`, definitionOf(target)));
  await refuseContradictions(client, staged);
  if (mode === 'upsert') {
    await refuseIncomplete(client, current, staged);
    await keepUndelivered(client, current, staged);
  }
  await keepTimes(client, current, staged, mode);
  const next = staged.rows ?? stagedName(session, table, 'rows');
  if (!staged.rows) await client.query(`create unlogged table ${next} (like ${current})`);
  const delivered = [next, ...(staged.deletes ? [staged.deletes] : [])].map((name) => `select ${quote(key)} from ${name}`);
  const comparison = {
    current,
    next,
    key,
    columns: [...target.columns.keys()],
    scope: mode === 'upsert' ? delivered.join(' union all ') : undefined,
    linkColumns: linkColumns(catalogue, table),
    changed: stagedName(session, table, 'changed'),
  };
  return { staged, comparison, counts: await compare(client, comparison) };
};

/** Applies the differences in the load's transaction. `dataset` is the table's current state. */
export const applyRaw = async (
  { client, customer }: LoadSession,
  { staged, comparison, counts }: RawChange,
  replacements: Replacements,
  dataset: Pick<Dataset, 'version' | 'row_count'> | undefined,
): Promise<void> => {
  const { table, key, tier, isNew } = staged.target;
  const current = qualify(customer.schema_name, table);
  if (isNew) {
    await client.query(createRawTable(customer.schema_name, table, definitionOf(staged.target)));
    await registerDataset(client, customer.schema_name, { kind: 'raw', name: table, key_column: key, tier });
  }
  if (!comparison || total(counts) === 0) return;
  const isMuch = dataset !== undefined && replacements.isWorthwhile(total(counts), dataset.row_count);
  const replacement = isMuch ? await replacements.begin(table) : undefined;
  if (replacement) {
    await writeAll(client, comparison, replacement);
    await replacements.addKeys(table);
    await analyzeIndexed(client, replacement, current);
    await replacements.finish(table, comparison, counts);
    return;
  }
  await apply(client, { ...comparison, current }, counts);
  // The planner needs statistics of the new rows for the publication.
  await analyzeIndexed(client, current);
};

/**
 * Throws an `OperatorError` that names the delivered rows whose unique value another row has; does nothing if there are none. Call it after
 * the load's transaction.
 */
export const refuseCollisions = async (client: pg.ClientBase, schema: string, changes: readonly RawChange[]): Promise<void> => {
  const rejections = new Rejections('each');
  for (const { staged, comparison } of changes) {
    const { target, source, rows, columns } = staged;
    if (!rows || !source || !comparison || target.isNew) continue;
    const key = quote(target.key);
    for (const unique of target.unique) {
      const same = unique.map((column) => `n.${quote(column)} = t.${quote(column)}`).join(' and ');
      const { rows: found } = await client.query<{ key: string; total: number }>(
        `select n.${key}::text as key, count(*) over () as total
         from ${rows} n join ${qualify(schema, target.table)} t on ${same} and t.${key} <> n.${key}
         where not exists (select 1 from ${comparison.changed} c where c.key = t.${key}) order by n.${key} limit ${rejectionsShown}`,
      );
      const places = await findPlaces(source, columns, target.key, new Set(found.map((row) => row.key)));
      for (const row of found) {
        const { labels, ...place } = places.get(row.key) ?? {};
        const column = namesInFile(labels, columns, unique);
        rejections.add({ file: source.name, ...place, column }, { reason: `another row of ${target.table} has this already` });
      }
      rejections.addUnseen(Math.max(0, (found[0]?.total ?? 0) - found.length));
    }
  }
  rejections.throwIfAny();
};
