/**
 * Builds the service and loads the demo customers once for the whole run, or once for all runs with the same sources. Each test file starts
 * from a copy.
 *
 * Without DATABASE_URL the copy is an embedded database, with it a database on that server, which may be a
 * coordinator of Citus. All databases of a run are dropped at its end.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
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

/** What the template is made of: the modules that a load uses, the demo, and the versions of the libraries. */
const madeOf = [
  ...['catalogue', 'plan', 'query', 'sql', 'database', 'wire', 'cache', 'execute', 'access', 'webhooks', 'checks', 'sync', 'sources'].map(
    (module) => `src/${module}`,
  ),
  'demo',
  'test/support/template-database.ts',
  'package-lock.json',
];

const filesBelow = (path: string): readonly string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path)
        .toSorted()
        .flatMap((name) => filesBelow(join(path, name)));

/** `npm ci` empties it. */
const cache = 'node_modules/.cache/estate-test';
const dayMs = 86_400_000;

/** The folder of the template for these sources. Other templates are removed after a day. */
const templateFolder = (): string => {
  const digest = createHash('sha256');
  for (const path of madeOf.flatMap(filesBelow)) digest.update(path).update(readFileSync(path));
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true });
  }
  return join(cache, digest.digest('hex').slice(0, 16));
};

/** Keeps the template for later runs with the same sources, because loading it takes longer than most test files. */
const prepareEmbedded = async (): Promise<Prepared> => {
  const kept = templateFolder();
  const prepared = { template: { folder: kept }, remove: async () => {} };
  if (existsSync(kept)) return prepared;
  const folder = mkdtempSync(join(cache, 'new-'));
  // Every database writes to the write-ahead log, and copies its segment first.
  const lite = await PGlite.create(folder, {
    startParams: [...startParams, '-c', 'wal_recycle=off'],
    initDbStartParams: ['--wal-segsize=1'],
  });
  const database = await overPglite(lite);
  await loadTemplate(database);
  await database.close();
  try {
    renameSync(folder, kept);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(kept)) throw error;
    rmSync(folder, { recursive: true });
  }
  return prepared;
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
