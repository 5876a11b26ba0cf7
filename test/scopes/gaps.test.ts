/** The attacker finds gaps: each test breaks one place of the program on purpose. */
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../support/database.ts';

const source = '../../src';

type Module = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each gap replaces functions of another module
type Break = (original: any) => Module;

const gaps: Readonly<Record<string, readonly [module: string, broken: Break]>> = {
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
  'caches, tags and totals of other keys': ['plan/plan.ts', () => ({ scopePart: () => [] })],
};

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;
let databases: readonly [TestDatabase, TestDatabase];

const hidden = 'a federal state, and contacts only';

beforeAll(async () => {
  databases = await Promise.all([openTestDatabase(), openTestDatabase()]);
  const { cases, separate } = await import('./attack.ts');
  const { startServiceOn } = await import('../support/service.ts');
  const [one, other] = await Promise.all([startServiceOn(databases[0]), startServiceOn(databases[1])]);
  await separate({ one, other }, cases[hidden]!);
  await Promise.all([one.app.close(), other.app.close()]);
});
afterAll(async () => {
  // Test files share a process. The next file must not get modules that use a broken one.
  vi.resetModules();
  register.clear();
  await Promise.all(databases.map((database) => database.close()));
});

/** Finds a leak in a program whose module is replaced. */
const leakOf = async (replaced?: readonly [module: string, broken: Break]) => {
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
  const [one, other] = await Promise.all([startServiceOn(databases[0]), startServiceOn(databases[1])]);
  try {
    return await attack({ one, other }, cases[hidden]!, replaced ? 5_000 : 300, 5);
  } finally {
    await Promise.all([one.app.close(), other.app.close()]);
    if (replaced) vi.doUnmock(`${source}/${replaced[0]}`);
  }
};

test('the program as it is has no gap', { timeout: 300_000 }, async () => {
  expect((await leakOf()).leak).toBeUndefined();
});

test.each(Object.entries(gaps))('%s', { timeout: 300_000 }, async (name, replaced) => {
  const { asked, leak } = await leakOf(replaced);
  console.log(`${name}: found after ${asked} requests, by a ${leak?.what}`);
  expect(leak).toBeDefined();
});
