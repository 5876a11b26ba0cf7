/** The demo data has not changed: one SHA-256 per source table of a customer, updated only by intended changes. */
import { createHash, type Hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DemoOptions, generateDemo } from '../../demo/generate.ts';
import { rowsText } from '../../src/sync/first-load.ts';

const hashesOf = (options: DemoOptions): string => {
  const hashes = new Map<string, Hash>();
  for (const { table, rows } of generateDemo(options)) {
    const hash = hashes.get(table) ?? createHash('sha256');
    hashes.set(table, hash.update(rowsText(rows)));
  }
  return [...hashes]
    .map(([table, hash]) => `${hash.digest('hex')}  ${table}\n`)
    .sort((a, b) => a.slice(66).localeCompare(b.slice(66)))
    .join('');
};

test.each([
  ['tiny', 1],
  ['tiny', 2],
  ['small', 1],
] as const)(
  '%s with seed %i is the same byte for byte',
  async (scale, seed) => {
    await expect(hashesOf({ scale, seed })).toMatchFileSnapshot(`../goldens/demo-${scale}-${seed}.sha256`);
  },
  // A bound for a test that hangs. It only computes, and a busy machine needs ten times as long as a free one.
  300_000,
);
