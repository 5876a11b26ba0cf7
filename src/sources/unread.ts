/** The files and sheets of a delivery that no table of the source reads. */
import { OperatorError } from '../errors.ts';
import { formatOfName } from '../sync/files/formats.ts';
import type { FilePath } from '../sync/files/open-file.ts';
import { shown } from '../sync/files/rejections.ts';
import { findFiles, listFiles } from './files/named-files.ts';
import type { Origin, Source } from './source-file.ts';

export interface Unread {
  readonly file: string;
  /** Absent if the whole file is not read. */
  readonly sheet?: string;
}

export const unreadInWords = ({ file, sheet }: Unread): string =>
  `${shown(file)}${sheet === undefined ? '' : `, sheet ${shown(sheet)}`} (no table of the source reads it)`;

const originsOf = ({ tables }: Source): readonly Origin[] =>
  tables.flatMap((rule) => [rule, ...(rule.lists ?? [])]).filter(({ path }) => path !== undefined);

interface ReadFile {
  readonly path: FilePath;
  /** The sheets that tables read, if it is a workbook. */
  readonly sheets: Set<string | undefined>;
}

/** The files that tables name, with all that `files` chooses from: an older file beside the newest is no surprise. */
const namedBy = async (source: Source, folder: string): Promise<Map<string, ReadFile>> => {
  const read = new Map<string, ReadFile>();
  for (const origin of originsOf(source))
    for (const path of await findFiles(folder, { ...origin, files: 'all' })) {
      const file = read.get(path.name) ?? { path, sheets: new Set() };
      read.set(path.name, file);
      const { sheetName } = { ...source.dialect, ...origin.dialect };
      file.sheets.add(sheetName);
    }
  return read;
};

const unreadSheets = async ({ path, sheets }: ReadFile): Promise<Unread[]> => {
  if (formatOfName(path.entry ?? path.name) !== 'xlsx') return [];
  const { sheetNames } = await import('./readers/workbook.ts');
  const names = await sheetNames(path);
  return names
    .filter((name, index) => !sheets.has(name) && !(index === 0 && sheets.has(undefined)))
    .map((sheet) => ({ file: path.name, sheet }));
};

const unreadEntries = async (archive: string, read: ReadonlyMap<string, ReadFile>, folder: string): Promise<Unread[]> => {
  const all = await findFiles(folder, { path: `${archive}/*`, files: 'all' });
  return all.filter(({ name }) => !read.has(name)).map(({ name }) => ({ file: name }));
};

/** Lists them in the order of their names. Empty for a source of databases alone. */
export const unreadOf = async (source: Source, folder: string): Promise<readonly Unread[]> => {
  if (originsOf(source).length === 0) return [];
  const read = await namedBy(source, folder);
  const unread: Unread[] = [];
  for (const name of listFiles(folder)) {
    const one = read.get(name);
    if (one) unread.push(...(await unreadSheets(one)));
    else if ([...read.keys()].some((other) => other.startsWith(`${name}/`))) unread.push(...(await unreadEntries(name, read, folder)));
    else unread.push({ file: name });
  }
  return unread;
};

/** Throws an `OperatorError` if there are any. */
export const refuseUnread = (unread: readonly Unread[]): void => {
  if (unread.length > 0)
    throw new OperatorError(
      `--strict refuses a delivery that is not read in full.\n${unread.map((one) => `not loaded: ${unreadInWords(one)}`).join('\n')}`,
    );
};
