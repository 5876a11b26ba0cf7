/** The measure of drafts itself, with drafts whose faults are known. */
import { afterAll, expect, test } from 'vitest';
import { folderWith, removeFolders } from '../support.ts';
import { measure } from './measure.ts';
import type { TrueColumn, Unseen } from './truth.ts';

afterAll(removeFolders);

const column = (name: string, target: string, compare: TrueColumn['compare'], values: TrueColumn['values']): TrueColumn => ({
  name,
  to: target === '' ? [] : [target],
  also: ['floor_area.fa_hdr_id'],
  compare,
  values,
});

const unseen: Unseen = {
  program: 'a test',
  currency: 'EUR',
  files: new Map([
    ['ve.csv', Buffer.from('VE;Heizfl.;leer ab;Zähler\r\nA1;1.050,5;03/04/2025;9\r\nA2;;05/05/2025;8\r\nSumme;1.050,5;;\r\n')],
  ]),
  lists: [
    {
      name: 've.csv',
      tables: ['floor_area'],
      places: [2, 3],
      columns: [
        column('VE', 'floor_area.floor_area_id', 'key', ['A1', 'A2']),
        column('Heizfl.', 'floor_area.heated_area_sqm', 'number', ['1050.50', null]),
        column('leer ab', 'floor_area.vacant_since', 'text', ['2025-04-03', '2025-05-05']),
        column('Zähler', '', 'text', ['9', '8']),
      ],
    },
  ],
};

const figures = (table: string) =>
  measure(
    unseen,
    folderWith(Object.fromEntries(unseen.files)),
    `name: export\ntables:\n  - table: floor_area\n    path: ve.csv\n    dialect: { delimiter: ";" }\n${table}`,
  );

test('a draft without faults has none', async () => {
  const found = await figures(
    '    formats: { decimalChar: ",", groupChar: ".", dateFormats: ["%d/%m/%Y"] }\n    primaryKey: VE\n    skip: [{ column: VE, in: [Summe] }]\n    columns: { floor_area_id: VE, heated_area_sqm: Heizfl., vacant_since: leer ab }\n',
  );
  expect(found).toEqual({ lists: 1, columns: 3, found: 3, proposed: 3, right: 3, questions: 0, wrongValues: 0, values: 6, faults: [] });
});

test('a wrong target, a wrong form of days, a sum and a left out row are faults', async () => {
  const found = await figures(
    '    formats: { dateFormats: ["%m/%d/%Y"] }\n    primaryKey: VE\n    skip: [{ column: VE, in: [A2] }]\n    columns: { floor_area_id: VE, vacant_since: leer ab, location: Zähler }\n',
  );
  expect(found).toMatchObject({ columns: 3, found: 2, proposed: 3, right: 2 });
  expect(found.faults).toEqual([
    've.csv: leer ab → floor_area.vacant_since, 1 of 2 values, such as in 2: 2025-03-04 instead of 2025-04-03',
    've.csv: Zähler → floor_area.location is wrong, it is nothing',
    've.csv: 1 lines that are no rows of floor_area, such as 4',
    've.csv: 1 rows are left out, such as 3',
  ]);
  expect(found.wrongValues).toBe(3);
});

test('a value that a question names is no fault, and a value that the load refuses is none', async () => {
  const found = await figures(
    '    primaryKey: VE\n    skip: [{ column: VE, in: [Summe] }]\n    columns:\n      # Is 03/04/2025 of leer ab in March?\n      vacant_since: leer ab\n      heated_area_sqm: Heizfl.\n',
  );
  expect(found).toMatchObject({ questions: 1, wrongValues: 0, values: 1, faults: [] });
});
