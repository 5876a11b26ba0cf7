/** Filters over half a million rows: filters without a match, and the filters without an index of each table. */

import { config, issueKey } from '../../scripts/support/key.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable } from '../../src/catalogue/table.ts';
import { fetchAnswer } from '../client.ts';
import { type Figure, keyOf, ms, timeOf, withCustomer, withService } from './estate.ts';
import { fill } from './rows.ts';

const rows = 500_000;

const measureRequest = (url: string, key: string, path: string): Promise<number> =>
  timeOf(async () => {
    await (await fetchAnswer(url + path, { headers: { 'X-API-Key': key } })).arrayBuffer();
  });

/** Both values are common, but no order has both. */
const contradiction = '/operations/orders?order_type=insurance_damage&is_insurance_claim=false&limit=100';

/** Uses the customer `bench` of `DATABASE_URL`. */
export const measureNothing = async (): Promise<Figure[]> => {
  const { key, revoke } = await issueKey('bench');
  try {
    return await withService({ DATABASE_URL: config.DATABASE_URL }, async ({ url }) => {
      await measureRequest(url, key, '/operations/orders?limit=100');
      const first = await measureRequest(url, key, contradiction);
      const figure = `${ms(first)}, again ${ms(await measureRequest(url, key, contradiction))}`;
      return [['filters that match none of 500,000 orders', figure]];
    });
  } finally {
    await revoke();
  }
};

const required = { fiscal_year: '2024', property_id: '(n * 7919) % 50' };

/** Every optional filter of a table, with 100 matching rows. */
const measureTable = (name: 'booking_header' | 'booking_positions'): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    await fill(url, name, rows, required);
    const key = await keyOf(location, 'bench');
    const table = catalogue.tables.get(name)!;
    const parameters = new URLSearchParams(table.requiredFilters.map((column) => [column, column === 'fiscal_year' ? '2024' : '7']));
    const path = (more: string) => `${pathOfTable(table)}?${parameters}&limit=100${more}`;
    return withService(location, async ({ url: address }) => {
      const sample = await fetchAnswer(address + path('').replace('limit=100', 'limit=1'), { headers: { 'X-API-Key': key } });
      const [row = {}] = (await sample.json()) as Record<string, unknown>[];
      const figures: (readonly [column: string, first: number])[] = [];
      for (const column of table.filters)
        if (!table.requiredFilters.includes(column))
          figures.push([column, await measureRequest(address, key, path(`&${column}=${row[column]}`))]);
      const slowest = figures.toSorted(([, one], [, other]) => other - one).slice(0, 4);
      const plain = ms(await measureRequest(address, key, path('')));
      const said = slowest.map(([column, first]) => `${column} ${ms(first)}`).join(', ');
      return [[`\`${name}\`, 500,000 rows: slowest filters`, `${said}; only the required ones ${plain}`]];
    });
  });

export const measureTables = async (): Promise<Figure[]> => [
  ...(await measureTable('booking_header')),
  ...(await measureTable('booking_positions')),
];
