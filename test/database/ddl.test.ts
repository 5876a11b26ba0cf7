import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/customers.ts';
import { printSchema } from '../../src/database/ddl.ts';
import { inspectCustomer } from '../../src/database/inspect.ts';
import { openTestDatabase } from '../support/database.ts';

describe("a customer's schema is made from the catalogue", () => {
  test('as text it is the golden under review (rewritten by vitest -u)', async () => {
    await expect(printSchema(catalogue, 'customer_example')).toMatchFileSnapshot('../goldens/schema.sql');
  });

  test('names are quoted', () => {
    expect(printSchema(catalogue, 'a"b')).toContain('create schema "a""b";');
  });

  test('every index of the text is in the database, and nothing differs from the catalogue', async () => {
    const database = await openTestDatabase();
    try {
      const customer = await findCustomer(database, 'nord');
      expect(await inspectCustomer(database, catalogue, customer)).toEqual([]);
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
