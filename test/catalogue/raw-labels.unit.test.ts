/** Labels of raw tables, of their columns and of their codes for people. */
import { expect, test } from 'vitest';
import { rawColumnFacts } from '../../src/catalogue/raw/columns.ts';
import { type RawTableName, rawTables } from '../../src/catalogue/raw/index.ts';
import { germanMeanings, germanRawMeanings } from '../../src/catalogue/texts/meanings.ts';
import { codeLabels, rawColumnLabel, rawTableLabel } from '../../src/catalogue/texts/raw-labels.ts';

test('every meaning of a raw column has a German one, and none is left over', () => {
  const meanings = Object.entries(rawTables).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => rawColumnFacts(table as RawTableName, column).meaning),
  );
  const own = new Set(meanings.filter((meaning) => !Object.hasOwn(germanMeanings, meaning)));
  expect(Object.keys(germanRawMeanings).sort()).toEqual([...own].sort());
});

test('each raw table and each raw column has a label, that of the category table which passes it on if there is one', () => {
  for (const [table, { columns }] of Object.entries(rawTables)) {
    expect([table, rawTableLabel(table)?.de]).toEqual([table, expect.any(String)]);
    for (const column of Object.keys(columns))
      expect([table, column, rawColumnLabel(table, column)?.de]).toEqual([table, column, expect.stringMatching(/./)]);
  }
  expect(rawColumnLabel('floor_area', 'area_sqm')).toEqual({ en: 'Area m²', de: 'Fläche in m²' });
  expect(rawColumnLabel('person', 'last_name')).toEqual({ en: 'Last name', de: 'Nachname' });
  expect([rawTableLabel('other'), rawColumnLabel('other', 'x'), rawColumnLabel('person', 'x')]).toEqual([undefined, undefined, undefined]);
  expect([...codeLabels('person', 'person_type_key')]).toEqual([
    ['natural', { en: 'natural', de: 'natürlich' }],
    ['legal', { en: 'legal', de: 'juristisch' }],
  ]);
});
