/**
 * Folders for files that live as long as one piece of work: uploads, and rows between two passes. They hold personal data. A process that is
 * killed leaves them, so each start removes those of processes that have ended.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'estate-scratch-';

/** When a process began, in ticks since the system started; undefined if it has ended. Numbers of processes are used again, this pair is not. */
const beginningOf = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program comes first, in parentheses, and may have blanks.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};

const ownName = (): string => `${prefix}${process.pid}-${beginningOf(process.pid) ?? 'unknown'}-`;

/** Makes a folder that only this user can read. */
export const makeScratch = (): string => mkdtempSync(join(tmpdir(), ownName()));

export const removeScratch = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Makes a folder for the time of `work`. */
export const withScratch = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = makeScratch();
  try {
    return await work(folder);
  } finally {
    removeScratch(folder);
  }
};

const isAlive = (pid: number, beginning: string): boolean => {
  const now = beginningOf(pid);
  if (now !== undefined) return beginning === 'unknown' || now === beginning;
  if (beginning !== 'unknown') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Removes the folders of processes that have ended. Returns their number. */
export const sweepScratch = (): number => {
  let removed = 0;
  for (const name of readdirSync(tmpdir())) {
    const [, pid, beginning = ''] = /^estate-scratch-(\d+)-(\w+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid), beginning)) continue;
    try {
      removeScratch(join(tmpdir(), name));
      removed++;
    } catch {
      // The folder belongs to another user.
    }
  }
  return removed;
};
