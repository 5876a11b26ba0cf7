/**
 * The attacker finds gaps: each test breaks one place of the program on purpose. It runs on a server only, because it tests the attacker and not
 * the database, and takes minutes of CPU time.
 */
import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { partOf } from '../support/rounds.ts';
import { type Interface, interfaces } from './requests.ts';

/** Addresses in answers name no port, so that equal answers are equal bytes. */
const samePublicUrl = { environment: { PUBLIC_URL: 'http://localhost:8080' } };

const source = '../../src';

type ResponseCache = { find: (customerId: number, key: string) => unknown; store: (...given: unknown[]) => unknown };

/** A cache whose keys lack the scope of the reader. */
const sharing = (cache: ResponseCache): ResponseCache => {
  const shared = (key: string) => key.replace(/^question\n.*\n/, 'question\n');
  return new Proxy(cache, {
    get: (of, name: keyof ResponseCache) =>
      name === 'find' || name === 'store'
        ? (customerId: number, key: string, ...rest: never[]) =>
            (of[name] as (...given: unknown[]) => unknown).call(of, customerId, shared(key), ...rest)
        : typeof of[name] === 'function'
          ? (of[name] as () => unknown).bind(of)
          : of[name],
  });
};

type Module = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each gap replaces functions of another module
type Break = (original: any) => Module;

const otherRows: Break = ({ propertyPathOf }) => ({
  propertyPathOf: (kind: string, name: string) =>
    ['orders', 'contract_debits', 'tenants'].includes(name) ? 'shared' : propertyPathOf(kind, name),
});

/** Each gap, and the interfaces that must find it by themselves; `interfacesAtOnce` together if there are none. */
const gaps: Readonly<Record<string, readonly [module: string, broken: Break, only?: readonly Interface[]]>> = {
  'rows of other properties in one table': [
    'catalogue/data-scope.ts',
    ({ propertyPathOf }) => ({
      propertyPathOf: (kind: string, name: string) => (name === 'orders' ? 'shared' : propertyPathOf(kind, name)),
    }),
  ],
  'stored row counts as totals': ['catalogue/data-scope.ts', () => ({ isNarrowed: () => false })],
  'tables of persons': ['catalogue/data-scope.ts', () => ({ includesTable: () => true })],
  'a class that counts as readable': [
    'catalogue/data-scope.ts',
    ({ dataScope }) => ({
      dataScope: (...given: unknown[]) => {
        const scope = dataScope(...given);
        return { ...scope, hidden: new Set([...scope.hidden].filter((each) => each !== 'bank')) };
      },
    }),
  ],
  'a column without its mark': [
    'catalogue/tables/stakeholder.ts',
    ({ tenants }) => ({ tenants: { ...tenants, columns: { ...tenants.columns, iban: { ...tenants.columns.iban, personal: undefined } } } }),
  ],
  'related rows': [
    'sql/tables.ts',
    ({ rowsIn }) => ({ rowsIn: (of: object, ...rest: unknown[]) => rowsIn({ ...of, scope: undefined }, ...rest) }),
  ],
  'caches, tags and totals of other keys': ['catalogue/readership.ts', () => ({ scopePart: () => [] })],
  'rows of other properties in bands': ['catalogue/data-scope.ts', otherRows, ['bands']],
  'rows of other properties in series': ['catalogue/data-scope.ts', otherRows, ['series']],
  'rows of other properties in computed values': ['catalogue/data-scope.ts', otherRows, ['computed']],
  'rows of other properties in saved questions': ['catalogue/data-scope.ts', otherRows, ['questions']],
  'rows of other properties in results of agents': ['catalogue/data-scope.ts', otherRows, ['agents']],
  'answers to saved questions of other keys': [
    'graphql/questions/routes.ts',
    ({ questionRoutes }) => ({
      questionRoutes: (app: object, options: { responseCache: ResponseCache }) =>
        questionRoutes(app, { ...options, responseCache: sharing(options.responseCache) }),
    }),
    ['questions'],
  ],
  'agents that lose the scope': [
    'agents/view.ts',
    ({ agentViewOf }) => ({
      agentViewOf: (services: object, request: { caller: object }, reply: object) =>
        agentViewOf(services, Object.create(request, { caller: { value: { ...request.caller, scope: undefined } } }), reply),
    }),
    ['agents'],
  ],
  'row counts in the list of agents': [
    'execute/freshness.ts',
    ({ freshnessOf }) => ({ freshnessOf: (tables: object, stateOf: object) => freshnessOf(tables, stateOf, undefined) }),
    ['agents'],
  ],
  'files of tables of which a key reads a part': ['files/file-tables.ts', () => ({ hasFiles: () => true }), ['files']],
};

/** The interfaces that answer without files or saved questions, which would have to be made first. */
const interfacesAtOnce = interfaces.filter((each) => each !== 'files' && each !== 'questions');

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;
let databases: readonly [TestDatabase, TestDatabase];

/** A database that stays open when a service stops. */
const withoutClose = (database: TestDatabase): TestDatabase => ({ ...database, close: async () => {} });

const hidden = 'a federal state, and contacts only';

/** Finds a leak in a program whose module is replaced. */
const leakOf = async (replaced?: readonly [module: string, broken: Break, only?: readonly Interface[]]) => {
  vi.resetModules();
  register.clear();
  if (replaced) {
    const [module, broken] = replaced;
    vi.doMock(`${source}/${module}`, async (load) => {
      const original = (await load()) as Module;
      return { ...original, ...broken(original) };
    });
  }
  const { attack, cases } = await import('./attack.ts');
  const { startServiceOn } = await import('../support/service.ts');
  const [one, other] = await Promise.all([
    startServiceOn(withoutClose(databases[0]), samePublicUrl),
    startServiceOn(withoutClose(databases[1]), samePublicUrl),
  ]);
  try {
    const only = replaced && (replaced[2] ?? interfacesAtOnce);
    return await attack({ one, other }, cases[hidden]!, { count: replaced ? 5_000 : 300, seed: 5, only });
  } finally {
    await Promise.all([one.stop(), other.stop()]);
    if (replaced) vi.doUnmock(`${source}/${replaced[0]}`);
  }
};

describe.skipIf(!onServer)('the attacker', () => {
  beforeAll(async () => {
    databases = await Promise.all([openTestDatabase(), openTestDatabase()]);
    const { cases, separate } = await import('./attack.ts');
    const { startServiceOn } = await import('../support/service.ts');
    const [one, other] = await Promise.all([
      startServiceOn(withoutClose(databases[0]), samePublicUrl),
      startServiceOn(withoutClose(databases[1]), samePublicUrl),
    ]);
    await separate({ one, other }, cases[hidden]!);
    await Promise.all([one.stop(), other.stop()]);
  });
  afterAll(async () => {
    // Test files share a process. The next file must not get modules that use a broken one.
    vi.resetModules();
    register.clear();
    await Promise.all(databases.map((database) => database.close()));
  });

  test('the program as it is has no gap', { timeout: 300_000 }, async () => {
    expect((await leakOf()).leak).toBeUndefined();
  });

  test.each(partOf(Object.entries(gaps)))('%s', { timeout: 300_000 }, async (name, replaced) => {
    const { asked, leak } = await leakOf(replaced);
    console.log(`${name}: found after ${asked} requests, by a ${leak?.what}`);
    expect(leak).toBeDefined();
  });
});
