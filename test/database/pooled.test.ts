/** Behind PgBouncer in transaction mode every answer equals the answer without it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keepsNamedStatements } from '../../src/database/connections/named-statements.ts';
import { checkPooledSettings } from '../../src/database/connections/pooled.ts';
import { leaseMs } from '../../src/database/control/publications.ts';
import { openDatabase, openToServe } from '../../src/service.ts';
import { type Cluster, hasClusters, openDemo, startCluster } from '../support/cluster.ts';
import { hasPgbouncer, startPgbouncer, supportsPreparedStatements } from '../support/pgbouncer.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

const modes = supportsPreparedStatements ? ['off', 'on'] : ['off'];

describe.runIf(hasClusters && hasPgbouncer).each(modes)('DATABASE_DIRECT_URL and PREPARED_STATEMENTS=%s', (prepared) => {
  let cluster: Cluster;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let service: TestService;
  let plain: TestService;
  const deliveries = new Deliveries();
  const environment = () => ({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${pooler.port}/estate`,
    DATABASE_DIRECT_URL: cluster.address('estate'),
    PREPARED_STATEMENTS: prepared,
    KEY_SECRET: testSecret,
  });

  beforeAll(async () => {
    cluster = await startCluster();
    await (await openDemo(cluster)).close();
    pooler = await startPgbouncer(cluster.port);
  }, 180_000);
  afterAll(async () => {
    await plain?.stop();
    await service?.stop();
    await pooler.stop();
    cluster.remove();
    deliveries.remove();
  });

  test('a pooler that loses named statements is noticed', async () => {
    const { DATABASE_URL, DATABASE_DIRECT_URL } = environment();
    expect(await keepsNamedStatements(DATABASE_URL)).toBe(supportsPreparedStatements);
    expect(await keepsNamedStatements(DATABASE_DIRECT_URL)).toBe(true);
  });

  test('a role without the session settings gets instructions', async () => {
    const database = await openToServe(readConfig(environment()));
    const refusal = await checkPooledSettings(database, 60_000).then(
      () => '',
      (error: Error) => error.message,
    );
    await database.close();
    const statements = refusal.split('\n').filter((line) => line.startsWith('alter role'));
    expect(statements).toContain("alter role postgres set intervalstyle = 'iso_8601';");
    expect(statements).toContain("alter role postgres set statement_timeout = '60000ms';");
    await cluster.query(statements.join('\n'));
    await pooler.stop();
    pooler = await startPgbouncer(cluster.port);
    const again = await openToServe(readConfig(environment()));
    await checkPooledSettings(again, 60_000);
    service = await startServiceOn(again, { environment: environment() });
    plain = await startServiceOn(await openDatabase(readConfig(environment())), { environment: environment() });
  });

  test('many concurrent requests over two sessions have the same answers as without it', async () => {
    const query = encodeURIComponent('{ orders(first: 3) { totalCount nodes { __typename } } }');
    const all = [
      '/operations/orders?limit=20',
      '/operations/orders?limit=5000',
      '/raw/person?limit=3',
      '/catalog',
      `/graphql?query=${query}`,
    ];
    const expected = new Map(await Promise.all(all.map(async (path) => [path, (await plain.get(path)).text] as const)));
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const path = all[index % all.length] as string;
        return { path, ...(await service.get(path)) };
      }),
    );
    for (const { path, status, text } of answers) {
      expect([path, status]).toEqual([path, 200]);
      expect(text).toBe(expected.get(path));
    }
  });

  test('a load uses the server directly, and is noticed at once', async () => {
    const before = (await service.get('/stakeholder/tenants?limit=1')).headers.get('etag');
    const direct = await openDatabase(readConfig(environment()));
    const sheet = await readTableData(direct, 'person');
    for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = 'Through the pooler';
    await load(direct, [deliveries.write('person.csv', asCsv(sheet))], { announceMs: leaseMs });
    await direct.close();
    const answer = await service.get('/stakeholder/tenants?limit=1', { headers: { 'If-None-Match': before ?? '' } });
    expect([answer.status, answer.text.includes('Through the pooler')]).toEqual([200, true]);
  });
});
