/** Loads a delivered file into an unlogged staging table. It is checked there before any other table changes. */
import { qualify, quote } from '../../database/identifier.ts';
import { OperatorError } from '../../errors.ts';
import { blamesData, refusalWords, stateOf, uniqueViolation } from '../changes/refusal.ts';
import type { LoadSession } from '../load-session.ts';
import type { Progress, SyncRequest } from '../request.ts';
import { copyInput } from './copy-input.ts';
import { type Delivery, DeliveryReading, rowsOfSame } from './deliveries.ts';
import { type Duplicates, diagnose } from './diagnose.ts';
import { readHeader } from './open-file.ts';
import type { SourceFile } from './source-files.ts';
import { hasDates, refuseSpecialDates, watchForSpecialDates } from './special-dates.ts';
import { checkHeader, resolveTarget, type Target } from './target.ts';

/** A raw table with its staged rows and keys. */
export interface Staged {
  readonly target: Target;
  /** The staged rows, with all columns of the table. Undefined if only keys to delete were delivered. */
  readonly rows: string | undefined;
  /** The columns of the file, and the file. */
  readonly columns: readonly string[];
  readonly file: SourceFile | undefined;
  /** The staged keys to delete. */
  readonly deletes: string | undefined;
  /** The number of rows and keys in the files. */
  readonly read: number;
  /** The identity of the file of rows. Undefined if there is none or it was not read. */
  readonly delivery: Delivery | undefined;
  /** The table was loaded from this file, so nothing is staged. */
  readonly isAsLoaded?: true;
}

/** The qualified name of a staged table. */
export const stagedName = ({ customer }: Pick<LoadSession, 'customer'>, table: string, part: string): string =>
  qualify(customer.schema_name, `${table} ${part}`);

interface Staging {
  readonly file: SourceFile;
  readonly target: Target;
  readonly columns: readonly string[];
}

const withinYears = (first: string, last: string) => (name: string) => `${name} between '${first}' and '${last}'`;
const timesWithinYears = withinYears('0001-01-01 00:00:00Z', '9999-12-31 23:59:59.999999Z');
/** NaN is greater than infinity. */
const withinFinite = (name: string) => `${name} > '-Infinity' and ${name} < 'Infinity'`;

/** Check constraints by the name of the type (contract: values in loads). */
const stagingChecks: Readonly<Record<string, (name: string) => string>> = {
  date: withinYears('0001-01-01', '9999-12-31'),
  timestamptz: timesWithinYears,
  'timestamp with time zone': timesWithinYears,
  'timestamp without time zone': timesWithinYears,
  numeric: withinFinite,
  real: withinFinite,
  'double precision': withinFinite,
};

const checkOf = (column: string, type: string): string => {
  const check = stagingChecks[type.replace(/\(.*?\)/, '')];
  return check ? ` check (${check(quote(column))})` : '';
};

/** Columns that the file lacks may be null. Existing rows keep their values, and `raw-changes.ts` handles new rows. */
const createStaging = (name: string, { target, columns, file: { purpose } }: Staging): string => {
  const all = purpose === 'rows' ? [...target.columns.keys()] : columns;
  const declared = all.map((column) => {
    const known = target.columns.get(column);
    const isChecked = known && (purpose === 'rows' || column === target.key);
    if (!isChecked) return `${quote(column)} text`;
    const isDelivered = columns.includes(column);
    return `${quote(column)} ${known.type}${known.required && isDelivered ? ' not null' : ''}${isDelivered ? checkOf(column, known.type) : ''}`;
  });
  return `create unlogged table ${name} (${declared.join(', ')})`;
};

/** Passes the input on and records its error, to distinguish it from errors of the database. */
const remembering = (input: AsyncIterable<Buffer>): { readonly chunks: AsyncIterable<Buffer>; readonly failed: () => boolean } => {
  let failed = false;
  async function* chunks() {
    try {
      yield* input;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  return { chunks: chunks(), failed: () => failed };
};

/** Sends the file. It is read again only if the data caused the error. */
const copy = async ({ client, database }: LoadSession, name: string, staging: Staging, progress: Progress): Promise<Delivery> => {
  const { file, columns, target } = staging;
  const reading = new DeliveryReading(file, target);
  const read = (lines: number) => progress('read', file.name, lines);
  const input = remembering(copyInput(file, columns, { read, seen: reading.see }));
  const dates = file.purpose === 'rows' && hasDates(target, columns) ? watchForSpecialDates(input.chunks) : undefined;
  const statement = `copy ${name} (${columns.map(quote).join(', ')}) from stdin (format csv, header true)`;
  try {
    await database.copy(client, statement, dates?.chunks ?? input.chunks);
    if (dates?.found()) await refuseSpecialDates(staging);
    return reading.end();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (input.failed() || blamesData(error)) await diagnose({ ...staging, duplicates: [] }, error as Error);
    throw new OperatorError(`${file.name}: ${refusalWords(error)}`);
  }
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

const fill = async (
  session: LoadSession,
  name: string,
  staging: Staging,
  progress: Progress,
): Promise<Pick<Staged, 'read' | 'delivery'>> => {
  const { client } = session;
  const { file, target, columns } = staging;
  await client.query(createStaging(name, staging));
  if (columns.length === 0) return { read: 0, delivery: undefined };
  const delivery = await copy(session, name, staging, progress);
  progress('check', file.name);
  const uniques = file.purpose === 'rows' ? target.unique.filter((unique) => unique.every((column) => columns.includes(column))) : [];
  const isRepeated = await repeatsKey(session, name, target.key);
  const duplicates = await findDuplicates(session, name, isRepeated ? [[target.key], ...uniques] : uniques);
  if (isRepeated || duplicates.some(({ values }) => values.size > 0))
    await diagnose({ ...staging, duplicates }, new Error('a key is there more than once'));
  // Staged rows are searched by key only.
  await client.query(`analyze ${name} (${quote(target.key)})`);
  const { rows } = await client.query<{ count: number }>(`select count(*) from ${name}`);
  return { read: rows[0]?.count ?? 0, delivery: file.purpose === 'rows' ? delivery : undefined };
};

/** Stages one file. Throws an `OperatorError` that names its errors. */
export const stageFile = async (
  session: LoadSession,
  file: SourceFile,
  { taken, newTables, mode, reread }: Pick<SyncRequest, 'newTables' | 'mode' | 'reread'> & { taken: ReadonlySet<string> },
  progress: Progress,
): Promise<Staged> => {
  const { client, customer } = session;
  const columns = await readHeader(file);
  const target = await resolveTarget(client, customer, { table: file.table, columns, taken, newTables });
  checkHeader(file, columns, { target, mode });
  const same = mode === 'upsert' || target.isNew || reread ? undefined : await rowsOfSame(client, customer, file, target);
  const common = { target, columns, file, rows: undefined, deletes: undefined, delivery: undefined };
  if (same !== undefined) {
    progress('read', file.name, same);
    return { ...common, read: same, isAsLoaded: true };
  }
  const name = stagedName(session, file.table, file.purpose);
  const filled = await fill(session, name, { file, target, columns }, progress);
  if (file.purpose === 'deletes') return { ...common, ...filled, columns: [], file: undefined, deletes: name };
  return { ...common, ...filled, rows: name };
};

/** Merges the staged files of one table. */
export const joinStaged = (first: Staged, second: Staged): Staged => ({
  target: first.target,
  rows: first.rows ?? second.rows,
  columns: [...first.columns, ...second.columns],
  file: first.file ?? second.file,
  deletes: first.deletes ?? second.deletes,
  read: first.read + second.read,
  delivery: first.delivery ?? second.delivery,
});
