/**
 * A coordinator and two workers of Citus until Ctrl-C, for the tests and for trials:
 *
 *   npm run citus -- serve
 *   DATABASE_URL=<the address that it prints> npx vitest run test/rest
 */
import { once } from 'node:events';
import { startNodes, withCitus } from '../support/citus.ts';

await withCitus(async (binaries, cleanup) => {
  const { address, plain } = await startNodes(binaries, cleanup);
  console.log(`Citus: ${address}\nplain: ${plain}`);
  // Node.js ends a process that waits for signals alone.
  const keptAlive = setInterval(() => {}, 2 ** 30);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(keptAlive);
});
