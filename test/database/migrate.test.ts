import { PGlite } from '@electric-sql/pglite';
import { describe, expect, test, vi } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { migrate } from '../../src/database/control/control.ts';
import { listCustomers } from '../../src/database/control/customers.ts';
import { overPglite } from '../../src/database/embedded/embedded.ts';
import { keyHash } from '../../src/database/migrations/012-key-hash.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { poolOptions } from '../support/settings.ts';

// A copy of the template waits for a checkpoint of the server.
vi.setConfig({ testTimeout: 120_000 });

describe('migrations of the control schema', () => {
  test('from an empty database, once', async () => {
    const database = await overPglite(await PGlite.create());
    try {
      const applied = await migrate(database.control);
      expect(applied[0]).toBe('001_customers_keys_datasets');
      expect(applied).toEqual([...applied].sort());
      expect(await migrate(database.control)).toEqual([]);
      expect(await listCustomers(database)).toEqual([]);
      const { rows } = await database.pool.query("select table_schema from information_schema.tables where table_schema = 'public'");
      expect(rows).toEqual([]);
    } finally {
      await database.close();
    }
  });

  test('existing data is preserved', async () => {
    const database = await openTestDatabase();
    try {
      expect(await migrate(database.control)).toEqual([]);
      expect((await listCustomers(database)).map(({ slug }) => slug)).toEqual(['nord', 'sued']);
    } finally {
      await database.close();
    }
  });

  test('a key whose hash has another length is ended, so that the length can be checked', async () => {
    const database = await openTestDatabase();
    try {
      await database.pool.query(
        `alter table estate.api_keys drop constraint api_keys_hash_length;
         update estate.api_keys set hash = 'short' where id = 'nordbasic'`,
      );
      await keyHash.up(database.control);
      const { rows } = await database.pool.query(
        'select id, octet_length(hash) as length from estate.api_keys where revoked_at is not null',
      );
      expect(rows).toEqual([{ id: 'nordbasic', length: 32 }]);
    } finally {
      await database.close();
    }
  });

  test('a schema of a newer program is refused with an explanation', async () => {
    const database = await openTestDatabase();
    try {
      await database.pool.query("insert into estate.kysely_migration (name, timestamp) values ('999_later', '')");
      await expect(migrate(database.control)).rejects.toThrow(
        'The control schema is newer than this program: it has 999_later. Run the newer program, or restore the backup from before the upgrade.',
      );
    } finally {
      await database.close();
    }
  });

  test('reads no tables of customers', async () => {
    const database = await openTestDatabase();
    try {
      const seen = await database.control.introspection.getTables();
      expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining(['customers', 'kysely_migration']));
      expect(new Set(seen.map(({ schema }) => schema))).toEqual(new Set(['estate']));
    } finally {
      await database.close();
    }
  });

  test.runIf(onServer)('several processes can migrate concurrently', async () => {
    const database = await openTestDatabase();
    const others = Array.from({ length: 3 }, () => openPostgres(database.address as string, poolOptions));
    try {
      await database.pool.query('drop schema estate cascade');
      const applied = await Promise.all(others.map(({ control }) => migrate(control)));
      const all = applied.flat();
      expect(all.length).toBeGreaterThan(0);
      expect(new Set(all).size).toBe(all.length);
    } finally {
      await Promise.all(others.map((other) => other.close()));
      await database.close();
    }
  });
});
