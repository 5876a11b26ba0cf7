/** What the system says of a process. */
import { readFileSync } from 'node:fs';

/** Megabytes of memory that a process has now (`VmRSS`) or had at most (`VmHWM`). */
export const memoryOf = (pid: number | undefined, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const tickMs = 10;

/** Milliseconds that a process has computed, in steps of ten. */
export const cpuOf = (pid: number | undefined): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may hold blanks itself: user and system time are the twelfth and the thirteenth.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
};
