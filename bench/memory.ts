import { readFileSync } from 'node:fs';

/** Megabytes of memory that a process has now (`VmRSS`) or had at most (`VmHWM`). */
export const memoryOf = (pid: number | undefined, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
