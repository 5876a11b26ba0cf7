/**
 * One process at a time has a folder: a lock file names it by its pid and by when it started, since pids come again after a
 * crash or a restart of the machine, and every container counts its own.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const ps = (pid: number, field: string): string | undefined => {
  try {
    const options = { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, stdio: 'pipe' } as const;
    return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], options).trim();
  } catch {
    return undefined;
  }
};

/** When a process started, in words that no other process of that pid has; undefined where the system does not tell. */
const startOf = (pid: number): string | undefined => {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return ps(pid, 'lstart');
  // Behind the name, which may hold blanks: the 22nd field, counted in ticks since the machine started.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${read('/proc/sys/kernel/random/boot_id')?.trim()} ${ticks}`;
};

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`) ?? ps(pid, 'command') ?? 'node';

/** The process that a lock names, if it has the folder still. */
const holderOf = (lock: string): number | undefined => {
  const [, digits = '', started] = /^(\d+)(?: (.+))?$/.exec(lock.trim()) ?? [];
  const pid = Number(digits);
  if (pid === 0 || !isAlive(pid)) return undefined;
  if (started !== undefined) return [undefined, started].includes(startOf(pid)) ? pid : undefined;
  // A pid alone was written by an earlier version, which ran in Node.
  return pid !== process.pid && commandOf(pid).includes('node') ? pid : undefined;
};

/** Moves a lock out of the way that nobody holds; if another process was faster, its lock stays. */
const removeStale = (file: string, lock: string): void => {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== lock) linkSync(aside, file);
  } catch {
    // It has been moved or put back already.
  }
  rmSync(aside, { force: true });
};

/** Makes the lock whole at once, so that nobody finds it empty; false if there is one. */
const make = (file: string, own: string): boolean => {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, own);
  try {
    linkSync(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
};

const attempts = 10;

/** Takes the folder for this process and gives what releases it. Throws an `OperatorError` that names the process which has it. */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  const own = `${process.pid} ${startOf(process.pid) ?? ''}`.trim();
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (make(file, own)) return () => rmSync(file, { force: true });
    const lock = read(file);
    if (lock === undefined) continue;
    const holder = holderOf(lock);
    if (holder !== undefined)
      throw new OperatorError(
        `The embedded database in ${folder} is in use by process ${holder}. Stop that process first, or set DATABASE_URL to a PostgreSQL server, which many processes can share.`,
      );
    removeStale(file, lock);
  }
  throw new OperatorError(`The lock of the embedded database in ${folder} cannot be taken: other processes are after it too.`);
};
