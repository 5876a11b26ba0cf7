/** Loads of exports by source files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { inTransaction } from '../../src/database/connections/transaction.ts';
import { addCustomer, type Customer } from '../../src/database/control/customers.ts';
import { type LoadOptions, loadSource } from '../../src/sources/load-source.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';
import type { SyncResult } from '../../src/sync/request.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

const roots: string[] = [];

/** A folder with these files. */
export const folderWith = (files: Files): string => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-export-'));
  roots.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

export const removeFolders = (): void => {
  for (const folder of roots.splice(0)) rmSync(folder, { recursive: true });
};

export const readSourceFile = (path: string): Source => parseSource(readFileSync(path, 'utf8'), path);

/** A customer with loads of exports, and queries of the tables. `$schema` is the customer's schema. */
export class LoadedCustomer {
  readonly database: Database;
  readonly customer: Customer;

  constructor(database: Database, customer: Customer) {
    this.database = database;
    this.customer = customer;
  }

  static async add(database: Database, slug: string): Promise<LoadedCustomer> {
    const customer = await inTransaction(database.pool, (client) =>
      addCustomer(client, catalogue, { slug, name: slug, tier: 'enterprise' }),
    );
    return new LoadedCustomer(database, customer);
  }

  load(
    source: Source,
    folder: string,
    options: Pick<LoadOptions, 'accept' | 'allowDeletes' | 'confirmDeletes' | 'allowEmptyColumns' | 'dryRun' | 'strict'> = {},
  ): Promise<SyncResult> {
    const { database, customer } = this;
    return loadSource({ database, catalogue, customer }, { source, folder }, { retentionHours: 24, announceMs: 0, ...options });
  }

  async ask(sql: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.pool.query(sql.replaceAll('$schema', () => this.customer.schema_name));
    return rows;
  }
}

/** The tables that a load changed. */
export const changesOf = ({ tables }: SyncResult): readonly string[] =>
  tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0).map(({ table }) => table);
