/** Brings a delivered file into an unlogged table of the staging schema, where it is checked before anything is touched. */
import { qualify, quote } from '../database/identifier.ts';
import { OperatorError } from '../errors.ts';
import { copyInput } from './copy-input.ts';
import { type Duplicates, diagnose } from './diagnose.ts';
import { checkHeader, readHeader } from './header.ts';
import type { LoadSession } from './load-session.ts';
import type { Progress } from './progress.ts';
import { blamesData, refusalWords } from './refusal.ts';
import type { Mode, SourceFile } from './source-files.ts';
import { type NewTables, resolveTarget, type Target } from './target.ts';

/** A raw table with what a load brings for it. */
export interface Staged {
  readonly target: Target;
  /** The staged rows, with every column of the table; undefined if only keys to delete were delivered. */
  readonly rows: string | undefined;
  /** Columns that the file has, and the file. */
  readonly columns: readonly string[];
  readonly file: SourceFile | undefined;
  /** The staged keys to delete. */
  readonly deletes: string | undefined;
  /** How many rows and keys were read. */
  readonly read: number;
}

/** Name of a staged table, qualified. */
export const stagedName = ({ staging }: LoadSession, table: string, part: string): string => qualify(staging, `${table} ${part}`);

interface Staging {
  readonly file: SourceFile;
  readonly target: Target;
  readonly columns: readonly string[];
}

/** Days and times are served with four digits for the year: what lies outside is refused while it is read. */
const withinYears = (column: string, type: string): string => {
  const name = quote(column);
  if (type === 'date') return ` check (${name} between '0001-01-01' and '9999-12-31' or not isfinite(${name}))`;
  if (type !== 'timestamptz' && type !== 'timestamp with time zone') return '';
  return ` check (${name} between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59.999999Z' or not isfinite(${name}))`;
};

/** Columns that the file lacks may stay empty: what is there keeps its values, and `raw-changes.ts` sees to new rows. */
const createStaging = (name: string, { target, columns, file: { purpose } }: Staging): string => {
  const all = purpose === 'rows' ? [...target.columns.keys()] : columns;
  const declared = all.map((column) => {
    const known = target.columns.get(column);
    const isChecked = known && (purpose === 'rows' || column === target.key);
    if (!isChecked) return `${quote(column)} text`;
    const isDelivered = columns.includes(column);
    return `${quote(column)} ${known.type}${known.required && isDelivered ? ' not null' : ''}${isDelivered ? withinYears(column, known.type) : ''}`;
  });
  return `create unlogged table ${name} (${declared.join(', ')})`;
};

/** Passes the input on and remembers what it failed with, which is no fault of the database's. */
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

/** Sends the file. Only what the data is to blame for is worth reading the file a second time. */
const copy = async ({ client, database }: LoadSession, name: string, staging: Staging, progress: Progress): Promise<void> => {
  const { file, columns } = staging;
  const input = remembering(copyInput(file, columns, (lines) => progress('read', file.name, lines)));
  const statement = `copy ${name} (${columns.map(quote).join(', ')}) from stdin (format csv, header true)`;
  try {
    await database.copy(client, statement, input.chunks);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (input.failed() || blamesData(error)) await diagnose({ ...staging, duplicates: [] }, error as Error);
    throw new OperatorError(`${file.name}: ${refusalWords(error)}`);
  }
};

/** Values of the table's unique keys that the staged rows hold more than once. */
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

const fill = async (session: LoadSession, name: string, staging: Staging, progress: Progress): Promise<number> => {
  const { client } = session;
  const { file, target, columns } = staging;
  await client.query(createStaging(name, staging));
  if (columns.length === 0) return 0;
  await copy(session, name, staging, progress);
  progress('check', file.name);
  const uniques = file.purpose === 'rows' ? target.unique.filter((unique) => unique.every((column) => columns.includes(column))) : [];
  const duplicates = await findDuplicates(session, name, [[target.key], ...uniques]);
  if (duplicates.some(({ values }) => values.size > 0))
    await diagnose({ ...staging, duplicates }, new Error('a key is there more than once'));
  await client.query(`create unique index on ${name} (${quote(target.key)})`);
  await client.query(`analyze ${name}`);
  const { rows } = await client.query<{ count: number }>(`select count(*) from ${name}`);
  return rows[0]?.count ?? 0;
};

/** Stages one file. Throws an `OperatorError` that names its faults. */
export const stageFile = async (
  session: LoadSession,
  file: SourceFile,
  { taken, newTables, mode }: { taken: ReadonlySet<string>; newTables: NewTables | undefined; mode: Mode },
  progress: Progress,
): Promise<Staged> => {
  const columns = await readHeader(file);
  const target = await resolveTarget(session.client, session.customer, { table: file.table, columns, taken, newTables });
  checkHeader(file, columns, { target, mode });
  const name = stagedName(session, file.table, file.purpose);
  const read = await fill(session, name, { file, target, columns }, progress);
  return file.purpose === 'rows'
    ? { target, rows: name, columns, file, deletes: undefined, read }
    : { target, rows: undefined, columns: [], file: undefined, deletes: name, read };
};

/** What several files bring for one table, together. */
export const joinStaged = (first: Staged, second: Staged): Staged => ({
  target: first.target,
  rows: first.rows ?? second.rows,
  columns: [...first.columns, ...second.columns],
  file: first.file ?? second.file,
  deletes: first.deletes ?? second.deletes,
  read: first.read + second.read,
});
