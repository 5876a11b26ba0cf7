/** A copy kept by deltas alone equals its table, whatever was loaded (semantics 34); so do the published tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refresh } from '../../examples/keep-a-copy.mjs';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { loadAtRandom } from './random-load.ts';
import { asCsv, chance, Deliveries, expectPublished, load, sheetOf } from './support.ts';

const loads = Number(process.env.SYNC_LOADS ?? 40);
const seed = Number(process.env.SYNC_SEED ?? 1);

interface Row {
  readonly [column: string]: unknown;
}
interface Copy {
  rows?: Map<unknown, Row>;
  version?: number | string;
}

let service: TestService;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

/** All rows of a table, by key. */
const download = async (path: string, key: string): Promise<Map<unknown, Row>> => {
  const { json } = await service.get(`${path}?limit=100000`);
  const rows: Row[] = Array.isArray(json) ? json : json.data;
  return new Map(rows.map((row) => [row[key], row]));
};

/** Follows a walk of deltas from the copy's version, in pages of a few entries. */
const follow = async (path: string, key: string, copy: Copy): Promise<void> => {
  let to: number | undefined;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json } = await service.get(`${path}/deltas?since_version=${copy.version}&limit=3&cursor=${cursor}`);
    expect(status).toBe(200);
    for (const row of json.upserts) copy.rows?.set(row[key], row);
    for (const gone of json.deletes) copy.rows?.delete(gone);
    to ??= json.to_version;
    expect(json.to_version).toBe(to);
    cursor = json.next_cursor;
  }
  copy.version = to as number;
};

describe(`after each of ${loads} random loads`, () => {
  const watched = [
    ['/raw/person', 'person_id'],
    ['/raw/order_hdr', 'order_hdr_id'],
    ['/operations/orders', 'order_id'],
    ['/operations/notifications', 'report_hdr_id'],
    ['/property/property_structure', 'floor_area_id'],
    ['/stakeholder/tenants', 'tenant_id'],
    ['/stakeholder/creditor', 'creditor_id'],
  ] as const;

  test('category tables are their projections and copies are their tables', { timeout: 600_000 }, async () => {
    const pick = chance(seed);
    const copies: Copy[] = [];
    for (const [path, key] of watched) {
      const { headers } = await service.get(path, { method: 'HEAD' });
      copies.push({ rows: await download(path, key), version: headers.get('x-data-version') as string });
    }
    for (let n = 1; n <= loads; n++) {
      await loadAtRandom(service.database, deliveries, pick);
      if (n % 10 === 0 || n === loads) await expectPublished(service.database);
      for (const [index, [path, key]] of watched.entries()) {
        // Some copies fall behind by several versions.
        if (pick(2) === 0 && n < loads) continue;
        const copy = copies[index] as Copy;
        await follow(path, key, copy);
        expect(Object.fromEntries(copy.rows as Map<string, Row>), `${path} after load ${n}`).toEqual(
          Object.fromEntries(await download(path, key)),
        );
      }
    }
    // The loads did reach what is watched.
    for (const { version } of copies) expect(Number(version)).toBeGreaterThan(loads / 8);
  });
});

describe('the program in examples/keep-a-copy.mjs', () => {
  const rowsOf = async () => download('/raw/person', 'person_id');
  const address = () => `${service.url}/raw/person`;

  test('downloads, follows and starts over', async () => {
    const copy: Copy = {};
    await refresh(copy, address(), 'person_id', keys.nordEnterprise);
    expect(copy.rows).toEqual(await rowsOf());

    const sheet = await sheetOf(service.database, 'person');
    sheet.rows[0]![sheet.columns.indexOf('last_name')] = 'Umbenannt';
    await load(service.database, [deliveries.write('person.csv', asCsv(sheet))]);
    await refresh(copy, address(), 'person_id', keys.nordEnterprise);
    expect(copy.rows).toEqual(await rowsOf());

    copy.version = '0';
    copy.rows = new Map([[-1, {}]]);
    await refresh(copy, address(), 'person_id', keys.nordEnterprise);
    expect(copy.rows).toEqual(await rowsOf());
  });
});
