/**
 * Counts the files and functions of `src/` that one request executes, from V8's precise coverage.
 *
 *   DATABASE_URL=postgres://… npm run bench -- coverage [--files]
 *
 * The database needs a customer `demo` (`estate demo --customer demo --scale tiny`). The requests of a kind differ from each other, so no
 * cache answers them. Only functions that each measured request executes are counted. So the renewal of a lease in the background does
 * not count.
 */
import { type Profiler, Session } from 'node:inspector/promises';
import { createService, keySecret, openToServe } from '../src/service.ts';
import { config, issueKey } from './support/key.ts';

const listsFiles = process.argv.includes('--files');

const root = new URL('../src/', import.meta.url).href;

const orders = 'orders(first: 20) { nodes { orderId totalNet property { entrance orders(first: 3) { nodes { orderId } } } } }';

const measured = 3;

/** The kinds of requests. `number` makes each request different. */
const kinds: Readonly<Record<string, (number: number) => { readonly url: string; readonly query?: string }>> = {
  'REST page': (number) => ({ url: `/operations/orders?limit=20&offset=${number}` }),
  'GraphQL document': (number) => ({ url: '/graphql', query: `query Number${number} { ${orders} }` }),
};

/** The executed functions of each file. */
type Executed = ReadonlyMap<string, ReadonlySet<string>>;

const executed = (coverage: readonly Profiler.ScriptCoverage[]): Executed => {
  const files = new Map<string, Set<string>>();
  for (const { url, functions } of coverage) {
    if (!url.startsWith(root)) continue;
    // A module's own body is a function that covers the whole file. It runs when the file is loaded. `__name` is a helper of the compiler.
    const names = functions.flatMap(({ functionName, ranges: [whole] }) =>
      whole && whole.count > 0 && whole.startOffset > 0 && functionName !== '__name' ? [`${functionName}@${whole.startOffset}`] : [],
    );
    if (names.length > 0) files.set(url.slice(root.length), new Set(names));
  }
  return files;
};

const inBoth = (one: Executed, other: Executed): Executed =>
  new Map(
    [...one].flatMap(([file, names]) => {
      const common = new Set([...names].filter((name) => other.get(file)?.has(name)));
      return common.size > 0 ? [[file, common] as const] : [];
    }),
  );

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
  for (const [name, requestOf] of Object.entries(kinds)) {
    await send(requestOf(0));
    const runs: Executed[] = [];
    for (let number = 1; number <= measured; number++) {
      // Renews the version lease. On a busy machine, each measured request would renew it, and count that.
      await send({ url: '/me' });
      await session.post('Profiler.takePreciseCoverage');
      await send(requestOf(number));
      const { result } = await session.post('Profiler.takePreciseCoverage');
      runs.push(executed(result));
    }
    const files = runs.reduce(inBoth);
    const functions = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    console.log(`${name}: ${files.size} files, ${functions} functions`);
    if (listsFiles) for (const [file, { size }] of [...files].sort()) console.log(`  ${file} ${size}`);
  }
} finally {
  session.disconnect();
  await app.close();
  await revoke();
  await database.close();
}
