/** Marks of personal columns: complete by name, by source, and never on a column that the service itself needs. */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { measuresOf } from '../../src/catalogue/measures/measure-formula.ts';
import { notPersonal } from '../../src/catalogue/personal.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { RawTable } from '../../src/catalogue/raw-table.ts';
import { expressionOf } from '../../src/database/ddl.ts';
import { pathsIn } from '../../src/plan/groups/groups.ts';

/** Names and meanings that suggest personal data. A new column that matches needs a mark or a reason. */
const suggestive =
  /name|phone|mobile|\bfax\b|mail|iban|\bbic\b|bank|mandate|\btax|vat_id|vat identification|birth|salutation|title|holder|contact(?!or)|address|entrance|street|house_no|postal|\bcity|website|user|certificate_number|signature|passport|gender|nationality|religion/i;

const tables = [...catalogue.tables.values()];
const raw = Object.entries<RawTable>(rawTables);

/** All columns with the words that describe them. */
const columns = [
  ...tables.flatMap((table) =>
    Object.entries(table.columns).map(([name, { meaning, personal }]) => ({
      path: `${table.name}.${name}`,
      words: [name, meaning],
      personal,
    })),
  ),
  ...raw.flatMap(([table, { columns, personal }]) =>
    Object.keys(columns).map((name) => ({ path: `${table}.${name}`, words: [name], personal: personal[name] })),
  ),
];

describe('every column that suggests personal data', () => {
  const found = columns.filter(({ words }) => words.some((text) => suggestive.test(text)));

  test('has a mark or a reason', () => {
    expect(found.filter(({ path, personal }) => !personal && !notPersonal[path]).map(({ path }) => path)).toEqual([]);
  });

  test('a reason is for a column that exists, suggests personal data and has no mark', () => {
    const unmarked = new Set(found.filter(({ personal }) => !personal).map(({ path }) => path));
    expect(Object.keys(notPersonal).filter((path) => !unmarked.has(path))).toEqual([]);
  });
});

test.each(tables.map((table) => [table.name, table] as const))('%s marks what comes from a marked raw column', (_, table) => {
  const { source } = table;
  const rawOf = new Map<string, RawTable>([
    [source.as, rawTables[source.table]],
    ...source.joins.map(({ as, table }) => [as, rawTables[table]] as const),
  ]);
  for (const [name, { personal }] of Object.entries(table.columns)) {
    const read = [...expressionOf(table, name).matchAll(/\b(\w+)\."?(\w+)"?/g)];
    const classes = read.flatMap(([, alias = '', column = '']) => rawOf.get(alias)?.personal[column] ?? []);
    expect([name, personal]).toEqual([name, classes.find((each) => each === personal) ?? classes[0]]);
  }
});

test.each(tables.map((table) => [table.name, table] as const))('%s needs no personal column to be read', (_, table) => {
  const needed = [table.key, ...table.sort, ...table.unique, ...table.requiredFilters, 'property_id'];
  const related = (catalogue.relations.get(table.name) ?? []).map(({ column }) => column);
  const measured = measuresOf(table.name, (name) => catalogue.relations.get(name) ?? []).flatMap(({ formula, over }) =>
    pathsIn(formula).flatMap(({ via, column }) => (over || via.length > 0 ? [] : [column])),
  );
  for (const name of [...needed, ...related, ...measured]) expect([name, table.columns[name]?.personal]).toEqual([name, undefined]);
  for (const [name, { personal, lookup }] of Object.entries(table.columns)) if (lookup) expect([name, personal]).toEqual([name, undefined]);
});

test('no key of a raw table is personal', () => {
  for (const [name, { key, unique, personal }] of raw)
    for (const column of [key, ...unique.flat()]) expect([name, column, personal[column]]).toEqual([name, column, undefined]);
});
