/** A copy that follows deltas equals its table after any load (contract: deltas), and so do the published tables. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadDemo } from '../../demo/load.ts';
import { refresh, refreshAll } from '../../examples/keep-a-copy.mjs';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { onServer } from '../support/database.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { loadRandomDelivery } from './random-load.ts';
import { asCsv, Deliveries, expectPublished, load, readTableData, seededRandom, type TableData } from './support.ts';

// Tables longer than a page are loaded and copied several times.
vi.setConfig({ testTimeout: 180_000 });

const loads = rounds(40);

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

/** Follows the deltas from the copy's version, in pages of a few entries. */
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

  test('category tables equal their projections and copies equal their tables', { timeout: 600_000 }, async () => {
    const pick = seededRandom(seed);
    const copies: Copy[] = [];
    for (const [path, key] of watched) {
      const { headers } = await service.get(path, { method: 'HEAD' });
      copies.push({ rows: await download(path, key), version: headers.get('x-data-version') as string });
    }
    for (let n = 1; n <= loads; n++) {
      await loadRandomDelivery(service.database, deliveries, pick);
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
    // The loads have changed the watched tables.
    for (const { version } of copies) expect(Number(version)).toBeGreaterThan(loads / 8);
  });
});

describe('the program in examples/keep-a-copy.mjs', () => {
  const reload = (table: string, sheet: TableData) => load(service.database, [deliveries.write(`${table}.csv`, asCsv(sheet))]);

  /** Rows like the first one with new keys, so that the table is longer than a page. */
  const lengthen = (sheet: TableData, own: Readonly<Record<string, (n: number) => string>>): void => {
    for (let n = 1; n <= 10_050; n++) {
      const row = [...sheet.rows[0]!];
      for (const [column, value] of Object.entries(own)) row[sheet.columns.indexOf(column)] = value(n);
      sheet.rows.push(row);
    }
  };
  const numbered = (n: number) => String(5_000_000 + n);

  test.each([
    ['/raw/person', 'person_id', 'person', 'last_name', { person_id: numbered }],
    ['/stakeholder/owner', 'owner_id', 'owner_hdr', 'account_holder', {}],
    ['/operations/orders', 'order_id', 'order_hdr', 'subject', { order_hdr_id: numbered }],
    ['/accounting/kontenmapping_ranges', 'range_id', 'kontenmapping', 'comment', { kontenmapping_id: numbered }],
  ] as const)('keeps a copy of %s: downloads, follows and starts again', async (path, id, raw, column, own) => {
    const sheet = await readTableData(service.database, raw);
    if (Object.keys(own).length > 0) lengthen(sheet, own);
    await reload(raw, sheet);
    const address = `${service.url}${path}`;
    const copy: Copy = {};
    /** Compares with one page of the whole table. */
    const expectCopy = async () => {
      const { json, headers } = await service.get(`${path}?limit=100000`);
      const rows: Row[] = json.data ?? json;
      expect(copy.rows?.size).toBe(rows.length);
      expect(copy.rows).toEqual(new Map(rows.map((row) => [row[id], row])));
      expect(String(copy.version)).toBe(headers.get('x-data-version'));
    };
    await refresh(copy, address, id, keys.nordEnterprise);
    await expectCopy();

    const at = sheet.columns.indexOf(column);
    sheet.rows.splice(-2, 1);
    for (const row of sheet.rows.slice(2)) row[at] = 'Umbenannt';
    await reload(raw, sheet);
    await refresh(copy, address, id, keys.nordEnterprise);
    await expectCopy();

    copy.version = '0';
    copy.rows = new Map([[-1, {}]]);
    await refresh(copy, address, id, keys.nordEnterprise);
    await expectCopy();
  });

  test('a table without cursors that changes between two pages is downloaded again', async () => {
    const sheet = await readTableData(service.database, 'kontenmapping');
    expect(sheet.rows.length).toBeGreaterThan(10_000);
    const path = '/accounting/kontenmapping_ranges';
    const copy: Copy = {};
    const { fetch } = globalThis;
    let pages = 0;
    // Rows of the first page are deleted, so that all later rows move up.
    globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      if (++pages === 1) await reload('kontenmapping', { ...sheet, rows: sheet.rows.slice(40) });
      return answer;
    };
    try {
      await refresh(copy, `${service.url}${path}`, 'range_id', keys.nordEnterprise);
    } finally {
      globalThis.fetch = fetch;
    }
    expect(copy.rows).toEqual(await download(path, 'range_id'));
    expect(pages).toBe(4);
  });

  test('names the failed address and the reason', async () => {
    const address = `${service.url}/accounting/booking_header`;
    await expect(refresh({}, address, 'booking_header_id', keys.nordEnterprise)).rejects.toThrow(`${address}?limit=10000: 400`);
  });

  // The embedded database takes 30 to 60 seconds to load scale small.
  const scale = onServer ? 'small' : 'tiny';

  test(`copies all category tables at scale ${scale} in at most 32 requests, and then asks for changed tables only`, {
    timeout: 600_000,
  }, async () => {
    const { database } = service;
    await loadDemo({ database, catalogue, secret: testSecret }, 'klein', { scale, seed: 1 });
    const customer = await findCustomer(database, 'klein');
    const { key } = await new KeyStore(database, testSecret).create({ customer, tier: 'enterprise' });
    const { fetch } = globalThis;
    let requests = 0;
    globalThis.fetch = (...request) => {
      requests++;
      return fetch(...request);
    };
    const copies: Record<string, Copy> = {};
    try {
      await refreshAll(copies, service.url, key);
      expect(requests).toBeLessThanOrEqual(32);
      requests = 0;
      await refreshAll(copies, service.url, key);
      expect(requests).toBe(1);
    } finally {
      globalThis.fetch = fetch;
    }
    const { tables } = (await service.get('/me', { key })).json;
    const counts = new Map(
      tables.map(({ endpoint_url, row_count }: { endpoint_url: string; row_count: number }) => [endpoint_url, row_count]),
    );
    const rawOf: Readonly<Record<string, string>> = {
      '/accounting/booking_header': '/raw/booking_hdr',
      '/accounting/booking_positions': '/raw/booking_pos',
    };
    const category = [...catalogue.tables.values()].map(({ category, name }) => `/${category}/${name}`);
    for (const path of category) {
      const copy = copies[rawOf[path] ?? path];
      expect([path, copy?.rows?.size]).toEqual([path, counts.get(path)]);
    }
  });
});
