/** What values say of columns that have meaningless names. */
import { expect, test } from 'vitest';
import { conventionsOf } from '../../src/sources/draft/forms/settle.ts';
import { profile } from '../../src/sources/draft/lists/profile.ts';
import { provenCents } from '../../src/sources/draft/signs/amounts.ts';
import { valueSignsOf } from '../../src/sources/draft/signs/value-signs.ts';
import type { Cell, SourceList } from '../../src/sources/source-rows.ts';

const listOf = (columns: Readonly<Record<string, readonly Cell[]>>): SourceList => {
  const names = Object.keys(columns);
  const rows = columns[names[0]!]!.map((_cell, row) => ({ line: row + 2, cells: names.map((name) => columns[name]![row] ?? null) }));
  return {
    name: 'list',
    columns: names,
    rows: (async function* () {
      yield rows;
    })(),
  };
};

const read = async (columns: Readonly<Record<string, readonly Cell[]>>) => {
  const named = { name: 'list', profile: await profile(listOf(columns), true) };
  return { list: named.profile, conventions: conventionsOf(named, []) };
};

/** The targets of each column, the surest first. */
const targetsOf = async (columns: Readonly<Record<string, readonly Cell[]>>): Promise<Record<string, string[]>> => {
  const { list, conventions } = await read(columns);
  return Object.fromEntries(
    [...valueSignsOf(list, conventions)].map(([{ name }, signs]) => [
      name,
      [...signs].flatMap(([target, { points }]) => (points > 0 ? [target] : [])),
    ]),
  );
};

const many = <Value>(count: number, value: (index: number) => Value): Value[] => Array.from({ length: count }, (_, index) => value(index));

test('a net amount, its VAT and their sum are known by the rates', async () => {
  const net = many(12, (index) => 100.1 + index * 7.3);
  const vat = net.map((one, index) => (index % 3 === 0 ? 0 : Math.round(one * 19) / 100));
  const text = (value: number) => value.toFixed(2).replace('.', ',');
  const found = await targetsOf({
    a: net.map((one, index) => text(one + vat[index]!)),
    b: vat.map(text),
    c: net.map(text),
    d: net.map((_one, index) => (index % 3 === 0 ? '0' : '19')),
  });
  expect(found.a).toContain('gross_amount');
  expect(found.b).toContain('vat_amount');
  expect(found.c).toContain('net_amount');
  expect(found.d).toEqual(['vat_rate']);
  // Another sum is no VAT: 31 per cent is no rate.
  const heating = net.map((one) => Math.round(one * 31) / 100);
  expect(await targetsOf({ a: net.map(text), b: heating.map(text), c: net.map((one, index) => text(one + heating[index]!)) })).toEqual({});
});

test('whole numbers with an exact VAT that end as cents do are cents, and round amounts are none', async () => {
  const cents = async (nets: readonly number[]) => {
    const vats = nets.map((net) => Math.round(net * 0.19));
    const { list, conventions } = await read({ a: [...nets], b: vats, c: nets.map((net, index) => net + vats[index]!) });
    return provenCents(list, conventions);
  };
  expect(await cents(many(10, (index) => 52_283 + index * 1_037))).toContain('end as cents do');
  expect(await cents(many(10, (index) => 52_200 + index * 1_000))).toBeUndefined();
  expect(await cents(many(10, (index) => 643 + index * 17))).toBeUndefined();
});

test('a city follows from its postal code', async () => {
  const places = many(12, (index) => ['24103 Kiel', '01099 Dresden', '93047 Regensburg'][index % 3]!.split(' '));
  const found = await targetsOf({
    a: places.map(([code]) => code!),
    b: places.map(([, city]) => city!),
    c: many(12, (index) => `Name ${'abcdefghijkl'[index]}`),
  });
  expect(found).toEqual({ a: ['postal_code'], b: ['city'] });
});

test('last names have particles, and first names are beside them', async () => {
  const found = await targetsOf({
    a: many(12, (index) => ['Femke', 'Sjoerd', 'Joost', 'Anouk'][index % 4]!),
    b: many(12, (index) => ['Brouwer', 'de Vries', "van 't Hof", 'IJsselstein'][index % 4]!),
  });
  expect(found).toEqual({ a: ['person.first_name'], b: ['person.last_name'] });
});

test('contracts begin on a first day, end on a last one, and are signed before', async () => {
  const found = await targetsOf({
    a: many(12, (index) => `2024-${String(index + 1).padStart(2, '0')}-01`),
    b: many(12, (index) => (index < 5 ? `2026-0${index + 1}-${['31', '28', '31', '30', '31'][index]}` : null)),
    c: many(12, (index) => (index === 0 ? '2023-12-15' : `2024-${String(index).padStart(2, '0')}-1${index % 10}`)),
  });
  expect(found.a).toContain('tenancy_hdr.contract_start_date');
  expect(found.b).toContain('tenancy_hdr.contract_end_date');
  expect(found.c).toEqual(['tenancy_hdr.contract_date']);
});

test('an invoice is due after a usual term', async () => {
  const found = await targetsOf({
    a: many(8, (index) => `2024-03-${String(index + 12)}`),
    b: many(8, (index) => `2024-04-${String(index + 11)}`),
  });
  expect(found).toEqual({ a: ['invoice_date'], b: ['due_date'] });
});

test('a room has some square metres', async () => {
  const rooms = many(24, (index) => (index % 5) + 1);
  const found = await targetsOf({ a: rooms, b: rooms.map((count, index) => count * 24 + index / 10) });
  expect(found).toMatchObject({ a: ['floor_area.room_count'], b: ['floor_area.area_sqm'] });
});

test('days can be whole numbers, in which 0 is no day', async () => {
  const { list } = await read({ a: [20240601, 20241231, 0], b: [20240601, 5, 0] });
  expect(list.columns.map(({ looks, missing, filled }) => [looks.has('date'), missing, filled])).toEqual([
    [true, ['0'], 2],
    [false, [], 3],
  ]);
});

test('a unit is numbered within its property', async () => {
  const found = await targetsOf({
    a: many(24, (index) => `LIN ${1001 + (index % 3)}`),
    b: many(24, (index) => `Top ${Math.floor(index / 3) + 1}`),
  });
  expect(found).toEqual({ a: ['floor_area.property_id', 'property_hdr.property_id'], b: ['floor_area.unit_number'] });
});
