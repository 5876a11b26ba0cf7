/** Ends the test process when a mutant runs an endless loop. The timers of that process cannot run then. */
import { Worker } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';

const timeoutMs = expect.getState().testPath?.endsWith('.unit.test.ts') ? 20_000 : 60_000;
const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${timeoutMs})`;
const watchdog = new Worker(kill, { eval: true });
watchdog.unref();
afterAll(async () => {
  await watchdog.terminate();
});
