/**
 * Every aggregate, comparison and order of every type of column at the limits of the type, compared with whole-number arithmetic outside of
 * SQL (contract: values of groups; conditions on groups).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Column, Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable, type Table } from '../../src/catalogue/table.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import type { Aggregate } from '../../src/plan/vocabulary/values.ts';
import { ask } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
});
afterAll(() => service.stop());

/** A type of column, and the column with this type whose table has the most rows. */
interface Subject {
  readonly type: string;
  readonly table: Table;
  readonly column: string;
  readonly facts: Column;
  readonly isQuantity: boolean;
}

/** Tables of the demo data with enough rows for all lists, and whole numbers as keys. */
const roomy = ['orders', 'booking_positions', 'booking_header', 'contract_debits', 'tenants', 'depreciation', 'budgets'];

const subjects: readonly Subject[] = (() => {
  const found = new Map<string, Subject>();
  for (const name of roomy) {
    const table = catalogue.tables.get(name)!;
    for (const [column, facts] of Object.entries(table.columns)) {
      if (column === table.key || table.unique.includes(column) || table.sort.includes(column)) continue;
      const isQuantity = aggregatableColumns(table, 'sum').includes(column);
      const type = [facts.kind, ...(facts.digits ?? []), isQuantity ? 'quantity' : '', facts.required ? 'required' : ''].join(' ').trim();
      if (!found.has(type)) found.set(type, { type, table, column, facts, isQuantity });
    }
  }
  return [...found.values()];
})();

/** The values of a kind, from the smallest to the largest, as SQL and JSON show them. Numbers are multiples of the last digit. */
const ends = ({ kind, digits }: Column): readonly (bigint | string)[] => {
  if (kind === 'integer') return [-(2n ** 31n), -(2n ** 31n) + 1n, -1n, 0n, 1n, 2n ** 31n - 2n, 2n ** 31n - 1n];
  if (kind === 'bigint') return [-(2n ** 63n), -(2n ** 63n) + 1n, -1n, 0n, 1n, 2n ** 63n - 2n, 2n ** 63n - 1n];
  if (kind === 'number') {
    const max = 10n ** BigInt(digits![0]) - 1n;
    return [-max, 1n - max, -1n, 0n, 1n, max - 1n, max];
  }
  if (kind === 'date') return ['0001-01-01', '0001-01-02', '1969-12-31', '1970-01-01', '2000-02-29', '9999-12-30', '9999-12-31'];
  if (kind === 'timestamp')
    return ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000001Z', '1969-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'];
  if (kind === 'boolean') return ['false', 'true'];
  return ['', ' ', '"', '%', '0', 'A', 'a', 'ä', '\uffff', '\u{10ffff}'];
};

/** Lists of values: each value alone, both ends, and many that are nearly equal. */
const listsOf = (column: Column): readonly (readonly (bigint | string)[])[] => {
  const all = ends(column);
  const [min, max] = [all[0]!, all.at(-1)!];
  const [low, high] = [all[1]!, all.at(-2)!];
  return [[min, min], [max, max], [min, max], [low, high, max], [min, low, low], [max, max, high], [max], [min, max, max, low, high], all];
};

const scaleOf = ({ digits }: Column): number => digits?.[1] ?? 0;
const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const compare = (one: bigint | string, other: bigint | string): number => {
  if (typeof one === 'bigint') return one < (other as bigint) ? -1 : one > (other as bigint) ? 1 : 0;
  // A fraction of a second comes before the zone.
  const bytes = (text: string) => Buffer.from(text.replace(/Z$/, ''));
  return Buffer.compare(bytes(one), bytes(other as string));
};

/** A multiple of the last of so many digits after the point, as PostgreSQL writes it. */
const decimal = (value: bigint, scale: number): string => {
  const text = String(abs(value)).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${value < 0n ? '-' : ''}${whole}${scale > 0 ? `.${text.slice(-scale)}` : ''}`;
};

/** A quotient rounded half away from zero. */
const quotient = (dividend: bigint, divisor: bigint): bigint => {
  const rounded = (2n * abs(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
};

/** The whole part of a square root. */
const root = (value: bigint): bigint => {
  if (value < 2n) return value;
  let [guess, next] = [value, (value + 1n) / 2n];
  while (next < guess) [guess, next] = [next, (next + value / next) / 2n];
  return guess;
};

const averageDigits = 4n;

/** An aggregate of numbers as JSON. */
const ofNumbers = (aggregate: Aggregate, values: readonly bigint[], scale: number): string => {
  const sorted = [...values].sort(compare);
  const count = BigInt(values.length);
  const sum = values.reduce((total, value) => total + value, 0n);
  switch (aggregate) {
    case 'sum':
      return decimal(sum, scale);
    case 'avg':
      return decimal(quotient(sum * 10n ** averageDigits, count), scale + Number(averageDigits));
    case 'median':
      return decimal(5n * (sorted[(values.length - 1) >> 1]! + sorted[values.length >> 1]!), scale + 1);
    case 'percentile':
      return decimal(sorted[Math.ceil(values.length * 0.9) - 1]!, scale);
    case 'stddev': {
      if (count < 2n) return 'null';
      const squares = values.reduce((total, value) => total + value * value, 0n);
      // The root of four times the variance, with the digits of the result, is at most one below twice the result.
      const four = (4n * (count * squares - sum * sum) * 10n ** (2n * averageDigits)) / (count * (count - 1n));
      return decimal((root(four) + 1n) / 2n, scale + Number(averageDigits));
    }
    default:
      return decimal(aggregate === 'min' ? sorted[0]! : sorted.at(-1)!, scale);
  }
};

const ofTexts = (aggregate: Aggregate, values: readonly string[]): string => {
  const sorted = [...values].sort(compare);
  return JSON.stringify(aggregate === 'min' ? sorted[0] : sorted.at(-1));
};

const expected = (aggregate: Aggregate, values: readonly (bigint | string)[], facts: Column): string => {
  if (aggregate === 'distinct') return String(new Set(values).size);
  return typeof values[0] === 'bigint'
    ? ofNumbers(aggregate, values as bigint[], scaleOf(facts))
    : ofTexts(aggregate, values as readonly string[]);
};

const sqlOf = (value: bigint | string, facts: Column): string =>
  typeof value === 'bigint' ? decimal(value, scaleOf(facts)) : `'${value.replaceAll("'", "''")}'`;

interface Held {
  readonly id: string;
  readonly value: bigint | string;
}

/** Writes the lists into rows of the subject's table. Returns the keys of each list. */
const write = async ({ table, column, facts }: Subject): Promise<readonly (readonly Held[])[]> => {
  const { pool } = service.database;
  const lists = listsOf(facts);
  const needed = lists.flat().length;
  const { rows } = await pool.query<{ id: string }>(
    `select "${table.key}"::text as id from customer_nord.${table.name} order by 1 limit ${needed}`,
  );
  expect(rows).toHaveLength(needed);
  const ids = rows.map(({ id }) => id);
  const held = lists.map((list) => list.map((value): Held => ({ id: ids.pop()!, value })));
  const values = held.flat().map(({ id, value }) => `(${id}, ${sqlOf(value, facts)})`);
  const { type } = (
    await pool.query<{ type: string }>(`select format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = 'customer_nord.${table.name}'::regclass and attname = '${column}'`)
  ).rows[0]!;
  await pool.query(`update customer_nord.${table.name} as t set "${column}" = v.value::${type}
    from (values ${values.join()}) as v(id, value) where t."${table.key}" = v.id`);
  return held;
};

const groupsOf = async ({ table }: Subject, query: Readonly<Record<string, string>>) =>
  service.get(`${pathOfTable(table)}/groups?${new URLSearchParams(query)}`);

const within = ({ table }: Subject, list: readonly Held[]) => `${table.key}:in(${list.map(({ id }) => id).join()})`;

const signs = { '=': 'eq', '!=': 'ne', '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const;
const holds: Record<keyof typeof signs, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** Values beyond those that a column of the kind can hold. */
const beyond: Partial<Record<Kind, readonly bigint[]>> = {
  integer: [-(2n ** 31n) - 1n, 2n ** 31n, -(2n ** 63n) - 1n, 2n ** 63n, 10n ** 39n],
  bigint: [-(2n ** 63n) - 1n, 2n ** 63n, -(10n ** 39n), 10n ** 39n],
  number: [-(10n ** 39n), 10n ** 39n],
};

describe.each(subjects)('$type ($table.name.$column)', (subject) => {
  const { table, column, facts, isQuantity } = subject;
  let lists: readonly (readonly Held[])[];
  beforeAll(async () => {
    lists = await write(subject);
  });

  test('every aggregate is exact', async () => {
    const ordered: readonly Aggregate[] = facts.kind === 'boolean' ? [] : ['min', 'max'];
    const aggregates: readonly Aggregate[] = ['distinct', ...ordered, ...(isQuantity ? (['sum', 'avg', 'median', 'stddev'] as const) : [])];
    for (const list of lists) {
      const values = list.map(({ value }) => value);
      const named = [
        ...aggregates.map((is) => [is, `${is}(${column},${table.key}>=0)`]),
        ...(isQuantity ? [['percentile', `percentile(${column},90)`]] : []),
      ] as const;
      const plain = Object.fromEntries(aggregates.map((is) => [is, column]));
      const shown = (names: readonly (readonly [Aggregate, string])[]) =>
        names.map(([is, name]) => [name, expected(is, values, facts)]).sort(([one], [other]) => (one! < other! ? -1 : 1));
      const ofAnswer = (text: string) => {
        const found = [...text.slice(2, -2).matchAll(/"(\w+)":("(?:[^"\\]|\\.)*"|[^,]+)/g)].map(([, name, value]) => [name!, value!]);
        return found.sort(([one], [other]) => (one! < other! ? -1 : 1));
      };
      const first = await groupsOf(subject, { where: within(subject, list), ...plain });
      expect([first.status, ofAnswer(first.text)]).toEqual([200, shown(aggregates.map((is) => [is, `${is}_${column}`]))]);
      const second = await groupsOf(subject, {
        where: within(subject, list),
        value: named.map(([is, call]) => `own_${is}:${call}`).join(),
      });
      expect([second.status, ofAnswer(second.text)]).toEqual([200, shown(named.map(([is]) => [is as Aggregate, `own_${is}`]))]);
    }
  });

  test('every comparison finds the rows that meet it', async () => {
    const list = lists.at(-1)!;
    const others = (beyond[facts.kind] ?? []).map((value) => value * 10n ** BigInt(scaleOf(facts)));
    const comparable = facts.kind === 'boolean' ? (['=', '!='] as const) : (Object.keys(signs) as (keyof typeof signs)[]);
    const wanted: [string, number][] = [];
    const inRest: [string, number][] = [];
    const fields: string[] = [];
    const ids = list.map(({ id }) => (table.columns[table.key]!.kind === 'bigint' ? `"${id}"` : id));
    for (const value of [...list.map((each) => each.value), ...others])
      for (const sign of comparable) {
        const text = typeof value === 'bigint' ? decimal(value, scaleOf(facts)) : value;
        const name = `${sign} ${text}`;
        wanted.push([name, list.filter((each) => holds[sign](compare(each.value, value))).length]);
        const quoted = `"${text.replaceAll('"', '""')}"`;
        const answer = await groupsOf(subject, { count: '', where: `${within(subject, list)},${column}${sign}${quoted}` });
        inRest.push([name, answer.json[0]?.count ?? answer.text]);
        const isNumber = facts.kind === 'integer' || facts.kind === 'number' || facts.kind === 'boolean';
        // Int holds 32 bits, and the schema refuses more.
        const isBeyond = facts.kind === 'integer' && abs(value as bigint) > 2n ** 31n - 1n && value !== -(2n ** 31n);
        const literal = facts.kind === 'bigint' || !isNumber ? JSON.stringify(text) : text;
        fields.push(
          isBeyond
            ? ''
            : `f${fields.length}: ${camelCase(table.name)}Groups(filter: { ${camelCase(table.key)}: { in: [${ids}] }, ${camelCase(column)}: { ${signs[sign]}: ${literal} } }) { groups { count } }`,
        );
      }
    expect(inRest).toEqual(wanted);
    for (let from = 0; from < fields.length; from += 20) {
      const { data, errors } = await ask(service, `{ __typename ${fields.slice(from, from + 20).join(' ')} }`);
      expect(errors).toEqual([]);
      for (const [at, [name, count]] of wanted.slice(from, from + 20).entries())
        if (fields[from + at]) expect([name, data[`f${from + at}`].groups[0].count]).toEqual([name, count]);
    }
  });

  test('groups by it, and groups ordered by its aggregates, can be walked', async () => {
    const ordered = facts.kind === 'boolean' ? [] : [`-max_${column}`, `min_${column}`];
    const statistics = isQuantity ? [`-avg_${column}`, `-stddev_${column}`, `median_${column}`] : [];
    const ids = lists.slice(0, 6).flat();
    const where = within(subject, ids);
    const walks = [{ by: column, count: '' }, ...[...ordered, ...statistics].map((order) => ({ by: table.key, order, count: '' }))];
    for (const walk of walks) {
      const query = { ...walk, where };
      const whole = await groupsOf(subject, { ...query, limit: '1000' });
      expect([query, whole.status]).toEqual([query, 200]);
      const found: unknown[] = [];
      let cursor: string | undefined;
      do {
        const { json, headers } = await groupsOf(subject, { ...query, limit: '4', ...(cursor && { cursor }) });
        found.push(...json);
        cursor = headers.get('X-Next-Cursor') ?? undefined;
      } while (cursor);
      expect(found).toEqual(whole.json);
    }
  });
});

test('an instant whose offset leads beyond the years of a time is compared', async () => {
  const count = async (filter: string) =>
    (await ask(service, `{ ordersGroups(filter: { createdAt: ${filter} }) { groups { count } } }`)).data;
  const [all] = (await service.get('/operations/orders/groups?count&where=created_at:is_not_null')).json;
  expect(await count('{ lt: "9999-12-31T23:59:59-01:00" }')).toEqual({ ordersGroups: { groups: [all] } });
  expect(await count('{ gt: "0001-01-01T00:00:00+01:00" }')).toEqual({ ordersGroups: { groups: [all] } });
  for (const since of ['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00%2B01:00'])
    expect((await service.get(`/changes?since=${since}`)).status).toBe(200);
});

test('computed values are compared as Float, whole numbers too', async () => {
  const computed = [
    'rank(of: { count: true })',
    'change(of: { count: true })',
    'difference(of: { count: true }, minus: { count: true })',
    'runningTotal(of: { count: true })',
    'share(of: { count: true })',
    'previous(of: { count: true })',
  ];
  for (const value of computed)
    for (const by of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
      for (const literal of ['1.5', '-1e300', '1e-300', '3']) {
        const document = `{ ordersGroups(having: { of: "v", computed: { ${by}: ${literal}, in: [${literal}, 1] } }) { groups { key { orderDate(bucket: YEAR) } v: ${value} } } }`;
        const { errors } = await ask(service, document);
        expect([document, errors]).toEqual([document, []]);
      }
  expect((await service.get('/operations/orders/groups?by=trade&count&value=place:rank(count)&having=place<1.5')).json).toHaveLength(1);
});
