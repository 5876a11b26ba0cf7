/**
 * A promoted replica begins a new epoch, because it may lack the last loads of the primary and would assign their versions again (contract:
 * data epochs).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { type Cluster, hasClusters, openDemo, startCluster } from '../support/cluster.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { poolOptions } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

describe.runIf(hasClusters)('a replica that is promoted', () => {
  let primary: Cluster;
  let replica: Cluster;
  let service: TestService;
  let promoted: TestService;
  const deliveries = new Deliveries();
  const paths = ['/raw/person', '/stakeholder/tenants'] as const;

  const rename = async ({ database }: TestService, name: string) => {
    const sheet = await readTableData(database, 'person');
    for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
    await load(database, [deliveries.write('person.csv', asCsv(sheet))]);
  };

  beforeAll(async () => {
    primary = await startCluster();
    const made = await openDemo(primary);
    service = await startServiceOn(made);
    // A load records the location of the data.
    await rename(service, 'On both');
    replica = await primary.replica();
    await primary.isReplayedBy(replica);
  }, 180_000);
  afterAll(async () => {
    await promoted?.stop();
    await service.stop();
    replica.remove();
    primary.remove();
    deliveries.remove();
  });

  const seenBy = (from: TestService) =>
    Promise.all(
      paths.map(async (path) => {
        const { headers } = await from.get(`${path}?limit=3`);
        return { path, etag: headers.get('etag') as string, version: Number(headers.get('x-data-version')) };
      }),
    );
  const differing = async (cluster: Cluster) =>
    (
      await cluster.query(
        `select e.row_xid <> e.xmin as row, e.table_oid <> e.tableoid as table, e.database_oid <> d.oid as database,
           e.system_identifier <> (select system_identifier from pg_control_system()) as cluster
         from estate.epoch e, pg_database d where d.datname = current_database()`,
        'estate',
      )
    )[0];

  test('raises every version above those of the primary, and accepts no earlier tag or version for deltas', async () => {
    // The primary's last load never reaches the replica.
    await replica.query("alter system set primary_conninfo = ''");
    await replica.query('select pg_reload_conf()');
    await expect.poll(() => replica.query('select from pg_stat_wal_receiver')).toEqual([]);
    await rename(service, 'Only on the primary');
    const earlier = await seenBy(service);
    replica.promote();
    // Only the timeline shows that it was promoted.
    expect(await differing(replica)).toEqual({ row: false, table: false, database: false, cluster: false });
    promoted = await startServiceOn(openPostgres(replica.address('estate'), poolOptions));
    expect((await promoted.get('/raw/person?limit=3')).json.data[0].company_name).toBe('On both');
    for (const { path, etag, version } of earlier) {
      const answer = await promoted.get(`${path}?limit=3`, { headers: { 'If-None-Match': etag } });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(Number(answer.headers.get('x-data-version'))).toBeGreaterThan(version);
      expect((await promoted.get(`${path}/deltas?since_version=${version}`)).status).toBe(410);
    }
  });

  test('begins only one epoch; versions then grow by loads', async () => {
    const before = await seenBy(promoted);
    await rename(promoted, 'After the promotion');
    const after = await seenBy(promoted);
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1));
    for (const { path, version } of before) expect((await promoted.get(`${path}/deltas?since_version=${version}`)).status).toBe(200);
  });
});
