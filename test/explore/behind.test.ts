/**
 * The rows behind the figures of groups, for random groups of every table: where the page leads to rows, they are exactly those of the figure. Their
 * number and their sum equal the figure (contract: explore page).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { sumOf } from '../../src/web/browser/charts/decimals.ts';
import { Figure, isObject, type JsonObject, parseExact } from '../../src/web/browser/exact.ts';
import { rowsBehind } from '../../src/web/explore/app/view/behind.ts';
import { restAddress, type View, viewOfTable } from '../../src/web/explore/app/view/view.ts';
import type { DescribedTable, Description } from '../../src/web/explore/described.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
let description: Description;
beforeAll(async () => {
  service = await startService();
  description = (await service.get('/explore/description', { key: keys.nordEnterprise })).json as Description;
});
afterAll(() => service.stop());

/** Random numbers of a seed (mulberry32). */
const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000));
let state = seed;
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const some = <T>(values: readonly T[], most: number): readonly T[] => [
  ...new Set(Array.from({ length: Math.floor(random() * most) + 1 }, () => oneOf(values))),
];

const read = async (address: string): Promise<{ readonly rows: readonly JsonObject[]; readonly total: number }> => {
  const { status, text, headers } = await service.get(address.replaceAll('+', '%2B'), { key: keys.nordEnterprise });
  expect([address, status, status === 200 ? '' : text]).toEqual([address, 200, '']);
  return { rows: (parseExact(text) as readonly JsonObject[]).filter(isObject), total: Number(headers.get('x-total-count')) };
};

const buckets: Readonly<Record<string, readonly string[]>> = {
  date: ['', ':day', ':week', ':month', ':quarter', ':year', ':age(30,90,365)', ':age(0,1,on=2025-06-30)'],
  timestamp: [':day', ':week', ':month', ':quarter', ':year', ':age(30,90,365)'],
  number: [':ranges(0,1000,5000)', ':ranges(-10.5)', ':width(500)'],
};

/** Keys, values and conditions of a random view of groups. */
const randomView = (table: DescribedTable): { readonly view: View; readonly sum: string | undefined } => {
  const targets = table.relations.filter(({ kind }) => kind === 'to-one');
  const related = targets.flatMap(({ name, target }) => {
    const found = description.tables.find((each) => each.name === target);
    return found ? [...found.columns.map((column) => ({ path: `${name}.${column.name}`, column }))] : [];
  });
  const paths = [...table.columns.map((column) => ({ path: column.name, column })), ...related];
  const keyOf = ({ path, column }: (typeof paths)[number]) => `${path}${oneOf(buckets[column.kind] ?? [''])}`;
  const series = table.validity && random() < 0.5 ? ['as_of:quarter(2024-03-01,2025-12-31)'] : [];
  const by = [...series, ...some(paths, 2).map(keyOf)];
  const quantities = table.columns.filter(({ isQuantity }) => isQuantity).map(({ name }) => name);
  const sum = quantities.length > 0 ? oneOf(quantities) : undefined;
  const conditioned = table.columns.find(({ codes }) => codes);
  const code = conditioned?.codes && description.codes[conditioned.codes]?.[0]?.value;
  const value = [
    ...(conditioned && code ? [`part:count(${conditioned.name}!=${code})`] : []),
    ...(sum ? [`most:sum(${sum},${sum}>=100)`] : []),
  ];
  const periods = by.filter((key) => /:(?:day|week|month|quarter|year)(?:\(|$)/.test(key));
  if (periods.length === 1) value.push('before:previous(count)');
  return {
    view: viewOfTable(table.category, table.name, {
      shows: 'groups',
      by,
      hasCount: true,
      values: sum ? [{ list: 'sum', of: sum }] : [],
      where: sum && random() < 0.3 ? [`${sum}>0`] : [],
      others: value.length > 0 ? [['value', value.join()]] : [],
    }),
    sum,
  };
};

/** What the rows of a view say about a figure: their number or their exact sum. */
const figureOfRows = async (rows: View, figure: string, sum: string | undefined): Promise<string> => {
  const isSum = sum !== undefined && (figure === `sum_${sum}` || figure === 'most');
  const answer = await read(restAddress(rows, isSum ? [sum] : [], [['limit', isSum ? '100000' : '1']]));
  if (!isSum) return String(answer.total);
  const values = answer.rows.map((row) => row[sum]).filter((value) => value instanceof Figure);
  return values.length === 0 ? '' : sumOf(values.map(({ text }) => text));
};

const plain = (text: string): string => (text === '' ? '' : String(Number(text)));

test('200 random figures have the number and the sum of the rows behind them', async () => {
  const tables = description.tables;
  const kinds = new Set<string>();
  let [compared, without] = [0, 0];
  while (compared < 200) {
    const table = oneOf(tables);
    const { view, sum } = randomView(table);
    // Some combinations are refused, such as a name that two keys have.
    const asked = await service.get(restAddress(view, [], [['limit', '200']]).replaceAll('+', '%2B'), { key: keys.nordEnterprise });
    if (asked.status !== 200) {
      expect([restAddress(view), asked.status]).toEqual([restAddress(view), 422]);
      continue;
    }
    const groups = (parseExact(asked.text) as readonly JsonObject[]).filter(isObject);
    if (groups.length === 0) continue;
    const row = oneOf(groups);
    const figures = Object.entries(row).filter(([, value]) => value instanceof Figure);
    for (const [figure, value] of figures) {
      if (!['count', 'part', 'most', 'before', `sum_${sum}`].includes(figure)) continue;
      const behind = rowsBehind({ view, table, description }, row, figure);
      if (!behind) {
        without += 1;
        continue;
      }
      const found = await figureOfRows(behind, figure, sum);
      expect([seed, restAddress(view), restAddress(behind), figure, plain(found)]).toEqual([
        seed,
        restAddress(view),
        restAddress(behind),
        figure,
        plain((value as Figure).text),
      ]);
      compared += 1;
      kinds.add(figure.startsWith('sum_') ? 'sum' : figure);
    }
  }
  expect([...kinds].sort()).toEqual(['before', 'count', 'most', 'part', 'sum']);
  // Most figures lead to their rows.
  expect(without).toBeLessThan(compared);
});

test('there are no rows behind measures, computed values, and groups without a related row', () => {
  const table = description.tables.find(({ name }) => name === 'orders')!;
  const view = viewOfTable('operations', 'orders', {
    shows: 'groups',
    by: ['creditor.name'],
    hasCount: true,
    values: [{ list: 'measure', of: 'maintenance_cost_per_sqm' }],
    others: [['value', 'part:share(count),place:rank(count),two:ratio(count,sum_total_net)']],
  });
  const row = { creditor_name: 'A' };
  const found = ['count', 'sum_total_net', 'maintenance_cost_per_sqm', 'part', 'place', 'two'].map(
    (figure) => rowsBehind({ view, table, description }, row, figure) !== undefined,
  );
  expect(found).toEqual([true, true, false, false, false, false]);
  expect(rowsBehind({ view, table, description }, { creditor_name: null }, 'count')).toBeUndefined();
});

test('tables that are read by certain columns have rows behind a figure only with these columns', () => {
  const table = description.tables.find(({ name }) => name === 'booking_positions')!;
  expect(catalogue.tables.get('booking_positions')!.requiredFilters).toEqual(table.required);
  const part = { shows: 'groups', by: ['property_id'], hasCount: true } as const;
  const row = { property_id: new Figure('1001') };
  const behind = (where: readonly string[]) =>
    rowsBehind({ view: viewOfTable('accounting', 'booking_positions', { ...part, where }), table, description }, row, 'count')?.where;
  expect(behind([])).toBeUndefined();
  expect(behind(['fiscal_year=2025'])).toEqual(['fiscal_year=2025', 'property_id=1001']);
});
