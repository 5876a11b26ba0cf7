/** The shipped examples of sources, read without a customer. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSource } from '../../src/sources/check.ts';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { questionColumns } from '../../src/web/graphiql/question-columns.ts';

const asked = questionColumns();

const checked = (name: string) => {
  const folder = `examples/sources/${name}`;
  const source = parseSource(readFileSync(`${folder}/source.yml`, 'utf8'), 'source.yml');
  return checkSource({ source, folder: `${folder}/export`, questions: asked }, undefined);
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

test('a rent roll becomes properties, units, tenants, contracts and charges', async () => {
  const result = await checked('rent-roll');
  expect(result.errors).toEqual([]);
  // A property has a line for each unit, and a garage has the tenant of a flat.
  expect(rows(result)).toEqual({ property_hdr: 10, floor_area: 10, person: 8, tenancy_hdr: 8, contract_condition: 24 });
  expect(result.questions).toContain('rent-roll');
  // What no table reads is named once, and a sample has the columns of its table only.
  expect(result.tables.map(({ unused }) => unused)).toEqual([{}, {}, {}, {}, {}]);
  expect(Object.keys(result.tables[0]!.samples[0]!.before)).toEqual(['Objekt', 'Adresse', 'PLZ', 'Ort']);
  expect(result.tables[3]!.samples[0]!.after.account_id).toBe('LIN7, 01, 01.04.2016');
});

test('the draft of a rent roll can be loaded as soon as the values that it asks for are stated', async () => {
  const folder = 'examples/sources/rent-roll/export';
  const constants: Readonly<Record<string, string>> = {
    is_active: 'true',
    person_type_key: 'natural',
    tenant_type_key: 'residential',
    status_key: 'active',
    payment_interval_key: 'monthly',
    currency: 'EUR',
  };
  const { text: drafted, questions } = await draftSource(folder);
  expect(questions).toEqual([expect.stringContaining('values look like whole names'), expect.stringContaining('the list has no VAT')]);
  const asks = await checkSource({ source: parseSource(drafted, 'draft'), folder, questions: asked }, undefined);
  expect(asks.errors.join()).toContain('has a question: answer it in the source file');
  const text = drafted.replaceAll(/^ +question: .*\n/gm, '').replaceAll(/, question: (?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/g, '');
  const stated = text.replaceAll(/# needs a value: (\w+) .*/g, (line, column) => `${column}: { constant: ${constants[column] ?? line} }`);
  const result = await checkSource({ source: parseSource(stated, 'draft'), folder, questions: asked }, undefined);
  expect([result.errors, result.isLoadable]).toEqual([[], true]);
  const shipped = await checked('rent-roll');
  expect(rows(result)).toEqual(rows(shipped));
  expect(result.questions).toEqual(shipped.questions);
});

test('measures and questions over a constant amount are not promised, and days are in ISO 8601', async () => {
  const folder = 'examples/sources/english-excel';
  const source = parseSource(readFileSync(`${folder}/source.yml`, 'utf8'), 'source.yml');
  const check = () => checkSource({ source, folder: `${folder}/export`, questions: asked }, undefined);
  const before = await check();
  for (const { table, columns } of source.tables) if (table === 'tenancy_hdr') columns.balance = { constant: 0 };
  const { tables, measures, questions } = await check();
  const tenancies = tables.find(({ table }) => table === 'tenancy_hdr')!;
  expect(tenancies.constantAmounts).toContain('balance');
  expect(measures).not.toContain('tenants.arrears');
  expect(questions.length).toBeLessThanOrEqual(before.questions.length);
  expect(JSON.stringify(tables.flatMap(({ samples }) => samples))).not.toMatch(/GMT/);
});
