/**
 * After a restore from a backup, no cache and no copy is silently wrong, because versions belong to a new epoch (contract: data epochs;
 * deltas).
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { refresh } from '../../examples/keep-a-copy.mjs';
import { CustomerStore } from '../../src/access/customers.ts';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { citusOf } from '../../src/database/cluster/citus.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { ensureEpoch, ensureVersions } from '../../src/database/control/epoch.ts';
import { loadLockSpace } from '../../src/database/load-lock.ts';
import { prepareDatabase } from '../../src/database/prepare.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { runEstate } from '../support/program.ts';
import { isCluster } from '../support/server-databases.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { keys, poolOptions, testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from './support.ts';

// Dumps and restores are processes, several per test.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const deliveries = new Deliveries();
afterAll(() => deliveries.remove());

/** Everyone's company has this name. */
const rename = async (database: Database, name: string): Promise<void> => {
  const sheet = await readTableData(database, 'person');
  for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
  await load(database, [deliveries.write('person.csv', asCsv(sheet))]);
};

const tables = ['/raw/person', '/stakeholder/tenants'] as const;

/** The tags and versions that clients store. */
interface Remembered {
  readonly path: string;
  readonly etag: string;
  readonly version: number;
}

const remember = async (service: TestService): Promise<Remembered[]> => {
  await shown(service);
  return Promise.all(
    tables.map(async (path) => {
      const { headers } = await service.get(`${path}?limit=3`);
      return { path, etag: headers.get('etag') as string, version: Number(headers.get('x-data-version')) };
    }),
  );
};

/** Asserts that nothing of an earlier epoch counts as current. */
const expectForgotten = async (service: TestService, earlier: readonly Remembered[]): Promise<void> => {
  for (const { path, etag, version } of earlier) {
    expect((await service.get(`${path}/deltas?since_version=${version}`)).status, `${path} ${version}`).toBe(410);
    expect((await service.get(`${path}/deltas?since_version=${version}&limit=5000`)).status).toBe(410);
    expect((await service.get(`${path}/deltas?since_version=${version}`, { method: 'HEAD' })).status).toBe(410);
    expect((await service.get(`${path}?limit=3`, { headers: { 'If-None-Match': etag } })).status).toBe(200);
  }
  await expectPresent(service);
};

/** The first company of the raw table and of a document, requested without a condition, so that the response may be cached. */
const shown = async ({ get, url }: TestService): Promise<readonly (string | null)[]> => {
  const query = '{ tenants(first: 3) { nodes { name } } }';
  const document = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': keys.nordEnterprise },
    body: JSON.stringify({ query }),
  });
  return [(await get('/raw/person?limit=3')).json.data[0].company_name, (await document.json()).data.tenants.nodes[0].name];
};

/** Asserts that responses show the current rows, for a first and a repeated request. */
const expectPresent = async (service: TestService): Promise<void> => {
  const { rows } = await service.database.pool.query(`select company_name from customer_nord.person order by person_id limit 1`);
  const name = rows[0].company_name;
  for (let n = 0; n < 2; n++) expect(await shown(service)).toEqual([name, name]);
};

/** Asserts that versions grow by loads and that deltas connect them. */
const expectGrowth = async (service: TestService): Promise<void> => {
  const before = await remember(service);
  await rename(service.database, 'Nach der Wiederherstellung');
  const after = await remember(service);
  expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1));
  for (const { path, version } of before) {
    const { status, json } = await service.get(`${path}/deltas?since_version=${version}&limit=100000`);
    expect([status, json.to_version]).toEqual([200, version + 1]);
    expect(json.upserts.length).toBeGreaterThan(0);
    expect(Number.isSafeInteger(version)).toBe(true);
  }
};

const run = promisify(execFile);

const isOnCluster = await isCluster(process.env.DATABASE_URL);

// A cluster is restored from base backups of all nodes, which `npm run citus -- operating` does.
describe.runIf(onServer && !isOnCluster)('a dump of a PostgreSQL database', () => {
  let service: TestService;
  let dump: string;
  let lifeA: Remembered[];
  let lifeB: Remembered[];
  let afterB: string;

  /** A is loaded and dumped, then B is loaded, which the dump does not contain. */
  beforeAll(async () => {
    service = await startService();
    dump = join(deliveries.folder, 'dump');
    await rename(service.database, 'A');
    lifeA = await remember(service);
    await run('pg_dump', ['-Fc', '-f', dump, service.database.address as string]);
    await rename(service.database, 'B');
    lifeB = await remember(service);
    afterB = (await service.get('/changes?since=2000-01-01')).json.generated_at;
  });
  afterAll(() => service.stop());

  test('restored over its database, under a running service, with C loaded at once', async () => {
    const copy = {};
    await refresh(copy, `${service.url}/raw/person`, 'person_id', keys.nordEnterprise);
    await run('pg_restore', ['--clean', '--if-exists', '-d', service.database.address as string, dump]);
    await rename(service.database, 'C');
    await expectForgotten(service, [...lifeA, ...lifeB]);
    await refresh(copy, `${service.url}/raw/person`, 'person_id', keys.nordEnterprise);
    const { json } = await service.get('/raw/person?limit=100000');
    expect([...(copy as { rows: Map<unknown, unknown> }).rows.values()]).toEqual(json.data);
    expect(json.data[0].company_name).toBe('C');
    await expectGrowth(service);
  });

  test.each<[what: string, ask: (service: TestService) => Promise<unknown>]>([
    ['answers that it keeps', expectPresent],
    [
      'a conditional request',
      async ({ get }) => expect((await get('/raw/person', { headers: { 'If-None-Match': '"x"' } })).status).toBe(200),
    ],
    ['deltas', async ({ get }) => expect((await get(`/raw/person/deltas?since_version=${lifeB[0]?.version}`)).status).toBe(410)],
    [
      '/changes',
      async ({ get }) => {
        const { json } = await get(`/changes?since=${afterB}`);
        expect(json.changes.map(({ table }: { table: string }) => table)).toContain('orders');
      },
    ],
  ])('a running service that serves %s notices the restore', async (_what, ask) => {
    await run('pg_restore', ['--clean', '--if-exists', '-d', service.database.address as string, dump]);
    await ask(service);
    await expectForgotten(service, [...lifeA, ...lifeB]);
    for (const { version } of await remember(service)) expect(version).toBeGreaterThan(2 ** 40);
  });

  test('its rows only, put back into its tables', async () => {
    await run('pg_restore', ['--clean', '--if-exists', '-d', service.database.address as string, dump]);
    await rename(service.database, 'C');
    const lifeC = await remember(service);
    const { rows } = await service.database.pool.query(
      `select string_agg(format('%I.%I', schemaname, tablename), ', ') as all from pg_tables where schemaname in ('estate', 'customer_nord', 'customer_sued')`,
    );
    // The log and the kept sources refuse this even to their owner, who must disable the triggers first.
    const growing = ['estate.audit_log', 'estate.kept_sources'];
    for (const table of growing) await service.database.pool.query(`alter table ${table} disable trigger only_grows`);
    await service.database.pool.query(`truncate ${rows[0].all}`);
    await run('pg_restore', ['--data-only', '--disable-triggers', '-d', service.database.address as string, dump]);
    for (const table of growing) await service.database.pool.query(`alter table ${table} enable always trigger only_grows`);
    await rename(service.database, 'D');
    await expectForgotten(service, [...lifeA, ...lifeB, ...lifeC]);
  });

  test('restored into a fresh database', async () => {
    const admin = new pg.Client({ connectionString: process.env.DATABASE_URL as string });
    await admin.connect();
    const name = `${new URL(service.database.address as string).pathname.slice(1)}_fresh`;
    await admin.query(`create database ${name}`);
    const address = new URL(service.database.address as string);
    address.pathname = name;
    const fresh = openPostgres(address.href, poolOptions);
    try {
      await run('pg_restore', ['-d', address.href, dump]);
      const restored = await startServiceOn(fresh);
      try {
        await rename(fresh, 'C');
        await expectForgotten(restored, [...lifeA, ...lifeB]);
        await expectGrowth(restored);
      } finally {
        await restored.stop();
      }
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  });
});

describe.runIf(onServer)('a dump of one customer', () => {
  // As in docs/operating.md. Without Citus, neither the setting nor the distribution does anything.
  const plainSchemas = { PGOPTIONS: '-c citus.enable_schema_based_sharding=off' };

  test('restored alone, under a running service', async () => {
    const service = await startService();
    const address = service.database.address as string;
    const dump = join(deliveries.folder, 'nord');
    const other = async () => (await service.get('/raw/person?limit=1', { key: keys.suedEnterprise })).headers.get('x-data-version');
    try {
      const before = await other();
      await rename(service.database, 'A');
      const lifeA = await remember(service);
      await run('pg_dump', ['-Fc', '-n', 'customer_nord', '-f', dump, address]);
      await rename(service.database, 'B');
      const lifeB = await remember(service);
      await service.database.pool.query('drop schema customer_nord cascade');
      await run('pg_restore', ['-d', address, dump], { env: { ...process.env, ...plainSchemas } });
      await citusOf(service.database).distributeCustomers();
      await expectForgotten(service, [...lifeA, ...lifeB]);
      await expectGrowth(service);
      expect(await other()).toBe(before);
    } finally {
      await service.stop();
    }
  });
});

describe.skipIf(onServer)('the folder of the embedded database, copied back', () => {
  test('begins a new epoch after `estate restored`', async () => {
    const { openEmbedded } = await import('../../src/database/embedded/embedded.ts');
    const folder = mkdtempSync(join(tmpdir(), 'estate-restore-'));
    const data = join(folder, 'data');
    /** Runs `work` on the service over the folder. */
    const withService = async <T>(work: (service: TestService) => Promise<T>): Promise<T> => {
      const database = await openEmbedded(data);
      await prepareDatabase(database);
      const service = await startServiceOn(database);
      return work(service).finally(() => service.stop());
    };
    try {
      const key = await withService(async ({ database }) => {
        const customer = await new CustomerStore(database).add(catalogue, { slug: 'nord', name: 'Nord', tier: 'enterprise' });
        return (await new KeyStore(database, testSecret).create({ customer, tier: 'enterprise' })).key;
      });
      const row = (name: string) =>
        `person_id,person_type_key,company_name,created_at,changed_at\n1,company,${name},2024-01-01T00:00:00Z,2024-01-01T00:00:00Z\n`;
      const deliver = (name: string) =>
        withService(async ({ database, get }) => {
          await load(database, [deliveries.write('person.csv', row(name))]);
          const { headers } = await get('/raw/person', { key });
          return { etag: headers.get('etag') as string, version: headers.get('x-data-version') };
        });
      await deliver('A');
      cpSync(data, join(folder, 'backup'), { recursive: true });
      const lifeB = await deliver('B');
      rmSync(data, { recursive: true });
      cpSync(join(folder, 'backup'), data, { recursive: true });
      expect(await runEstate(['restored'], { DATA_DIR: data })).toMatchObject({ code: 0, err: '' });
      const lifeC = await deliver('C');
      expect(lifeC.version).not.toBe(lifeB.version);
      await withService(async ({ get }) => {
        expect((await get('/raw/person', { key, headers: { 'If-None-Match': lifeB.etag } })).status).toBe(200);
        expect((await get(`/raw/person/deltas?since_version=${lifeB.version}`, { key })).status).toBe(410);
        // A table that was never loaded has no earlier version.
        expect((await get('/raw/order_hdr/deltas?since_version=0', { key })).status).toBe(200);
        expect((await get('/raw/order_hdr/deltas?since_version=1', { key })).status).toBe(410);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('epochs', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const versions = async (): Promise<Map<number, number>> => {
    const { rows } = await database.pool.query<{ id: number; version: number }>('select id, version from customer_nord._datasets');
    return new Map(rows.map(({ id, version }) => [id, version]));
  };

  test('in any order of loads and restores, versions only grow', async () => {
    let names = 0;
    const { id, schema_name: schema } = await findCustomer(database, 'nord');
    const raised = (when?: 'in any case') =>
      withClient(database.pool, async (client) => {
        await ensureEpoch(client, when);
        await ensureVersions(client, { id, schema });
      });
    const steps = { load: () => rename(database, `Firma ${names++}`), restored: () => raised('in any case'), nothing: () => raised() };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])), { maxLength: 5 }), async (order) => {
        for (const step of order) {
          const before = await versions();
          await steps[step]();
          const grown = [...(await versions())].filter(([id, version]) => {
            expect(version).toBeGreaterThanOrEqual(before.get(id) as number);
            return version > (before.get(id) as number);
          });
          if (step === 'restored') expect(grown.length).toBe([...before.values()].filter((version) => version > 0).length);
          if (step === 'load') for (const [id, version] of grown) expect(version).toBe((before.get(id) as number) + 1);
          if (step === 'nothing') expect(grown).toEqual([]);
        }
      }),
      { numRuns: 6, seed: 1 },
    );
  });

  test.runIf(onServer)('a role that may not read the control file compares what it can, and changes nothing', async () => {
    await withClient(database.pool, (client) => ensureEpoch(client));
    const before = await versions();
    const client = await database.pool.connect();
    const role = `estate_limited_${process.pid}`;
    try {
      await client.query('revoke execute on function pg_catalog.pg_control_system() from public');
      await client.query('begin');
      await client.query(`create role ${role} nosuperuser`);
      await client.query(`grant usage on schema estate to ${role}`);
      await client.query(`grant all on all tables in schema estate to ${role}`);
      await client.query('commit');
      await client.query(`set role ${role}`);
      expect(await ensureEpoch(client)).toBe(false);
      await client.query('reset role');
      expect(await ensureEpoch(client)).toBe(false);
      expect(await versions()).toEqual(before);
    } finally {
      await client.query('reset role');
      await client.query('grant execute on function pg_catalog.pg_control_system() to public');
      await client.query(`drop owned by ${role}`);
      await client.query(`drop role ${role}`);
      client.release();
    }
  });

  test.runIf(onServer)('`estate restored` waits for a running load', async () => {
    const { rows } = await database.pool.query(`select id from estate.customers where slug = 'nord'`);
    const client = await database.pool.connect();
    try {
      await client.query('select pg_advisory_lock($1, $2)', [loadLockSpace, rows[0].id]);
      await expect(withClient(database.pool, (other) => ensureEpoch(other, 'in any case'))).rejects.toThrow('A load of nord is running');
    } finally {
      await client.query('select pg_advisory_unlock_all()');
      client.release();
    }
    const announced = await database.pool.query('select 1 from estate.publications where announced_at is not null');
    expect(announced.rows).toEqual([]);
  });
});
