/** Values that stand once for a group, and numbers that follow from other columns. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkSource } from '../../src/sources/check.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'estate-groups-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const source = (): Source => parseSource(readFileSync('test/sources/exports/groups.yml', 'utf8'), 'groups.yml');
const check = (lines: readonly string[], given = source()) => {
  writeFileSync(join(folder, 'liste.csv'), `${['Einheit;Haus;Beginn;Netto;Brutto', ...lines].join('\n')}\n`);
  return checkSource({ source: given, folder, questions: {} }, undefined);
};

test('headings and values of a group are those of its rows, and amounts are computed exactly', async () => {
  const result = await check([
    'Objekt: LIN 7;;;;',
    '01;A;01.03.2024 12:00 AM;1.000,00 €;€ 1.190,00',
    '02;;01.07.2024 12:00 AM;3,33;3,96',
    'Summe;;;;',
    'Objekt: SEE 3;;;;',
    '01;B;30.06.2024 12:00 AM;- 50,00;−59,50',
  ]);
  expect(result.errors).toEqual([]);
  const rows = result.tables[0]!.samples.map(({ after }) => after);
  expect(rows.map((row) => [row.property_id, row.floor_area_id, row.debit_number, row.vat_amount, row.vat_rate])).toEqual([
    ['LIN 7', 'LIN 7-A-01', '9', '190.00', '19.00'],
    ['LIN 7', 'LIN 7-A-02', '1', '0.63', '18.92'],
    ['SEE 3', 'SEE 3-B-01', '12', '-9.50', '19.00'],
  ]);
  expect(rows.map((row) => row.valid_from)).toEqual(['2024-03-01', '2024-07-01', '2024-06-30']);
});

test('a percentage of nothing is refused, and nothing of nothing is 0', async () => {
  const result = await check(['Objekt: LIN 7;;;;', '01;A;01.03.2024 12:00 AM;0,00;5,00', '02;;01.03.2024 12:00 AM;0,00;0,00']);
  expect(result.errors).toEqual([expect.stringContaining('is no percentage, because Netto is nothing')]);
  expect(result.tables[0]!.valid).toBe(1);
});

test('a column that is to be filled and is missing is refused with its name', async () => {
  const other = source();
  other.tables[0]!.fillDown = ['Fehlt'];
  expect((await check(['01;A;01.03.2024 12:00 AM;1,00;1,00'], other)).errors.join()).toContain("has no column 'Fehlt' to fill");
});
