import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instants, invalidInstants } from '../support/instants.ts';
import { startService, type TestService } from '../support/service.ts';
import { specifiedTables, sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const sql = sqlOn(service);
  await sql("update customer_nord._datasets set changed_at = '2024-01-01', synced_at = '2024-06-01'");
  await sql(
    "update customer_nord._datasets set changed_at = '2024-03-01 12:00:00.123', synced_at = '2024-03-02', row_count = 7, version = 3 where name = 'owner'",
  );
  await sql("update customer_nord._datasets set changed_at = '2024-05-01' where name = 'accounts'");
  await sql("update customer_nord._datasets set changed_at = null, synced_at = null where name = 'tenants'");
});
afterAll(() => service.stop());

const changes = (since: string) => service.get(`/changes?since=${encodeURIComponent(since)}`);
const tables = async (since: string): Promise<string[]> => (await changes(since)).json.changes.map(({ table }: { table: string }) => table);

describe('since is parsed strictly (contract: since)', () => {
  test.each(instants)('%j is %s', async (text, instant) => {
    const { status, json } = await changes(text);
    expect([status, json.since]).toEqual([200, instant]);
  });

  test.each(invalidInstants)('%j is refused', async (text) => {
    const { status, json } = await changes(text);
    expect([status, json.detail]).toEqual([422, 'query -> since: Input should be a valid ISO 8601 date or date and time']);
  });

  test.each([
    ['/changes', 422],
    ['/changes?Since=2024-01-01', 422],
    ['/changes?since=', 422],
    ['/changes?since=2024-01-01T12:00:00+02:00', 422],
    ['/changes?since=2024-01-01T12:00:00%2B02:00', 200],
    ['/changes?since=2024-01-01+12:00:00', 200],
    ['/changes?since=2024-01-01&since=never', 422],
    ['/changes?since=never&since=2024-01-01', 200],
    ['/changes?since=2024-01-01&limit=x&colour=red', 200],
  ])('%s: %i', async (path, status) => {
    expect((await service.get(path)).status).toBe(status);
  });
});

describe('tables whose data changed at or after since (contract: changes)', () => {
  test('an entry contains the path of the table and the time of its change', async () => {
    const { headers, json } = await changes('2024-03-01T12:00:00.123Z');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(json)).toEqual(['since', 'generated_at', 'changes']);
    expect(Math.abs(Date.parse(json.generated_at) - Date.now())).toBeLessThan(60_000);
    expect(json.changes[1]).toMatchObject({
      category: 'stakeholder',
      table: 'owner',
      endpoint_url: '/stakeholder/owner',
      synced_at: '2024-03-02T00:00:00.000Z',
      changed_at: '2024-03-01T12:00:00.123Z',
      row_count: 7,
    });
  });

  test.each([
    ['2024-03-01T12:00:00.123Z', ['accounts', 'owner']],
    ['2024-03-01T12:00:00.124Z', ['accounts']],
    ['2024-03-01T13:00:00.123+01:00', ['accounts', 'owner']],
    // Synced later, but without a change.
    ['2024-05-31', []],
    ['9999-12-31', []],
  ])('since %s: %j', async (since, expected) => {
    expect(await tables(since)).toEqual(expected);
  });

  test('they have catalogue order, and a table that was never loaded is not included', async () => {
    const categoryTables = specifiedTables.map(([, table]) => table).filter((table) => table !== 'tenants');
    expect(await tables('2023-01-01')).toEqual(categoryTables);
  });
});
