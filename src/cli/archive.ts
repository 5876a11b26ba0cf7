/** `estate sync --archive`: moves the files of a load that is done into a folder of their own, so that the next run does not find them. */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { OperatorError } from '../errors.ts';

/** A file that is moved, and its place within the archived delivery. */
export interface ArchivedFile {
  readonly path: string;
  readonly name: string;
}

/** The files of a folder and its subfolders. */
export const filesIn = (folder: string): ArchivedFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(folder, path) }));

/** Files that were named one by one; a name that occurs twice keeps its folder. */
export const filesNamed = (paths: readonly string[]): ArchivedFile[] => {
  const names = paths.map((path) => basename(path));
  return paths.map((path, index) => {
    const name = names[index]!;
    return { path, name: names.indexOf(name) === names.lastIndexOf(name) ? name : join(basename(dirname(resolve(path))), name) };
  });
};

/** Throws an `OperatorError` if the archive is in a folder of the delivery, where the next load would find it. */
export const refuseArchiveWithin = (archive: string, paths: readonly string[]): void => {
  for (const path of paths) {
    const isWithin = !relative(resolve(path), resolve(archive)).startsWith('..');
    if (isWithin && statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new OperatorError('--archive names a folder outside of the delivery.');
  }
};

const move = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    // A rename does not cross file systems.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
};

/** Moves the files into a new subfolder that is named for the time. Throws an `OperatorError` if that fails; the load is done then. */
export const archiveFiles = (archive: string, files: readonly ArchivedFile[], now = new Date()): void => {
  const folder = join(archive, now.toISOString().replaceAll(':', '').replace('.', ''));
  try {
    mkdirSync(folder, { recursive: true });
    for (const { path, name } of files) move(path, join(folder, name));
  } catch (error) {
    throw new OperatorError(`The load is done, but its files are not all in the archive: ${(error as NodeJS.ErrnoException).code}.`);
  }
};
