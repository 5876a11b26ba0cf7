import { describe, expect, test } from 'vitest';
import type { ReadPlan } from '../../src/read/plan.ts';
import { type StatementKind, statementFor } from '../../src/read/statement.ts';

const source = {
  schema: 'customer_nord',
  customerId: 7,
  kind: 'category',
  name: 'offers',
  sort: ['offer_hdr_id'],
  cursor: { column: 'offer_hdr_id', kind: 'integer' },
} as const;

const plan: ReadPlan = {
  source,
  columns: ['offer_hdr_id', 'offer_value'],
  filters: [],
  nothing: false,
  after: undefined,
  offset: 0,
  limit: 2,
};

const filters = [
  { column: 'property_id', kind: 'integer', value: '1001' },
  { column: 'offer_type', kind: 'string', value: 'fixed_price' },
] as const;

/** The statement without the table's full name and with single blanks, so that it can be read. */
const readable = (text: string) => text.replaceAll('"customer_nord"."offers".', '').replaceAll(/\s+/g, ' ');
const statement = (kind: StatementKind, changed: Partial<ReadPlan>, limit = 3) => {
  const { text, values } = statementFor(kind, { ...plan, ...changed }, limit, { version: 4, total: 9 });
  return [readable(text), values];
};

const state = (expression: string, first: number) =>
  `(select ${expression} from "estate"."datasets" where customer_id = $${first}::integer and kind = $${first + 1}::text and name = $${first + 2}::text)`;
const dataset = [7, 'category', 'offers'];

describe('a plan becomes one statement that names every table in full and binds every value', () => {
  test('rows of a page in the order of the sort key', () => {
    expect(statement('rows', {})).toEqual([
      'select "offer_hdr_id", "offer_value" from "customer_nord"."offers" where true order by "offer_hdr_id" limit $1::bigint offset $2::bigint',
      [3, 0],
    ]);
  });

  test('filters, each bound as the widest type of its kind', () => {
    expect(statement('rows', { filters })).toEqual([
      'select "offer_hdr_id", "offer_value" from "customer_nord"."offers" where "property_id" = $1::bigint and "offer_type" = $2::text order by "offer_hdr_id" limit $3::bigint offset $4::bigint',
      ['1001', 'fixed_price', 3, 0],
    ]);
  });

  test('a cursor resumes behind its key', () => {
    expect(statement('rows', { after: '17' })).toEqual([
      'select "offer_hdr_id", "offer_value" from "customer_nord"."offers" where "offer_hdr_id" > $1::bigint order by "offer_hdr_id" limit $2::bigint offset $3::bigint',
      ['17', 3, 0],
    ]);
  });

  test('a deep offset is reached over keys alone', () => {
    expect(statement('rows', { filters: [filters[0]], offset: 500 })).toEqual([
      'select "offer_hdr_id", "offer_value" from "customer_nord"."offers" where "property_id" = $1::bigint and ("offer_hdr_id") >= (select "offer_hdr_id" from "customer_nord"."offers" where "property_id" = $2::bigint order by "offer_hdr_id" limit 1 offset $3::bigint) order by "offer_hdr_id" limit $4::bigint',
      ['1001', '1001', 500, 3],
    ]);
  });

  test('without a sort key the order is the physical one, however deep', () => {
    expect(statement('rows', { source: { ...source, name: 'heap', sort: [], cursor: undefined }, columns: ['a'], offset: 600 })).toEqual([
      'select "customer_nord"."heap"."a" from "customer_nord"."heap" where true order by ctid limit $1::bigint offset $2::bigint',
      [3, 600],
    ]);
  });

  test('a page leads each row with state, total and key', () => {
    expect(statement('page', {})).toEqual([
      `select ${state('json_build_array(version, synced_at)', 1)}, ${state('row_count', 4)}, "offer_hdr_id"::text, "offer_hdr_id", "offer_value" from "customer_nord"."offers" where true order by "offer_hdr_id" limit $7::bigint offset $8::bigint`,
      [...dataset, ...dataset, 3, 0],
    ]);
  });

  test('a summary counts only when the total is not known at this version', () => {
    expect(statement('summary', { filters: [filters[0]] }, 2)).toEqual([
      `select ${state('json_build_array(version, synced_at)', 1)} as "state", case when ${state('version', 4)} = $7::bigint then $8::bigint else (select count(*) from "customer_nord"."offers" where "property_id" = $9::bigint) end as "total", array(select coalesce("offer_hdr_id"::text, '') from "customer_nord"."offers" where "property_id" = $10::bigint order by "offer_hdr_id" limit 2 offset $11::bigint + $12::bigint - 1) as "boundary"`,
      [...dataset, ...dataset, 4, 9, '1001', '1001', 0, 2],
    ]);
  });

  test('what is no value of its column matches nothing', () => {
    expect(statement('rows', { nothing: true })[0]).toContain('where false order by');
  });

  test('one shape has one name, other shapes others; values do not matter', () => {
    const name = (changed: Partial<ReadPlan>) => statementFor('rows', { ...plan, ...changed }, 3).name;
    expect(name({ after: '17' })).toBe(name({ after: '18' }));
    expect(name({ offset: 3 })).toBe(name({ offset: 30 }));
    const others = [
      {},
      { after: '1' },
      { filters: [filters[0]] },
      { filters },
      { nothing: true },
      { columns: ['offer_value'] },
      { offset: 900 },
    ];
    expect(new Set(others.map(name)).size).toBe(others.length);
    expect(name({}).length).toBeLessThan(64);
  });

  test('names are quoted, whatever stands in them', () => {
    const { text } = statementFor('rows', { ...plan, columns: ['a"b'], source: { ...source, schema: 's"t', name: 'u"v' } }, 3);
    expect(text).toContain('"s""t"."u""v"."a""b"');
  });

  test('the sort key of the source counts, not one seen before', () => {
    expect(statement('rows', { source: { ...source, sort: ['offer_value', 'offer_hdr_id'], cursor: undefined } })[0]).toContain(
      'order by "offer_value", "offer_hdr_id"',
    );
  });
});
