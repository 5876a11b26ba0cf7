import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { cursorColumn, type Table } from '../../src/catalogue/table.ts';
import { startService, type TestService } from '../support/service.ts';
import { requiredFilters, sqlOn } from '../support/specification.ts';

let service: TestService;
const values = new Map<string, string[]>();

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Values of a column, as a client writes them. */
const valuesOf = async (table: Table, column: string): Promise<string[]> => {
  const name = `${table.name}.${column}`;
  if (!values.has(name)) {
    const rows = await sqlOn(service)(
      `select distinct "${column}"::text as value from customer_nord."${table.name}" where "${column}" is not null order by 1 limit 50`,
    );
    values.set(
      name,
      rows.map(({ value }) => value),
    );
  }
  return values.get(name) as string[];
};

interface Query {
  readonly table: Table;
  readonly filters: readonly (readonly [filter: number, value: number])[];
  readonly pages: number;
  readonly more: number;
  readonly byCursor: boolean;
}

const query: fc.Arbitrary<Query> = fc.record({
  table: fc.constantFrom(...catalogue.tables.values()),
  filters: fc.array(fc.tuple(fc.nat(30), fc.nat(50)), { maxLength: 2 }),
  pages: fc.integer({ min: 1, max: 7 }),
  more: fc.integer({ min: 0, max: 3 }),
  byCursor: fc.boolean(),
});

const parametersOf = async ({ table, filters }: Query): Promise<URLSearchParams> => {
  const parameters = new URLSearchParams(requiredFilters[table.name]);
  for (const [filter, value] of filters) {
    const column = table.filters[filter % table.filters.length] as string;
    const known = await valuesOf(table, column);
    if (known.length > 0 && !parameters.has(column)) parameters.set(column, known[value % known.length] as string);
  }
  return parameters;
};

/** Follows the headers from page to page. Returns the rows of all pages as one array. */
const walk = async (
  path: string,
  parameters: URLSearchParams,
  { byCursor, limit, total }: { byCursor: boolean; limit: number; total: number },
) => {
  const pages: string[] = [];
  const next = new URLSearchParams(parameters);
  next.set('limit', String(limit));
  for (let seen = 0; ; ) {
    const { status, headers, text, json } = await service.get(`${path}?${next}`);
    seen += json?.length;
    const following = headers.get(byCursor ? 'x-next-cursor' : 'x-next-offset');
    expect([status, headers.get('x-total-count'), headers.get('x-has-more')]).toEqual([200, String(total), String(seen < total)]);
    expect(following !== null).toBe(byCursor ? json.length === limit : seen < total);
    if (json.length > 0) pages.push(text.slice(1, -1));
    if (following === null) return `[${pages.join(',')}]`;
    next.set(byCursor ? 'cursor' : 'offset', following);
  }
};

test('all pages together equal the one large page, for any table, filters, limit and method of paging (contract: sort order)', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const { table, pages, more } = asked;
      const path = `/${table.category}/${table.name}`;
      const parameters = await parametersOf(asked);
      const whole = await service.get(`${path}?${parameters}&limit=100000`);
      const total: number = whole.json.length;
      expect([whole.status, whole.headers.get('x-total-count')]).toEqual([200, String(total)]);

      const where = [...parameters].map(([column], index) => `"${column}"::text = $${index + 1}`);
      const sorted = await sqlOn(service)(
        `select "${table.key}"::text as key from customer_nord."${table.name}" where ${['true', ...where].join(' and ')}
         order by ${table.sort.map((column) => `"${column}"`).join(', ')}`,
        [...parameters.values()],
      );
      expect(whole.json.map((row: Record<string, unknown>) => String(row[table.key]))).toEqual(sorted.map(({ key }) => key));

      const limit = Math.ceil(total / pages) + more || 1;
      const byCursor = asked.byCursor && cursorColumn(table) !== undefined;
      expect((await walk(path, parameters, { byCursor, limit, total })) === whole.text).toBe(true);
      if (total <= 1000) expect((await service.get(`${path}?${parameters}&limit=1000`)).text === whole.text).toBe(true);
    }),
    { numRuns: 30 },
  );
});
