import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { createCategoryIndexes, printSchema } from '../../src/database/ddl.ts';
import { findDifferences } from '../../src/database/inspect.ts';
import { openTestDatabase } from '../support/database.ts';

describe('the schema of a customer follows from the catalogue', () => {
  test('its text equals the reviewed file (CONTRIBUTING has the command that updates it)', async () => {
    await expect(printSchema(catalogue, 'customer_example')).toMatchFileSnapshot('../goldens/schema.sql');
  });

  test('names are quoted', () => {
    expect(printSchema(catalogue, 'a"b')).toContain('create schema "a""b";');
  });

  test('every filter leads an index after its required filters, or has a reason for none', () => {
    for (const table of catalogue.tables.values()) {
      const leading = createCategoryIndexes(catalogue, 's', table).map((index) =>
        /\((.*)\)$/.exec(index)?.[1]?.replaceAll('"', '').split(', '),
      );
      const unindexed = table.filters.filter((filter) => {
        const isFound = filter === table.key || table.requiredFilters.includes(filter);
        const places = [filter, [...table.requiredFilters, filter].join()];
        return (
          !isFound &&
          !leading.some(
            (columns = []) =>
              places.includes(columns[0] ?? '') || places.includes(columns.slice(0, table.requiredFilters.length + 1).join()),
          )
        );
      });
      expect([table.name, unindexed]).toEqual([table.name, Object.keys(table.withoutIndex)]);
    }
  });

  test('every index of the text exists in the database, and nothing differs from the catalogue', async () => {
    const database = await openTestDatabase();
    try {
      const customer = await findCustomer(database, 'nord');
      expect(await findDifferences(database, catalogue, [customer.id])).toEqual([]);
      const printed = [...printSchema(catalogue, customer.schema_name).matchAll(/index if not exists "([^"]+)"/g)].map(([, name]) => name);
      const { rows } = await database.pool.query('select indexname from pg_indexes where schemaname = $1', [customer.schema_name]);
      const found = rows.map(({ indexname }) => indexname);
      expect(new Set(printed).size).toBe(printed.length);
      expect(found).toEqual(expect.arrayContaining(printed));
    } finally {
      await database.close();
    }
  });
});
