/** The demo data depends only on its options and fits the catalogue. */
import { describe, expect, test } from 'vitest';
import { type DemoOptions, generateDemo } from '../../demo/generate.ts';
import { type RawTableName, rawTables } from '../../src/catalogue/raw/index.ts';
import type { Batch, Value } from '../../src/sync/first-load.ts';

type Row = readonly Value[];

const rowsByTable = (options: DemoOptions): Map<RawTableName, Row[]> => {
  const tables = new Map<RawTableName, Row[]>();
  for (const { table, rows } of generateDemo(options)) tables.set(table, [...(tables.get(table) ?? []), ...rows]);
  return tables;
};

const column = (tables: Map<RawTableName, Row[]>, table: RawTableName, name: string): Value[] => {
  const at = Object.keys(rawTables[table].columns).indexOf(name);
  return tables.get(table)!.map((row) => row[at]!);
};

const tiny = rowsByTable({ scale: 'tiny', seed: 1 });

describe('equal options', () => {
  test('give equal rows in equal batches', () => {
    const options = { scale: 'tiny', seed: 3 } as const;
    expect([...generateDemo(options)]).toEqual([...generateDemo(options)]);
  });

  test('with another seed give other rows', () => {
    expect(column(rowsByTable({ scale: 'tiny', seed: 2 }), 'person', 'last_name')).not.toEqual(column(tiny, 'person', 'last_name'));
  });
});

describe.each(Object.keys(rawTables) as RawTableName[])('%s', (table) => {
  const columns = Object.entries<string>(rawTables[table].columns);

  test('has rows in the column order of the catalogue', () => {
    expect(tiny.get(table)?.length).toBeGreaterThan(0);
    expect(new Set(tiny.get(table)!.map((row) => row.length))).toEqual(new Set([columns.length]));
  });

  test('fills every required column with a value of its type', () => {
    const unfit = columns.flatMap(([name, type]) =>
      column(tiny, table, name)
        .filter((value) => !fits(value, type))
        .map((value) => `${name} = ${value}`),
    );
    expect(unfit).toEqual([]);
  });

  test('has no duplicate key', () => {
    const { key, unique } = rawTables[table];
    for (const names of [[key], ...unique]) {
      const keys = names.map((name) => column(tiny, table, name));
      const rows = tiny.get(table)!.map((_, i) => keys.map((values) => values[i]).join('|'));
      expect(new Set(rows).size, names.join()).toBe(rows.length);
    }
  });
});

const texts: readonly (readonly [type: RegExp, text: RegExp])[] = [
  [/^date/, /^\d{4}-\d\d-\d\d$/],
  [/^timestamptz/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  [/^numeric\(\d+,1\)/, /^-?\d+\.\d$/],
  [/^numeric\(\d+,2\)/, /^-?\d+\.\d\d$/],
  [/^numeric\(\d+,4\)/, /^-?\d+\.\d{4}$/],
  [/^numeric\(\d+,6\)/, /^-?\d+\.\d{6}$/],
  [/^text/, /\S/],
];

const fits = (value: Value, type: string): boolean => {
  if (value === null) return !type.endsWith('not null');
  if (type.startsWith('boolean')) return typeof value === 'boolean';
  if (type.startsWith('integer')) return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
  if (type.startsWith('bigint')) return Number.isSafeInteger(value);
  return typeof value === 'string' && texts.some(([types, text]) => types.test(type) && text.test(value));
};

describe('the snapshot date', () => {
  test('is later than every audit time, and nothing changes before it exists', () => {
    for (const table of tiny.keys()) {
      if (!('created_at' in rawTables[table].columns)) continue;
      const created = column(tiny, table, 'created_at');
      column(tiny, table, 'changed_at').forEach((changed, i) => {
        expect(changed! >= created[i]! && changed! < '2026-10-31', `${table} ${created[i]} ${changed}`).toBe(true);
      });
    }
  });

  test('can be chosen', () => {
    const tables = rowsByTable({ scale: 'tiny', asOf: '2025-03-15' });
    expect(column(tables, 'booking_hdr', 'booking_date').every((day) => day! <= '2025-03-15')).toBe(true);
    expect(column(tables, 'order_hdr', 'order_date').every((day) => day! <= '2025-03-15')).toBe(true);
  });

  test('must be a date', () => {
    expect(() => [...generateDemo({ scale: 'tiny', asOf: '2026-02-30' })]).toThrow('not a date: 2026-02-30');
  });
});

describe('fewer booking years', () => {
  const types = (bookingYears: number) => new Set(column(rowsByTable({ scale: 'tiny', bookingYears }), 'booking_hdr', 'booking_type_key'));

  test('omit the debit runs and keep the documents of posted depreciation and of invoices', () => {
    expect(types(1)).toContain('debit_posting');
    expect([...types(0)].sort()).toEqual(['depreciation', 'incoming_invoice', 'outgoing_payment']);
  });

  test('change no other table than bookings and balances', () => {
    const none = rowsByTable({ scale: 'tiny', bookingYears: 0 });
    for (const table of ['order_hdr', 'contract_condition', 'report_hdr', 'floor_area'] as const) {
      const key = rawTables[table].key;
      expect(column(none, table, key)).toEqual(column(tiny, table, key));
    }
    expect(column(none, 'tenancy_hdr', 'balance').every((balance) => balance === '0.00')).toBe(true);
  });
});

test('batches stay small', () => {
  const longest = (batches: Iterable<Batch>) => Math.max(...Array.from(batches, ({ rows }) => rows.length));
  expect(longest(generateDemo({ scale: 'tiny' }))).toBeLessThanOrEqual(5000);
});
