/** The demo data is what it was: one SHA-256 per source table of a customer, rewritten only by a change that is meant. */
import { createHash, type Hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DemoOptions, generateDemo } from '../../src/demo/index.ts';
import { copyText } from '../../src/sync/copy-text.ts';

const hashesOf = (options: DemoOptions): string => {
  const hashes = new Map<string, Hash>();
  for (const { table, rows } of generateDemo(options)) {
    const hash = hashes.get(table) ?? createHash('sha256');
    hashes.set(table, hash.update(copyText(rows)));
  }
  return [...hashes]
    .map(([table, hash]) => `${hash.digest('hex')}  ${table}\n`)
    .sort((a, b) => a.slice(66).localeCompare(b.slice(66)))
    .join('');
};

test.each<DemoOptions>([
  { scale: 'tiny', seed: 1 },
  { scale: 'tiny', seed: 2 },
  { scale: 'small', seed: 1 },
])('$scale with seed $seed is the same byte for byte', async (options) => {
  await expect(hashesOf(options)).toMatchFileSnapshot(`../goldens/demo-${options.scale}-${options.seed}.sha256`);
});
