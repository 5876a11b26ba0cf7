import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { RawTable } from '../../src/catalogue/raw-table.ts';
import { categories, includesTier, tiers } from '../../src/catalogue/tiers.ts';
import { requiredFilters, specified, tierCategories, unversionedTables } from '../support/specification.ts';

const identifier = /^[a-z][a-z0-9_]{0,62}$/;
const tables = [...catalogue.tables.values()];

describe('the catalogue matches its specification', () => {
  test('categories and tables, in their order', () => {
    const found = Object.fromEntries(
      Object.keys(categories).map((category) => [category, tables.filter((table) => table.category === category).map(({ name }) => name)]),
    );
    expect(found).toEqual(specified);
    expect(Object.keys(found)).toEqual(Object.keys(specified));
    expect([...catalogue.tables.keys()]).toEqual(Object.values(specified).flat());
  });

  test('24 tables with 722 columns over 30 raw tables', () => {
    const columns = tables.flatMap((table) => Object.keys(table.columns));
    expect([tables.length, columns.length, Object.keys(rawTables).length]).toEqual([24, 722, 30]);
  });

  test('all but three tables are under /v1 (contract: versioned paths)', () => {
    expect(tables.filter(({ v1 }) => !v1).map(({ name }) => name)).toEqual(unversionedTables);
  });

  test('tiers include categories (contract: access tiers)', () => {
    for (const tier of tiers)
      expect(
        Object.entries(categories)
          .filter(([, needed]) => includesTier(tier, needed))
          .map(([category]) => category),
      ).toEqual(tierCategories[tier]);
  });

  test('required filters (contract: required filters)', () => {
    const required = tables.filter((table) => table.requiredFilters.length > 0).map((table) => [table.name, table.requiredFilters]);
    expect(required).toEqual(Object.entries(requiredFilters).map(([table, filters]) => [table, Object.keys(filters)]));
  });

  test('the four filters of index_rent (contract: filters)', () => {
    expect(catalogue.tables.get('index_rent')?.filters).toEqual(['property_id', 'account_id', 'index_name', 'base_year']);
  });
});

describe.each(tables.map((table) => [table.name, table] as const))('%s is consistent', (_, table) => {
  const names = Object.keys(table.columns);

  test('its names are identifiers, and it refers only to its own columns', () => {
    for (const name of [table.name, ...names]) expect(name).toMatch(identifier);
    for (const list of [table.filters, table.sort, table.unique, table.requiredFilters]) expect(new Set(list).size).toBe(list.length);
    for (const name of [table.key, ...table.sort, ...table.filters, ...table.unique]) expect(names).toContain(name);
    for (const name of [...table.requiredFilters, ...Object.keys(table.withoutIndex)]) expect(table.filters).toContain(name);
  });

  test('the sort key is unique as a whole and never null', () => {
    expect(table.sort.some((name) => name === table.key || table.unique.includes(name))).toBe(true);
    for (const name of [table.key, ...table.sort]) expect([name, table.columns[name]?.required]).toEqual([name, true]);
  });

  test('every column has a meaning and an existing code list, and numbers have digits', () => {
    for (const [name, { kind, meaning, lookup, digits }] of Object.entries(table.columns)) {
      expect([name, meaning.trim().length > 0]).toEqual([name, true]);
      if (lookup) expect(Object.keys(lookups)).toContain(lookup);
      expect([name, digits !== undefined]).toEqual([name, kind === 'number']);
    }
  });

  test('its joins use unique keys of raw tables', () => {
    expect(Object.keys(rawTables)).toContain(table.source.table);
    const aliases = new Set([table.source.as]);
    for (const { table: joined, as, column, equals } of table.source.joins) {
      const raw: RawTable = rawTables[joined];
      expect([joined, raw.key === column || raw.unique.some((unique) => unique.length === 1 && unique[0] === column)]).toEqual([
        joined,
        true,
      ]);
      expect(aliases).toContain(equals.split('.')[0]);
      expect(aliases).not.toContain(as);
      aliases.add(as);
    }
  });

  test('relations have unique names in both directions and lead to existing columns', () => {
    const relations = catalogue.relations.get(table.name) ?? [];
    expect(new Set(relations.map(({ name }) => name)).size).toBe(relations.length);
    for (const { column, target, targetColumn, inverse } of relations) {
      expect(names).toContain(column);
      expect(Object.keys(catalogue.tables.get(target)?.columns ?? {})).toContain(targetColumn);
      const back = catalogue.relations.get(target)?.filter((relation) => relation.name === inverse);
      expect(back).toHaveLength(1);
      expect(back?.[0]).toMatchObject({ column: targetColumn, target: table.name, targetColumn: column });
      expect(table.columns[column]?.kind.replace('bigint', 'integer')).toBe(
        catalogue.tables.get(target)?.columns[targetColumn]?.kind.replace('bigint', 'integer'),
      );
    }
  });
});

test('code lists have no duplicate value', () => {
  for (const [name, values] of Object.entries(lookups))
    expect([name, new Set(values.map(([value]) => value)).size]).toEqual([name, values.length]);
});

test('raw tables page by an integer key that is never null (contract: raw pages)', () => {
  for (const [name, table] of Object.entries<RawTable>(rawTables)) {
    expect(name).toMatch(identifier);
    expect([name, table.columns[table.key]]).toEqual([name, expect.stringMatching(/^(integer|bigint) not null$/)]);
  }
});
