/**
 * NaN and infinite values count as null (contract: values that are not finite): in existing category rows, and in category rows that are
 * published from raw rows with such values.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { kinds } from '../../src/catalogue/kinds.ts';
import { isSeriesDay, measuresOf } from '../../src/catalogue/measures/measure-formula.ts';
import { measures } from '../../src/catalogue/measures/measures.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { RawTable } from '../../src/catalogue/raw-table.ts';
import { pathOfTable } from '../../src/catalogue/table.ts';
import { projection } from '../../src/database/ddl.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import { plainAggregates as aggregates } from '../../src/plan/vocabulary/values.ts';
import { dataOf } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { Deliveries, load } from '../sync/support.ts';

let service: TestService;
const deliveries = new Deliveries();
// biome-ignore lint/suspicious/noExplicitAny: rows have any shape
const sql = async (text: string): Promise<any[]> => (await service.database.pool.query(text)).rows;

/** SQL that sets a column of a kind to a value that is not finite; undefined if the kind has none. */
const notFinite = { number: `'NaN'`, date: `'infinity'`, timestamp: `'-infinity'` } as Readonly<Record<string, string>>;

/** SQL that makes every date of a table infinite and every number NaN. */
const assignmentsOf = (table: string): string =>
  Object.entries(catalogue.tables.get(table)!.columns)
    .flatMap(([column, { kind }]) => (notFinite[kind] ? [`"${column}" = ${notFinite[kind]}`] : []))
    .join(', ');

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const formulaOf = ({ name, table }: (typeof measures)[number]) =>
  measuresOf(table, (each) => catalogue.relations.get(each) ?? []).find((measure) => measure.name === name)!;

describe('category rows with such values', () => {
  describe('every date is infinite and every number NaN', () => {
    /** The tables of all measures, and those that they follow relations to. */
    const changed = new Set(
      measures.flatMap((measure) => [
        measure.table,
        ...formulaOf(measure).formula.flatMap((part) =>
          typeof part === 'string' || isSeriesDay(part) ? [] : part.via.map(({ target }) => target),
        ),
      ]),
    );
    beforeAll(async () => {
      for (const each of changed) {
        await sql(`create table public."${each}" as table customer_nord.${each}`);
        await sql(`update customer_nord.${each} set ${assignmentsOf(each)}`);
      }
    });
    afterAll(async () => {
      for (const each of changed) {
        await sql(`truncate customer_nord.${each}`);
        await sql(`insert into customer_nord.${each} select * from public."${each}"`);
        await sql(`drop table public."${each}"`);
      }
    });

    test.each(measures)('$name answers', async (measure) => {
      const { name, table } = measure;
      const { needsDay } = formulaOf(measure);
      const path = `${pathOfTable(catalogue.tables.get(table)!)}/groups`;
      const series = needsDay ? '&by=as_of:year(2024-12-31,2024-12-31)' : '';
      for (const query of [`measure=${name}`, `measure=${name}&by=property_id&order=-${name}`])
        expect((await service.get(`${path}?${query}${series}`)).status).toBe(200);
      const field = `${camelCase(table)}Groups`;
      const asOf = needsDay ? 'asOf: { every: YEAR, from: "2024-12-31", to: "2024-12-31" },' : '';
      await dataOf(
        service,
        `{ ${field}(${asOf} orderBy: [{ measure: ${name.toUpperCase()}, direction: DESC }]) { groups { ${needsDay ? 'asOf' : ''} measures { ${camelCase(name)} } } } }`,
      );
    });
  });

  describe('groups of orders', () => {
    beforeAll(() =>
      sql(`update customer_nord.orders set total_net = case order_id % 3 when 0 then 'NaN' when 1 then null else total_net end,
        order_date = case order_id % 4 when 0 then 'infinity' when 1 then '-infinity' when 2 then null else order_date end,
        created_at = case order_id % 4 when 0 then 'infinity' when 1 then '-infinity' else created_at end`),
    );
    const groups = async (query: string) => {
      const { status, json } = await service.get(`/operations/orders/groups?${query}`);
      expect(status).toBe(200);
      return json;
    };

    test.each([
      ['total_net', 'total_net', `nullif(total_net, 'NaN')`],
      ['order_date', 'order_date', 'case when isfinite(order_date) then order_date end'],
      ['order_date:month', 'order_date_month', `date_trunc('month', case when isfinite(order_date) then order_date end)`],
      ['created_at:year', 'created_at_year', `date_trunc('year', case when isfinite(created_at) then created_at end)`],
    ])('as the key %s they form the group of null, which comes last', async (by, name, value) => {
      const counts = await sql(`select count(*)::int as count from customer_nord.orders group by ${value} order by ${value}`);
      for (const order of ['', `&order=-${name}`]) {
        const found = await groups(`by=${by}&count&limit=10000${order}`);
        expect(found.filter((group: Record<string, unknown>) => group[name] === null)).toHaveLength(1);
        expect(found.at(-1)[name]).toBeNull();
        expect(found.at(-1).count).toBe(counts.at(-1).count);
        expect(found).toHaveLength(counts.length);
      }
    });

    test('pages of groups continue past them by cursor', async () => {
      const whole = await groups('by=order_date,total_net&limit=10000');
      const found = [];
      for (let next: string | undefined = '/operations/orders/groups?by=order_date,total_net&limit=100'; next; ) {
        const { json, headers }: Awaited<ReturnType<TestService['get']>> = await service.get(next);
        found.push(...json);
        const link = headers.get('Link');
        next = link?.slice(1, link.indexOf('>'));
      }
      expect(found).toEqual(whole);
    });

    test.each([
      ['budgets', 'amount', 'NaN'],
      ['booking_header', 'booking_date', 'infinity'],
      ['booking_header', 'created_at', '-infinity'],
    ])('%s.%s, which is never null, has the group of null on a walk too', async (name, column, value) => {
      const table = catalogue.tables.get(name)!;
      expect(table.columns[column]!.required).toBe(true);
      await sql(`update customer_nord.${name} set ${column} = '${value}' where ${table.key} % 3 = 0`);
      for (const order of [column, `-${column}`]) {
        const path = `${pathOfTable(table)}/groups?by=${column}&count&order=${order}`;
        const whole = (await service.get(`${path}&limit=10000`)).json;
        expect(whole.at(-1)[column]).toBeNull();
        const found = [];
        let cursor: string | null = '';
        do {
          const { json, headers }: Awaited<ReturnType<TestService['get']>> = await service.get(`${path}&limit=50&cursor=${cursor}`);
          found.push(...json);
          cursor = headers.get('X-Next-Cursor');
        } while (cursor);
        expect(found).toEqual(whole);
      }
    });

    test('a value that is returned as null matches no condition and comes last', async () => {
      const query = (fold: string) => `by=order_id&${fold}=total_net&count&limit=10000`;
      const finite = await sql(`select count(*)::int as count from customer_nord.orders where total_net <> 'NaN'`);
      for (const fold of ['sum', 'avg', 'min', 'max']) {
        const shown = await groups(`${query(fold)}&having=${fold}_total_net>=0`);
        expect(shown.filter((group: Record<string, unknown>) => group[`${fold}_total_net`] === null)).toEqual([]);
        const ordered = await groups(`${query(fold)}&order=-${fold}_total_net`);
        const firstNull = ordered.findIndex((group: Record<string, unknown>) => group[`${fold}_total_net`] === null);
        expect(firstNull).toBe(finite[0].count);
      }
    });

    test('minimum, maximum and distinct count ignore them', async () => {
      const [row] = await sql(`select min(order_date)::text as min_order_date, max(order_date)::text as max_order_date,
        count(distinct order_date)::int as distinct_order_date from customer_nord.orders where isfinite(order_date)`);
      expect(await groups('min=order_date&max=order_date&distinct=order_date')).toEqual([row]);
      const [numbers] = await sql(`select count(distinct nullif(total_net, 'NaN'))::int as distinct_total_net from customer_nord.orders`);
      expect(await groups('distinct=total_net')).toEqual([numbers]);
    });

    test('GraphQL has the same groups', async () => {
      const { ordersGroups } = await dataOf(
        service,
        '{ ordersGroups(first: 10000) { totalCount groups { count key { orderDate(bucket: MONTH) } } } }',
      );
      expect(ordersGroups.groups.map(({ count, key }: { count: number; key: { orderDate: string } }) => [key.orderDate, count])).toEqual(
        (await groups('by=order_date:month&count&limit=10000')).map(({ order_date_month, count }: Record<string, unknown>) => [
          order_date_month,
          count,
        ]),
      );
    });
  });

  test('every aggregate of every column of every table', async () => {
    for (const table of catalogue.tables.values()) {
      const filters = table.requiredFilters.map((column) => `&${column}=1001`).join('');
      for (const aggregate of aggregates) {
        const columns = aggregatableColumns(table, aggregate);
        // All columns in one request are beyond the limit of terms.
        for (let from = 0; from < columns.length; from += 10) {
          const path = `${pathOfTable(table)}/groups?${aggregate}=${columns.slice(from, from + 10).join()}${filters}`;
          expect([path, (await service.get(path)).status]).toEqual([path, 200]);
        }
      }
    }
  });
});

describe('category rows that are published from raw rows with such values', () => {
  const place = (raw: string) => `customer_nord."${raw}"`;

  test.each([...catalogue.tables.values()].map((table) => [table.name, table] as const))('%s contains null', async (_name, table) => {
    const client = await service.database.pool.connect();
    try {
      await client.query('begin');
      for (const [name, { columns }] of Object.entries<RawTable>(rawTables)) {
        const set = Object.entries(columns).flatMap(([column, type]) => {
          if (type.endsWith('not null')) return [];
          const value = type.startsWith('numeric') ? 'NaN' : type === 'date' || type === 'timestamptz' ? 'infinity' : undefined;
          return value ? [`"${column}" = '${value}'`] : [];
        });
        if (set.length > 0) await client.query(`update ${place(name)} set ${set.join(', ')}`);
      }
      const texts = Object.keys(table.columns).map((column) => `p."${column}"::text`);
      const { rows } = await client.query(
        `select count(*)::int as found from (${projection(place, table)}) p where array[${texts.join()}] && array['NaN', 'Infinity', 'infinity', '-infinity']`,
      );
      expect(rows[0].found).toBe(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('a load writes null into the rows that it changes', async () => {
    await sql(`update customer_nord.order_hdr set order_date = 'infinity', total_net = 'NaN' where order_hdr_id = 55001`);
    await sql(`update customer_nord.orders set order_date = 'infinity', total_net = 'NaN' where order_id = 55001`);
    await load(service.database, [deliveries.write('order_hdr.csv', 'order_hdr_id,description\n55001,changed\n')], { mode: 'upsert' });
    expect(await sql('select order_date, total_net, description from customer_nord.orders where order_id = 55001')).toEqual([
      { order_date: null, total_net: null, description: 'changed' },
    ]);
  });
});

test('each kind with such values defines their conversion to null', () => {
  expect(Object.entries(kinds).flatMap(([kind, meaning]) => ('finite' in meaning ? [kind] : []))).toEqual(Object.keys(notFinite));
});
