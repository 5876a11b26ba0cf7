/** The files of an export that a path names. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';
import type { Origin } from '../source-file.ts';
import type { SourcePath } from './bytes.ts';

/** A glob of one name: `*` and `?`. */
const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

const inName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Files below the folder, with `/` between folders. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
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
export const findFiles = async (folder: string, { path = '', files }: Origin): Promise<SourcePath[]> => {
  const root = join(folder, '.').replace(/\/$/, '');
  const all = listFiles(folder);
  const [, archive, within] = archived.exec(path) ?? [];
  const found = all.filter((name) => globOf(archive ?? path).test(name));
  const paths: SourcePath[] = [];
  for (const name of found) {
    if (within === undefined) paths.push({ path: join(root, name), name });
    else {
      const { namesIn } = await import('./archive.ts');
      const entries = (await namesIn(join(root, name), name)).filter((entry) => globOf(within).test(entry)).sort(inName);
      paths.push(...entries.map((entry) => ({ path: join(root, name), entry, name: `${name}/${entry}` })));
    }
  }
  if (paths.length === 0)
    throw new OperatorError(`${shown(folder)} has no file '${shown(path)}'. It has: ${shown(all.join(', ') || 'no files')}.`);
  if (files === 'newest') return [newest(paths)];
  if (paths.length > 1 && files === undefined)
    throw new OperatorError(`'${shown(path)}' names ${paths.length} files: state files, newest or all.`);
  return paths;
};

/** The file that was changed last; of equal times, the last name. */
const newest = (paths: readonly SourcePath[]): SourcePath =>
  paths.reduce((latest, one) => (statSync(one.path).mtimeMs >= statSync(latest.path).mtimeMs ? one : latest));
