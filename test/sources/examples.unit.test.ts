/** The shipped examples of sources, read without a customer. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSource } from '../../src/sources/check.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { questionDocuments } from '../../src/web/graphiql/questions.ts';

const checked = (name: string) => {
  const folder = `examples/sources/${name}`;
  const source = parseSource(readFileSync(`${folder}/source.yml`, 'utf8'), 'source.yml');
  return checkSource({ source, folder: `${folder}/export`, documents: questionDocuments }, undefined);
};

const rows = ({ tables }: Awaited<ReturnType<typeof checked>>) => Object.fromEntries(tables.map(({ table, valid }) => [table, valid]));

test('the German example is read whole', async () => {
  const result = await checked('german-erp');
  expect(result.errors).toEqual([]);
  expect(result.isLoadable).toBe(true);
  expect(rows(result)).toEqual({ property_hdr: 3, floor_area: 10, person: 7, tenancy_hdr: 7, contract_condition: 9 });
  expect(result.tables.map(({ unknownCodes }) => unknownCodes)).toEqual([{}, {}, {}, {}, {}]);
  expect(result.categoryTables).toEqual(['contract_debits', 'properties', 'property_structure', 'tenants']);
  expect(result.questions).toContain('vacancy-rate-by-month');
  // Its charges have no area, so the rent roll lacks a column.
  expect(result.questions).not.toContain('rent-roll');
});

test('the workbook is read whole', async () => {
  const result = await checked('english-excel');
  expect(result.errors).toEqual([]);
  expect(rows(result)).toEqual({ property_hdr: 2, floor_area: 5, person: 3, tenancy_hdr: 3, contract_condition: 4 });
});

test('bookings of DATEV become documents with two lines', async () => {
  const result = await checked('datev');
  expect(result.errors).toEqual([]);
  expect(rows(result)).toEqual({ property_hdr: 2, account: 7, booking_hdr: 8, booking_pos: 16 });
});

test('measures and questions over a constant amount are not promised, and days are in ISO 8601', async () => {
  const folder = 'examples/sources/english-excel';
  const source = parseSource(readFileSync(`${folder}/source.yml`, 'utf8'), 'source.yml');
  const check = () => checkSource({ source, folder: `${folder}/export`, documents: questionDocuments }, undefined);
  const before = await check();
  for (const { table, columns } of source.tables) if (table === 'tenancy_hdr') columns.balance = { constant: 0 };
  const { tables, measures, questions } = await check();
  const tenancies = tables.find(({ table }) => table === 'tenancy_hdr')!;
  expect(tenancies.constantAmounts).toContain('balance');
  expect(measures).not.toContain('tenants.arrears');
  expect(questions.length).toBeLessThanOrEqual(before.questions.length);
  expect(JSON.stringify(tables.flatMap(({ samples }) => samples))).not.toMatch(/GMT/);
});
