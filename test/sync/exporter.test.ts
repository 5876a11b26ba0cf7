/** Rows that exist throughout an export appear exactly once, whatever is loaded meanwhile (contract: raw pages). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { asCsv, Deliveries, load, seededRandom } from './support.ts';

const runs = Number(process.env.SYNC_EXPORTS ?? 5);
const rows = Number(process.env.SYNC_EXPORT_ROWS ?? 2_000);
const pageSize = Math.max(50, Math.round(rows / 100));

let service: TestService;
const deliveries = new Deliveries();
const newTables = { key: 'id', tier: 'basic' } as const;

/** Rows with even keys always exist, rows with odd keys change. */
const deliver = (pick: (max: number) => number, folder: Deliveries) => {
  const values: string[][] = [];
  for (let id = 0; id < rows; id++) if (id % 2 === 0 || pick(2) === 0) values.push([String(id), `value ${pick(5)}`]);
  // In any order, because a source need not sort.
  if (pick(2) === 0) values.reverse();
  return folder.write('export_test.csv', asCsv({ columns: ['id', 'value'], rows: values }));
};

beforeAll(async () => {
  service = await startService();
  await load(service.database, [deliver(seededRandom(0), deliveries)], { newTables });
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

test.each(Array.from({ length: runs }, (_, n) => n + 1))('export %i', { timeout: 120_000 }, async (seed) => {
  const pick = seededRandom(seed);
  let isOver = false;
  let loads = 0;
  const loading = (async () => {
    do {
      await load(service.database, [deliver(pick, deliveries)]);
      loads++;
    } while (!isOver);
  })();
  const seen = new Map<number, number>();
  let last = -1;
  const versions = new Set<string | null>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json, headers } = await service.get(`/raw/export_test?limit=${pageSize}&cursor=${cursor}`);
    versions.add(headers.get('x-data-version'));
    for (const { id } of json.data) {
      expect(id).toBeGreaterThan(last);
      last = id;
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    cursor = json.next_cursor;
  }
  isOver = true;
  await loading;
  const wrong = Array.from({ length: rows / 2 }, (_, n) => n * 2).filter((id) => seen.get(id) !== 1);
  expect(wrong).toEqual([]);
  expect(loads).toBeGreaterThan(0);
  expect(versions.size).toBeGreaterThan(0);
});
