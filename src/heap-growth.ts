/**
 * Lets the heap grow by a smaller share between collections while it is large (decision 080).
 *
 * A small share bounds the memory of unusual requests, but collections then take a large part of the CPU time.
 */
import type { Server } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const checkedEveryMs = 50;
/** The difference between the two limits avoids frequent changes. */
const highBytes = 120 * 2 ** 20;
const lowBytes = 100 * 2 ** 20;
/** An open connection raises both limits by the memory of a request that waits on it. */
const bytesPerConnection = 25 * 2 ** 10;

const whileSmall = ['--heap-growing-percent=50', '--incremental-marking-hard-trigger=0'];
/** Marking starts early, because objects that are created during the marking survive the collection. */
const whileLarge = ['--heap-growing-percent=15', '--incremental-marking-hard-trigger=50'];

/** Starts the checks. They do not keep the process alive. */
export const limitHeapGrowth = (server: Server): void => {
  let isLarge: boolean | undefined;
  const check = (connections: number): void => {
    const bytes = getHeapStatistics().total_heap_size - connections * bytesPerConnection;
    const becomesLarge = isLarge ? bytes > lowBytes : bytes > highBytes;
    if (becomesLarge === isLarge) return;
    isLarge = becomesLarge;
    for (const flag of isLarge ? whileLarge : whileSmall) setFlagsFromString(flag);
  };
  setInterval(() => server.getConnections((_error, count) => check(count ?? 0)), checkedEveryMs).unref();
};
