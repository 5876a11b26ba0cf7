/** Loads rows into an unlogged staging table. They are checked on the way, before any other table changes. */
import { qualify, quote } from '../../database/identifier.ts';
import { OperatorError } from '../../errors.ts';
import { watchFile } from '../files/open-file.ts';
import { Rejections } from '../files/rejections.ts';
import type { CopyResult, TableRows } from '../files/rows.ts';
import type { SourceFile } from '../files/source-files.ts';
import type { LoadSession } from '../load-session.ts';
import { blamesData, refusalWords, refusedPosition, stateOf, uniqueViolation } from '../refusal.ts';
import type { Progress, SyncRequest } from '../request.ts';
import { resolveTarget, type Target } from '../target.ts';
import { isLoadTime, timesOfLoad } from '../values/load-times.ts';
import { ZonedDays } from '../values/zoned-days.ts';
import { type Delivery, DeliveryReading, rowsOfSame } from './deliveries.ts';
import { isPlainFile, plainFile } from './plain-file.ts';
import { type Duplicates, refuseDuplicates } from './refuse-duplicates.ts';

/** A raw table with its staged rows and keys. */
export interface Staged {
  readonly target: Target;
  /** The staged rows, with all columns of the table. Undefined if only keys to delete were delivered. */
  readonly rows: string | undefined;
  /** The columns that were delivered, and the rows. */
  readonly columns: readonly string[];
  readonly source: TableRows | undefined;
  /** The delivered columns that have no value in any row. */
  readonly emptyColumns: readonly string[];
  /** The delivered load times that some rows lack. */
  readonly incompleteTimes: readonly string[];
  /** The staged keys to delete. */
  readonly deletes: string | undefined;
  /** The number of rows and keys that were delivered, by name of the file or source. */
  readonly reads: readonly { readonly name: string; readonly rows: number }[];
  /** The identity of the file of rows. Undefined if there is none or it was not read. */
  readonly delivery: Delivery | undefined;
  /** The table was loaded from this file, so nothing is staged. */
  readonly isAsLoaded?: true;
}

/** The qualified name of a staged table. */
export const stagedName = ({ customer }: Pick<LoadSession, 'customer'>, table: string, part: string): string =>
  qualify(customer.schema_name, `${table} ${part}`);

interface Staging {
  readonly rows: TableRows;
  readonly target: Target;
  readonly columns: readonly string[];
  readonly zone: ZonedDays | undefined;
}

/** Columns that the file lacks may be null. Existing rows keep their values, and `raw-changes.ts` handles new rows. */
const createStaging = (name: string, { target, columns, rows: { purpose } }: Staging): string => {
  const all = purpose === 'rows' ? [...target.columns.keys()] : columns;
  const ofLoad = timesOfLoad(target, columns);
  const declared = all.map((column) => {
    const known = target.columns.get(column);
    const isTyped = known && (purpose === 'rows' || column === target.key);
    if (!isTyped) return `${quote(column)} text`;
    const time = ofLoad.includes(column) ? ' default pg_catalog.now()' : '';
    return `${quote(column)} ${known.type}${time}${known.required && columns.includes(column) && !isLoadTime(column) ? ' not null' : ''}`;
  });
  return `create unlogged table ${name} (${declared.join(', ')})`;
};

/** Sends the rows. Throws an `OperatorError` that names their errors. */
const copy = async ({ client, database }: LoadSession, name: string, staging: Staging, progress: Progress) => {
  const { rows, columns, target, zone } = staging;
  const reading = isPlainFile(rows) && rows.purpose === 'rows' ? new DeliveryReading(rows.source, target, zone?.zone) : undefined;
  let count = 0;
  const read = (more: number) => {
    count += more;
    progress('read', rows.name, more);
  };
  let checked: CopyResult | undefined;
  async function* checkedInput(): AsyncGenerator<Buffer> {
    checked = yield* rows.copyText(columns, { target, timeZone: zone?.zone, read, seen: (chunk) => reading?.see(chunk) });
  }
  const statement = `copy ${name} (${columns.map(quote).join(', ')}) from stdin (format csv, header true)`;
  if (zone) await client.query("select pg_catalog.set_config('TimeZone', $1, false)", [zone.zone]);
  try {
    await database.copy(client, statement, checkedInput());
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const rejections = new Rejections('each');
    // Only a type that the checks do not know can be the cause.
    if (blamesData(error)) rejections.add({ file: rows.name, ...refusedPosition(error) }, { reason: refusalWords(error) });
    rejections.throwIfAny();
    throw new OperatorError(`${rows.name}: ${refusalWords(error)}`);
  } finally {
    if (zone) await client.query('reset TimeZone').catch(() => {});
  }
  const { emptyColumns = [], incompleteTimes = [] } = checked ?? {};
  return { count, delivery: reading?.end(), emptyColumns, incompleteTimes };
};

/** The values of unique keys that the staged rows contain more than once. */
const findDuplicates = async ({ client }: LoadSession, name: string, uniques: readonly (readonly string[])[]): Promise<Duplicates[]> => {
  const found: Duplicates[] = [];
  for (const columns of uniques) {
    const list = columns.map(quote).join(', ');
    const { rows } = await client.query<{ value: unknown[] }>(
      `select json_build_array(${columns.map((column) => `${quote(column)}::text`).join(', ')}) as value from ${name}
       where (${list}) is not null group by ${list} having count(*) > 1 order by ${list} limit 1000`,
    );
    found.push({ columns, values: new Set(rows.map(({ value }) => JSON.stringify(value))) });
  }
  return found;
};

/** Builds the unique index. Returns whether a key occurs twice. */
const repeatsKey = async ({ client }: LoadSession, name: string, key: string): Promise<boolean> => {
  try {
    await client.query(`create unique index on ${name} (${quote(key)})`);
    return false;
  } catch (error) {
    if (stateOf(error) !== uniqueViolation) throw error;
    return true;
  }
};

const fill = async (session: LoadSession, name: string, staging: Staging, progress: Progress) => {
  const { client } = session;
  const { rows, target, columns } = staging;
  await client.query(createStaging(name, staging));
  if (columns.length === 0) return { count: 0, delivery: undefined, emptyColumns: [], incompleteTimes: [] };
  const copied = await copy(session, name, staging, progress);
  progress('check', rows.name);
  const uniques = rows.purpose === 'rows' ? target.unique.filter((unique) => unique.every((column) => columns.includes(column))) : [];
  const isRepeated = await repeatsKey(session, name, target.key);
  const duplicates = await findDuplicates(session, name, isRepeated ? [[target.key], ...uniques] : uniques);
  if (isRepeated || duplicates.some(({ values }) => values.size > 0)) await refuseDuplicates(rows, columns, target, duplicates);
  // Staged rows are searched by key only.
  await client.query(`analyze ${name} (${quote(target.key)})`);
  return copied;
};

type StageOptions = Pick<SyncRequest, 'newTables' | 'mode' | 'reread' | 'timeZone'> & { readonly taken: ReadonlySet<string> };

/** Stages one file, or rows of another supplier. Throws an `OperatorError` that names their errors. */
export const stage = async (
  session: LoadSession,
  delivered: SourceFile | TableRows,
  { taken, newTables, mode, reread, timeZone }: StageOptions,
  progress: Progress,
): Promise<Staged> => {
  const { client, customer } = session;
  const rows = 'path' in delivered ? plainFile(delivered) : delivered;
  const { source } = isPlainFile(rows) ? rows : { source: undefined };
  const refuseChanged = source ? watchFile(source) : () => {};
  const zone = timeZone === undefined ? undefined : new ZonedDays(timeZone);
  const columns = await rows.readColumns();
  const target = await resolveTarget(client, customer, { table: rows.table, columns, taken, newTables });
  await rows.checkHeader(columns, target, mode);
  const common = {
    target,
    columns,
    source: rows,
    rows: undefined,
    emptyColumns: [],
    incompleteTimes: [],
    deletes: undefined,
    delivery: undefined,
  };
  if (source && mode === 'full' && !target.isNew && !reread) {
    const same = await rowsOfSame(client, customer, source, target, timeZone);
    refuseChanged();
    if (same !== undefined) {
      progress('read', rows.name, same);
      return { ...common, reads: [{ name: rows.name, rows: same }], isAsLoaded: true };
    }
  }
  const name = stagedName(session, rows.table, rows.purpose);
  // A file that changed explains any other error.
  const { count, ...filled } = await fill(session, name, { rows, target, columns, zone }, progress).finally(refuseChanged);
  const reads = [{ name: rows.name, rows: count }];
  if (rows.purpose === 'deletes') return { ...common, reads, columns: [], source: undefined, deletes: name };
  return { ...common, ...filled, reads, rows: name };
};

/** Merges the staged rows and keys of one table. */
export const joinStaged = (first: Staged, second: Staged): Staged => ({
  target: first.target,
  rows: first.rows ?? second.rows,
  columns: [...first.columns, ...second.columns],
  source: first.source ?? second.source,
  emptyColumns: [...first.emptyColumns, ...second.emptyColumns],
  incompleteTimes: [...first.incompleteTimes, ...second.incompleteTimes],
  deletes: first.deletes ?? second.deletes,
  reads: [...first.reads, ...second.reads],
  delivery: first.delivery ?? second.delivery,
});
