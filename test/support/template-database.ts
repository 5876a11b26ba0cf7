/**
 * Builds the service and loads the demo customers once for the whole run. Each test file starts from a copy.
 *
 * Without DATABASE_URL the copy is an embedded database, with it a database on that server, which may be a
 * coordinator of Citus. All databases of a run are dropped at its end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { loadDemo } from '../../demo/load.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { migrate } from '../../src/database/control/control.ts';
import { overPglite, startParams } from '../../src/database/embedded/embedded.ts';
import { buildProgram } from './program.ts';
import { createDatabase, dropDatabase, listDatabases, serversOf } from './server-databases.ts';
import { poolOptions, testSecret } from './settings.ts';
import type { Prepared } from './template.ts';

/** Creates the control schema and the demo customers. */
export const loadTemplate = async (database: Database): Promise<void> => {
  await migrate(database.control);
  const service = { database, catalogue, secret: testSecret };
  await loadDemo(service, 'nord', { scale: 'tiny', seed: 1 });
  await loadDemo(service, 'sued', { scale: 'tiny', seed: 2, bookingYears: 1 });
};

const prepareEmbedded = async (): Promise<Prepared> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-test-'));
  // Every database writes to the write-ahead log, and copies its segment first.
  const lite = await PGlite.create(folder, {
    startParams: [...startParams, '-c', 'wal_recycle=off'],
    initDbStartParams: ['--wal-segsize=1'],
  });
  const database = await overPglite(lite);
  await loadTemplate(database);
  await database.close();
  return { template: { folder }, remove: async () => rmSync(folder, { recursive: true }) };
};

const prepareServer = async (url: string): Promise<Prepared> => {
  const prefix = `estate_test_${process.pid}_`;
  const template = `${prefix}template`;
  const servers = await serversOf(url);
  const database = openPostgres(await createDatabase(servers, template), poolOptions);
  await loadTemplate(database);
  await database.close();
  const remove = async () => {
    for (const name of await listDatabases(servers, prefix)) await dropDatabase(servers, name);
  };
  return { template: { database: template, prefix }, remove };
};

/** Builds the service and loads the demo customers. */
export const prepareTemplate = async (): Promise<Prepared> => {
  const url = process.env.DATABASE_URL;
  const [prepared] = await Promise.all([url ? prepareServer(url) : prepareEmbedded(), buildProgram()]);
  return prepared;
};
