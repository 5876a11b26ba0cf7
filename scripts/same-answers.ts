/**
 * Compares the answers of this checkout with those of a commit, byte for byte, after a change that should change none.
 *
 *   DATABASE_URL=postgres://… npm run same-answers -- <commit>
 *
 * The commit creates and fills a temporary database, because it may not accept a control schema of later versions. Both versions run as
 * processes over it. The requests follow from the catalogue, and from rows, cursors and versions that the commit's service returns. This
 * checkout gets each request twice, because responses are cached. Prints the differences. Exits with 1 if there is one, or if a request
 * does not have its expected kind of answer.
 */
import { Agent } from 'node:http';
import { createClient } from './same-answers/client.ts';
import { compare } from './same-answers/compare.ts';
import { loadAgain } from './same-answers/second-load.ts';
import { type Cleanup, checkOut, estate, makeDatabase, startVersion, withCleanup } from './support/versions.ts';

const run = async (commit: string, stop: AbortSignal, cleanup: Cleanup): Promise<boolean> => {
  const agent = new Agent({ keepAlive: true });
  cleanup.push(() => agent.destroy());
  const folder = checkOut(commit, cleanup);
  const { environment, keys } = await makeDatabase(folder, cleanup);
  const first = await startVersion(folder, environment, cleanup);
  const send = createClient(first, keys, agent);
  await loadAgain(send, (...args) => estate(folder, environment, ...args));
  const second = await startVersion(process.cwd(), environment, cleanup);
  stop.throwIfAborted();
  return compare(send, createClient(second, keys, agent), stop);
};

const [commit, ...rest] = process.argv.slice(2);
if (!commit || commit.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run same-answers -- <commit>');
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}`)));
process.exitCode = (await withCleanup((cleanup) => run(commit, stopping.signal, cleanup))) ? 0 : 1;
