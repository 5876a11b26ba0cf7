/** Labels of raw tables, of their columns and of their codes for people. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
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

test('a raw table and a raw column have the labels of the category table that passes them on', () => {
  for (const { source } of catalogue.tables.values()) expect(rawTableLabel(source.table)?.de).toEqual(expect.any(String));
  expect(rawColumnLabel('floor_area', 'area_sqm')).toEqual({ en: 'Area m²', de: 'Fläche in m²' });
  expect([rawTableLabel('other'), rawColumnLabel('other', 'x'), rawColumnLabel('person', 'title')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([...codeLabels('person', 'person_type_key')]).toEqual([
    ['natural', { en: 'natural', de: 'natürlich' }],
    ['legal', { en: 'legal', de: 'juristisch' }],
  ]);
});
