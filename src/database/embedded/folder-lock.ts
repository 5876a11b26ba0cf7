/**
 * A lock file gives a folder to one process. It records the pid and the start time, because pids are reused after a crash or a restart, and
 * each container has its own.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';

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

/** The start time of a process as text; undefined if the system does not provide it. */
const startOf = (pid: number): string | undefined => {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return ps(pid, 'lstart');
  // Field 22 of the line, in clock ticks since boot. The process name before it may contain spaces.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${read('/proc/sys/kernel/random/boot_id')?.trim()} ${ticks}`;
};

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`) ?? ps(pid, 'command') ?? 'node';

/** The living process that holds the lock, if there is one. */
const holderOf = (lock: string): number | undefined => {
  const [, digits = '', started] = /^(\d+)(?: (.+))?$/.exec(lock.trim()) ?? [];
  const pid = Number(digits);
  if (pid === 0 || !isAlive(pid)) return undefined;
  if (started !== undefined) return [undefined, started].includes(startOf(pid)) ? pid : undefined;
  // Earlier versions wrote the pid alone; those processes are Node processes.
  return pid !== process.pid && commandOf(pid).includes('node') ? pid : undefined;
};

/** Removes an abandoned lock. The lock of a faster process stays. */
const removeStale = (file: string, lock: string): void => {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== lock) linkSync(aside, file);
  } catch {
    // Another process has already moved or restored the file.
  }
  rmSync(aside, { force: true });
};

/** Creates the lock file atomically, with its content. Returns false if the file exists. */
const make = (file: string, own: string): boolean => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, own);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

const attempts = 10;

/** Locks the folder for this process and returns a function that releases it. Throws an `OperatorError` that names the holder. */
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
