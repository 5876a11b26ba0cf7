/** The files of an export that a path names. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { namesIn } from '../../sync/files/archive.ts';
import { type FilePath, watchFile } from '../../sync/files/open-file.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { Origin, Source } from '../source-file.ts';
import { globOf } from './glob.ts';

const inName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Files below the folder, with `/` between folders. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort(inName);

const archived = /^(.+\.zip)\/(.+)$/i;

/** All files of the export, in the order of their names. */
export const listFiles = (folder: string): readonly string[] => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new OperatorError(`There is no folder '${shown(folder)}'.`);
  return filesBelow(join(folder, '.').replace(/\/$/, ''));
};

/**
 * The files that the path of a table names, in the order in which they are read. Throws an `OperatorError` if there is none, or if there are
 * several and the source does not say which of them count.
 */
export const findFiles = async (folder: string, { path = '', files }: Origin): Promise<FilePath[]> => {
  const root = join(folder, '.').replace(/\/$/, '');
  const all = listFiles(folder);
  const [, archive, within] = archived.exec(path) ?? [];
  const [isNamed, isWithin] = [globOf(archive ?? path), globOf(within ?? '')];
  const found = all.filter(isNamed);
  /** The files that the archives hold. */
  const held: string[] = [];
  const paths: FilePath[] = [];
  for (const name of found) {
    if (within === undefined) paths.push({ path: join(root, name), name });
    else {
      const names = await namesIn(join(root, name), name);
      held.push(...names.map((entry) => `${name}/${entry}`));
      const entries = names.filter(isWithin).sort(inName);
      paths.push(...entries.map((entry) => ({ path: join(root, name), entry, name: `${name}/${entry}` })));
    }
  }
  if (paths.length === 0)
    throw new OperatorError(
      `The export has no file '${shown(path)}'. It has: ${shown([...all, ...held].join(', ') || 'no files', 2_000)}.`,
    );
  if (files === 'newest') return [newest(paths)];
  if (paths.length > 1 && files === undefined)
    throw new OperatorError(`'${shown(path)}' names ${paths.length} files: state files, newest or all.`);
  return paths;
};

/**
 * Remembers the files that a source names. The returned function throws an `OperatorError` if one of them has changed since, because a load
 * of several tables reads them one after the other.
 */
export const watchExport = async (source: Pick<Source, 'tables'>, folder: string): Promise<() => void> => {
  const origins = source.tables.flatMap((rule) => [rule, ...(rule.lists ?? [])]).filter(({ path }) => path !== undefined);
  const root = join(folder, '.').replace(/\/$/, '');
  const names = origins.length === 0 ? [] : listFiles(folder);
  const globs = origins.map(({ path = '' }) => globOf(archived.exec(path)?.[1] ?? path));
  const named = names.filter((name) => globs.some((isNamed) => isNamed(name)));
  const watches = named.map((name) => watchFile({ path: join(root, name), name }));
  return () => {
    for (const refuseChanged of watches) refuseChanged();
  };
};

/** The file that was changed last; of equal times, the last name. */
const newest = (paths: readonly FilePath[]): FilePath =>
  paths.reduce((latest, one) => (statSync(one.path).mtimeMs >= statSync(latest.path).mtimeMs ? one : latest));
