/**
 * Measures how cost grows with customers, keys, rows and changes. Runs the named parts, or all of them.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- growth [<part>…] [--customers <maximum>]
 *
 * `offset`, `nothing`, `gzip`, `columns` and `embedded` need a customer `bench` (`estate demo --customer bench --scale bench`). The others create
 * their own databases. The results replace the lines of the same name in `docs/performance.md`.
 */
import { parseArgs } from 'node:util';
import { measure as customers } from './growth/customers.ts';
import { measure as embedded } from './growth/embedded.ts';
import type { Figure } from './growth/estate.ts';
import { measureNothing, measureTables } from './growth/filters.ts';
import { measure as keys } from './growth/keys.ts';
import { measure as largeLoads } from './growth/large-loads.ts';
import { measure as loads } from './growth/loads.ts';
import { measureColumns, measureCompression, measureOffset } from './growth/pages.ts';
import { measure as portal } from './growth/portal.ts';
import { measure as search } from './growth/search.ts';
import { writeFigures } from './report.ts';

const { values, positionals } = parseArgs({ options: { customers: { type: 'string', default: '10000' } }, allowPositionals: true });

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  customers: () => customers({ max: Number(values.customers) }),
  keys,
  portal,
  nothing: measureNothing,
  offset: measureOffset,
  filters: measureTables,
  search,
  loads,
  largeLoads,
  embedded,
  gzip: measureCompression,
  columns: measureColumns,
};

for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const measure = parts[name];
  if (!measure) throw new Error(`There is no part ${name}: they are ${Object.keys(parts).join(', ')}`);
  const figures = await measure();
  for (const [what, figure] of figures) console.log(`${what}: ${figure}`);
  writeFigures(figures);
}
