/** Brings a delivered file into an unlogged table of the staging schema, where it is checked before anything is touched. */
import { qualify, quote } from '../database/identifier.ts';
import { copyInput } from './copy-input.ts';
import { type Duplicates, diagnose } from './diagnose.ts';
import { checkHeader, readHeader } from './header.ts';
import type { LoadSession } from './load-session.ts';
import type { Progress } from './progress.ts';
import type { SourceFile } from './source-files.ts';
import { type NewTables, resolveTarget, type Target } from './target.ts';

/** A raw table with what a load brings for it. */
export interface Staged {
  readonly target: Target;
  /** The staged rows, with every column of the table; undefined if only keys to delete were delivered. */
  readonly rows: string | undefined;
  /** Columns that the file has. */
  readonly columns: readonly string[];
  /** The staged keys to delete. */
  readonly deletes: string | undefined;
  /** How many rows and keys were read. */
  readonly read: number;
}

/** Name of a staged table, qualified. */
export const stagedName = ({ staging }: LoadSession, table: string, part: string): string => qualify(staging, `${table} ${part}`);

const createStaging = (
  name: string,
  columns: readonly string[],
  { target, purpose }: { target: Target; purpose: SourceFile['purpose'] },
): string => {
  const declared = columns.map((column) => {
    const known = target.columns.get(column);
    const isChecked = known && (purpose === 'rows' || column === target.key);
    return `${quote(column)} ${isChecked ? `${known.type}${known.required ? ' not null' : ''}` : 'text'}`;
  });
  return `create unlogged table ${name} (${declared.join(', ')})`;
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

interface Staging {
  readonly file: SourceFile;
  readonly target: Target;
  readonly columns: readonly string[];
}

const fill = async (session: LoadSession, name: string, { file, target, columns }: Staging, progress: Progress): Promise<number> => {
  const { client, database } = session;
  const all = file.purpose === 'rows' ? [...target.columns.keys()] : columns;
  await client.query(createStaging(name, all, { target, purpose: file.purpose }));
  if (columns.length === 0) return 0;
  const refused = { file, columns, target };
  const input = copyInput(file, columns, (lines) => progress('read', file.name, lines));
  const statement = `copy ${name} (${columns.map(quote).join(', ')}) from stdin (format csv, header true)`;
  await database.copy(client, statement, input).catch((error: Error) => diagnose({ ...refused, duplicates: [] }, error));
  progress('check', file.name);
  const uniques = file.purpose === 'rows' ? target.unique.filter((unique) => unique.every((column) => columns.includes(column))) : [];
  const duplicates = await findDuplicates(session, name, [[target.key], ...uniques]);
  if (duplicates.some(({ values }) => values.size > 0))
    await diagnose({ ...refused, duplicates }, new Error('a key is there more than once'));
  await client.query(`create unique index on ${name} (${quote(target.key)})`);
  await client.query(`analyze ${name}`);
  const { rows } = await client.query<{ count: number }>(`select count(*) from ${name}`);
  return rows[0]?.count ?? 0;
};

/** Stages one file. Throws an `OperatorError` that names its faults. */
export const stageFile = async (
  session: LoadSession,
  file: SourceFile,
  { taken, newTables }: { taken: ReadonlySet<string>; newTables: NewTables | undefined },
  progress: Progress,
): Promise<Staged> => {
  const columns = await readHeader(file);
  const target = await resolveTarget(session.client, session.customer, { table: file.table, columns, taken, newTables });
  checkHeader(file, columns, target);
  const name = stagedName(session, file.table, file.purpose);
  const read = await fill(session, name, { file, target, columns }, progress);
  return file.purpose === 'rows'
    ? { target, rows: name, columns, deletes: undefined, read }
    : { target, rows: undefined, columns: [], deletes: name, read };
};

/** What several files bring for one table, together. */
export const joinStaged = (first: Staged, second: Staged): Staged => ({
  target: first.target,
  rows: first.rows ?? second.rows,
  columns: [...first.columns, ...second.columns],
  deletes: first.deletes ?? second.deletes,
  read: first.read + second.read,
});
