/** Memory and CPU time of a process, from `/proc`. */
import { readFileSync } from 'node:fs';

/** Current (`VmRSS`) or peak (`VmHWM`) memory of a process in megabytes. */
export const memoryOf = (pid: number | undefined, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Memory in megabytes that a process does not share with others. */
export const privateMemoryOf = (pid: number): number =>
  Number(/^Private_Dirty:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;

const tickMs = 10;

/** CPU time of a process in milliseconds, in steps of ten. */
export const cpuOf = (pid: number | undefined): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may contain blanks. After it, user and system time are fields 12 and 13.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
};
