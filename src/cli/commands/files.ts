/** `estate files …`: the files that the service serves under `/files` (contract: building files). */
import { Directories } from '../../cache/directory.ts';
import { Versions } from '../../cache/versions.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { DatasetKind } from '../../catalogue/table.ts';
import { type Config, filesPlaceOf } from '../../config.ts';
import type { Database } from '../../database/connections/connection.ts';
import { type Customer, findCustomer, listCustomers, schemaOf } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { createReaderContext } from '../../execute/reader.ts';
import { FileBuilds } from '../../files/builds.ts';
import { findFileTable } from '../../files/file-tables.ts';
import { type FileFormat, fileFormats } from '../../files/formats.ts';
import { customerFolder, type FileOwner, storedNameOf } from '../../files/store/file-names.ts';
import { FileStore, type StoredFile } from '../../files/store/file-store.ts';
import { createCursors } from '../../plan/cursor.ts';
import { type CommandSession, columns, report, withSession } from '../session.ts';

interface Options {
  readonly json?: boolean;
}

interface Selection extends Options {
  readonly table?: readonly string[];
  readonly format?: readonly FileFormat[];
  /** Whether only files of which an earlier version is there are built. */
  readonly again?: boolean;
}

const ownerOf = async (database: Database, versions: Versions, { id }: Pick<Customer, 'id'>): Promise<FileOwner> => {
  const [{ epoch }, schema] = [await versions.requiredRevision(id), await schemaOf(database, id)];
  return { customer: { id, schema }, epoch };
};

/** The tables of a customer: category tables by name, raw tables as `raw/name`. */
const tablesOf = async (database: Database, { customer }: FileOwner) => {
  const directory = await new Directories(database, catalogue).of(customer);
  const names: readonly (readonly [DatasetKind, string])[] = [
    ...[...directory.categoryTables].map((name) => ['category', name] as const),
    ...[...directory.rawTables.keys()].map((name) => ['raw', name] as const),
  ];
  return names.flatMap(([kind, name]) => {
    const table = findFileTable({ catalogue, directory, customer }, kind, name);
    return table ? [{ table, label: kind === 'raw' ? `raw/${name}` : name }] : [];
  });
};

type Tables = Awaited<ReturnType<typeof tablesOf>>;

/** The selected tables. Throws for a name that the customer does not have. */
const selectedTables = (tables: Tables, names: readonly string[] | undefined): Tables => {
  const unknown = names?.find((name) => !tables.some(({ label }) => label === name));
  if (unknown !== undefined) throw new OperatorError(`The customer has no table ${unknown}.`);
  return names ? tables.filter(({ label }) => names.includes(label)) : tables;
};

const storeOf = (config: Config): FileStore => new FileStore(filesPlaceOf(config));

const withVersions = async <T>(database: Database, work: (versions: Versions) => Promise<T>): Promise<T> => {
  const versions = new Versions(database, { listen: false });
  try {
    return await work(versions);
  } finally {
    await versions.close();
  }
};

const shown = (customer: string, table: string, format: FileFormat, { version, rows, bytes, sha256, builtAt }: StoredFile) => ({
  customer,
  table,
  format,
  version,
  rows,
  bytes,
  sha256,
  built_at: builtAt,
});

/** Lists the files of keys without a data scope. */
export const listFilesCommand = (options: Options & { readonly customer?: string }) =>
  withSession(async ({ config, database }) => {
    const store = storeOf(config);
    const customers = options.customer === undefined ? await listCustomers(database) : [await findCustomer(database, options.customer)];
    const found: ReturnType<typeof shown>[] = [];
    await withVersions(database, async (versions) => {
      for (const customer of customers) {
        const owner = await ownerOf(database, versions, customer);
        const builtVersions = await store.list(owner);
        for (const { table, label } of await tablesOf(database, owner))
          for (const format of fileFormats)
            for (const version of builtVersions(storedNameOf(owner, table, format))) {
              const file = await store.find(storedNameOf(owner, table, format), version);
              if (file) found.push(shown(customer.slug, label, format, file));
            }
      }
    });
    const rows = found.map((file) => [
      ...[file.customer, file.table, file.format],
      ...[file.version, file.rows, file.bytes].map(String),
      file.built_at,
    ]);
    report(found, options, () => columns(['customer', 'table', 'format', 'version', 'rows', 'bytes', 'built'], rows));
  });

const buildAll = async ({ config, database, secret }: CommandSession, slug: string, options: Selection) => {
  const store = storeOf(config);
  const reading = createReaderContext(database, createCursors(secret));
  const builds = new FileBuilds({ reading, store, onError: () => {} });
  return withVersions(database, async (versions) => {
    const owner = await ownerOf(database, versions, await findCustomer(database, slug));
    const built: ReturnType<typeof shown>[] = [];
    const keptVersions = await store.list(owner);
    for (const { label, table } of selectedTables(await tablesOf(database, owner), options.table))
      for (const format of options.format ?? fileFormats) {
        const file = storedNameOf(owner, table, format);
        if (options.again && keptVersions(file).length === 0) continue;
        const stored = await store.find(file, await builds.build({ owner, table, format }));
        if (stored) built.push(shown(slug, label, format, stored));
      }
    return built;
  });
};

/** Builds the files of the current data that are missing, for keys without a data scope. */
export const buildFiles = (slug: string, options: Selection) =>
  withSession(async (session) => {
    const built = await buildAll(session, slug, options);
    const bytes = built.reduce((sum, file) => sum + file.bytes, 0);
    report(built, options, () => `${built.length} files of customer ${slug} are up to date, ${bytes} bytes.`);
  });

/** Removes old versions, and the files of removed customers and of earlier epochs. */
export const pruneFiles = (options: Options) =>
  withSession(async ({ config, database }) => {
    const current = await withVersions(database, async (versions) => {
      const owners = (await listCustomers(database)).map((customer) => ownerOf(database, versions, customer));
      return new Set((await Promise.all(owners)).map(customerFolder));
    });
    const removed = await storeOf(config).pruneAll(current);
    report({ removed }, options, () => `Removed ${removed} files.`);
  });
