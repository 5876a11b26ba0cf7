/**
 * Counts the files and functions of `src/` that one request executes, from V8's precise coverage.
 *
 *   DATABASE_URL=postgres://… npm run coverage:request [-- --files]
 *
 * The database needs a customer `demo` (`estate demo --customer demo --scale tiny`). Each measured request differs from the one before, so
 * no cache answers it.
 */
import { type Profiler, Session } from 'node:inspector/promises';
import { createService, keySecret, openToServe } from '../src/service.ts';
import { config, issueKey } from '../tools/key.ts';

const listsFiles = process.argv.includes('--files');

const root = new URL('../src/', import.meta.url).href;

const orders = 'orders(first: 20) { nodes { orderId totalNet property { entrance orders(first: 3) { nodes { orderId } } } } }';

/** A preceding request, and the measured request of the same kind. */
const requests = {
  'REST page': [{ url: '/operations/orders?limit=20&offset=1' }, { url: '/operations/orders?limit=20&offset=2' }],
  'GraphQL document': [
    { url: '/graphql', query: `query Before { ${orders} }` },
    { url: '/graphql', query: `query Counted { ${orders} }` },
  ],
} as const;

const executed = (coverage: readonly Profiler.ScriptCoverage[]): ReadonlyMap<string, number> => {
  const files = new Map<string, number>();
  for (const { url, functions } of coverage) {
    if (!url.startsWith(root)) continue;
    // A module's own body is an unnamed function that covers the whole file. It runs when the file is loaded.
    const count = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length;
    if (count > 0) files.set(url.slice(root.length), count);
  }
  return files;
};

const database = await openToServe(config);
const app = createService({ ...config, RATE_LIMIT: 0 }, { database, secret: keySecret(config), logger: false });
const { key, revoke } = await issueKey('demo');
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const send = async (request: { readonly url: string; readonly query?: string }) => {
  const response = await fetch(`${url}${request.url}`, {
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(request.query && { method: 'POST', body: JSON.stringify({ query: request.query }) }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"')) throw new Error(`${request.url}: ${response.status} ${text.slice(0, 300)}`);
};

const session = new Session();
session.connect();
try {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for (const [name, [before, counted]] of Object.entries(requests)) {
    await send(before);
    await session.post('Profiler.takePreciseCoverage');
    await send(counted);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files = executed(result);
    const functions = [...files.values()].reduce((sum, each) => sum + each, 0);
    console.log(`${name}: ${files.size} files, ${functions} functions`);
    if (listsFiles) for (const [file, count] of [...files].sort()) console.log(`  ${file} ${count}`);
  }
} finally {
  session.disconnect();
  await app.close();
  await revoke();
  await database.close();
}
