/** Data scopes as operators write them (contract: data scopes). */
import { describe, expect, test } from 'vitest';
import { maxListed, parseScope, readScope, scopeInWords, scopeOf } from '../../src/access/scope.ts';
import { catalogueWithin, includesTable, tablesOfScope } from '../../src/catalogue/data-scope.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import { aggregateNames } from '../../src/plan/vocabulary/values.ts';

describe('a definition', () => {
  test.each([
    [{ personal: [] }, { personal: [] }],
    [{ personal: ['tax', 'name', 'name'] }, { personal: ['name', 'tax'] }],
    [{ properties: { ids: [3, 1, 3, 20] } }, { properties: { ids: [1, 3, 20] } }],
    [
      { properties: { federal_states: ['NW', 'BE'], companies: ['10'] } },
      { properties: { companies: ['10'], federal_states: ['BE', 'NW'] } },
    ],
  ])('%j is stored in one form', (given, stored) => {
    expect(JSON.stringify(readScope(given))).toBe(JSON.stringify(stored));
  });

  test.each([[{}], [null], [undefined], [{ personal: ['birth', 'tax', 'bank', 'contact', 'name'] }]])('%j limits nothing', (given) => {
    expect(readScope(given)).toBeNull();
  });

  test.each([
    ['[]', 'the scope must be an object'],
    ['"all"', 'the scope must be an object'],
    ['{', 'it is not JSON'],
    ['{"tables": []}', "the scope has the unknown name 'tables'; it may have personal, properties"],
    ['{"personal": "name"}', 'personal must be a list'],
    ['{"personal": ["names"]}', 'personal must list classes of name, contact, bank, tax, birth'],
    ['{"properties": [1001]}', 'properties must be an object'],
    ['{"properties": {}}', 'properties must have ids, companies or federal_states'],
    ['{"properties": {"ids": []}}', 'properties.ids must not be empty'],
    ['{"properties": {"ids": ["1001"]}}', 'properties.ids must list property ids'],
    ['{"properties": {"ids": [1.5]}}', 'properties.ids must list property ids'],
    ['{"properties": {"ids": [-1]}}', 'properties.ids must list property ids'],
    ['{"properties": {"ids": [2147483648]}}', 'properties.ids must list property ids'],
    ['{"properties": {"companies": [10]}}', 'properties.companies must list company numbers as text'],
    ['{"properties": {"federal_states": [""]}}', 'properties.federal_states must list federal states as text'],
    ['{"properties": {"states": ["BE"]}}', "properties has the unknown name 'states'; it may have ids, companies, federal_states"],
  ])('%s is refused', (text, reason) => {
    expect(() => parseScope(text)).toThrow(`The scope is not valid: ${reason}.`);
  });

  test('lists have a limit', () => {
    const ids = (count: number) => ({ properties: { ids: Array.from({ length: count }, (_, id) => id) } });
    expect(readScope(ids(maxListed))).toBeTruthy();
    expect(() => readScope(ids(maxListed + 1))).toThrow('properties.ids lists more than 10000 values');
  });

  test('in words', () => {
    expect(scopeInWords(null)).toBe('all data');
    expect(scopeInWords({ personal: ['contact', 'birth'] })).toBe('without personal data: name, bank, tax');
    expect(scopeInWords({ properties: { ids: [1, 2, 3, 4, 5, 6, 7] } })).toBe('properties 1, 2, 3, 4, 5 and 2 more');
    expect(scopeInWords({ personal: [], properties: { companies: ['10'], federal_states: ['BE'] } })).toBe(
      'without personal data: name, contact, bank, tax, birth; companies 10; federal states BE',
    );
  });
});

describe('a scope', () => {
  test('has the key of its definition, and shares its shape with others', () => {
    const [one, same, other] = [
      scopeOf({ properties: { ids: [1, 2] } }),
      scopeOf(readScope({ properties: { ids: [2, 1] } })),
      scopeOf({ properties: { ids: [3] } }),
    ];
    expect(one?.key).toBe(same?.key);
    expect(one?.key).not.toBe(other?.key);
    expect(one?.shape).toBe(other?.shape);
    expect(scopeOf(null)).toBeUndefined();
  });

  test('of personal classes marks columns and keeps all tables', () => {
    const within = catalogueWithin(catalogue, scopeOf({ personal: ['contact'] }));
    expect([...within.tables.keys()]).toEqual([...catalogue.tables.keys()]);
    for (const [name, table] of within.tables) {
      expect(Object.keys(table.columns)).toEqual(Object.keys(catalogue.tables.get(name)!.columns));
      for (const [column, { personal, isHidden = false, required }] of Object.entries(table.columns)) {
        expect([name, column, isHidden]).toEqual([name, column, personal !== undefined && personal !== 'contact']);
        if (isHidden) expect([name, column, required]).toEqual([name, column, undefined]);
      }
    }
  });

  test('of properties has no table of persons and no relation to one', () => {
    const scope = scopeOf({ properties: { ids: [1] } });
    const within = catalogueWithin(catalogue, scope);
    const hidden = ['creditor', 'employees', 'owner'];
    expect([...catalogue.tables.keys()].filter((name) => !within.tables.has(name)).sort()).toEqual(hidden);
    for (const relations of within.relations.values()) for (const { target } of relations) expect(hidden).not.toContain(target);
    expect(
      Object.keys(rawTables)
        .filter((name) => !includesTable(scope, 'raw', name))
        .sort(),
    ).toEqual(['creditor_hdr', 'owner_hdr', 'person', 'staff_hdr']);
    expect(includesTable(scope, 'raw', 'a_table_of_the_customer')).toBe(false);
    expect(includesTable(scopeOf({ personal: [] }), 'raw', 'a_table_of_the_customer')).toBe(false);
  });

  test('by company depends on the table of properties, and over a relation on its table', () => {
    expect(tablesOfScope(scopeOf({ properties: { ids: [1] } }), 'category', ['tenants'])).toEqual([]);
    expect(tablesOfScope(scopeOf({ properties: { companies: ['1'] } }), 'category', ['tenants'])).toEqual(['properties']);
    expect(tablesOfScope(scopeOf({ properties: { companies: ['1'] } }), 'category', ['kontenmapping_ranges'])).toEqual([]);
    expect(tablesOfScope(scopeOf({ properties: { ids: [1] } }), 'raw', ['order_invoice'])).toEqual(['order_hdr']);
  });
});

test('every table with the column of a property belongs to it', () => {
  for (const { name, columns, property } of catalogue.tables.values())
    expect([name, 'property_id' in columns]).toEqual([name, typeof property === 'object' && property.column === 'property_id']);
  for (const [name, { columns, property }] of Object.entries(rawTables) as [string, (typeof rawTables)['account']][])
    if ('property_id' in columns) expect([name, property]).toMatchObject([name, { column: 'property_id' }]);
});

test('the columns of an aggregate are those of a key without a scope, except hidden ones', () => {
  const within = catalogueWithin(catalogue, scopeOf({ properties: { ids: [1] } }));
  for (const table of within.tables.values())
    for (const aggregate of aggregateNames)
      expect([table.name, aggregate, aggregatableColumns(table, aggregate)]).toEqual([
        table.name,
        aggregate,
        aggregatableColumns(catalogue.tables.get(table.name)!, aggregate),
      ]);
});
