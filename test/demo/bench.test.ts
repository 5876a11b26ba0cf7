/** The bench scale of the benchmarks has exactly its documented rows. It takes too long for a unit test. */
import { expect, test } from 'vitest';
import { generateDemo } from '../../demo/generate.ts';
import { propertyCounts, unitCount, volumes } from '../../demo/scale.ts';
import type { RawTableName } from '../../src/catalogue/raw/index.ts';

test('has the same four units and the same counts in each of its 5,000 properties', () => {
  expect(volumes.bench.properties).toBe(5000);
  for (const index of [0, 1, 2, 4999]) {
    expect(unitCount(volumes.bench, index)).toBe(4);
    expect(propertyCounts(volumes.bench, index)).toMatchObject({ equipment: 10, notifications: 40, offers: 40, orders: 100 });
  }
});

test('has the exact counts', { timeout: 300_000 }, () => {
  const counts = new Map<RawTableName, number>();
  for (const { table, rows } of generateDemo({ scale: 'bench' })) counts.set(table, (counts.get(table) ?? 0) + rows.length);
  const wanted = { property_hdr: 5000, to_hdr: 50_000, report_hdr: 200_000, offer_hdr: 200_000, order_hdr: 500_000 };
  expect(Object.fromEntries(counts)).toMatchObject(wanted);
  expect(counts.get('budget_pos')).toBeGreaterThan(100_000);
});
