/** A separate database for a test file, with the demo customers. */
import { randomBytes } from 'node:crypto';
import { inject, type ProvidedContext } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { openPostgres, type PoolOptions } from '../../src/database/connections/postgres.ts';
import { overPglite } from '../../src/database/embedded/embedded.ts';
import { openEmbeddedCopy } from './embedded-copy.ts';
import { copyDatabase, dropDatabase, serversOf } from './server-databases.ts';
import { poolOptions } from './settings.ts';

/** Whether the tests run against a PostgreSQL server. */
export const onServer = Boolean(process.env.DATABASE_URL);

const copyOnServer = async (url: string, template: string, prefix: string): Promise<{ address: string; drop: () => Promise<void> }> => {
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const servers = await serversOf(url);
  return { address: await copyDatabase(servers, template, name), drop: () => dropDatabase(servers, name) };
};

/** Opens a fresh copy of the template. Closing removes it. */
export const openTestDatabase = async (options: Partial<PoolOptions> = {}): Promise<Database & { readonly address?: string }> => {
  const template = inject('template') as ProvidedContext['template'] | undefined;
  if (!template) throw new Error('this test needs the demo customers, which files named *.unit.test.ts run without');
  if ('folder' in template) return overPglite(await openEmbeddedCopy(template.folder));
  const { address, drop } = await copyOnServer(process.env.DATABASE_URL as string, template.database, template.prefix);
  const database = openPostgres(address, { ...poolOptions, ...options });
  return {
    ...database,
    address,
    close: async () => {
      await database.close();
      await drop();
    },
  };
};
