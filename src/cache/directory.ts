/** The tables of each customer: registered datasets whose tables exist. */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Kind } from '../catalogue/column.ts';
import type { DataScope } from '../catalogue/data-scope.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { cursorColumn, type Table } from '../catalogue/table.ts';
import type { Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connections/connection.ts';
import { datasetsOf, readColumns, runStateQuery } from '../database/control/datasets.ts';
import type { CustomerSchema } from '../database/control/state-tables.ts';
import { findDifferences } from '../database/inspect.ts';
import type { PlanSource } from '../plan/plan.ts';
import type { ReadableTable } from '../plan/plan-query.ts';

export type { CustomerSchema };

/** A raw table of a customer. The catalogue need not know it. */
export interface RawDataset extends ReadableTable {
  readonly tier: Tier;
}

export interface Directory {
  /** Names of the existing category tables. */
  readonly categoryTables: ReadonlySet<string>;
  readonly rawTables: ReadonlyMap<string, RawDataset>;
}

const cachedMs = 1_000;
const maxCached = 1_000;
const maxInspected = 100_000;

export class Directories {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #onDifference: (words: string) => void;
  readonly #cached = new LRUCache<number, Promise<Directory>>({ max: maxCached, ttl: cachedMs });
  readonly #inspected = new LRUCache<number, true>({ max: maxInspected });

  /** `onDifference` receives each difference from the catalogue once, at the customer's first request. */
  constructor(database: Database, catalogue: Catalogue, onDifference: (words: string) => void = () => {}) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#onDifference = onDifference;
  }

  /** The customer's tables, at most one second old. */
  of(customer: CustomerSchema): Promise<Directory> {
    const cached = this.#cached.get(customer.id);
    if (cached) return cached;
    const directory = this.#read(customer);
    this.#cached.set(customer.id, directory);
    directory.then(
      () => this.#inspect(customer),
      () => this.#cached.delete(customer.id),
    );
    return directory;
  }

  /** Runs in the background; no request waits for it. After a failure, a later request tries again. */
  #inspect({ id }: CustomerSchema): void {
    if (this.#inspected.has(id)) return;
    this.#inspected.set(id, true);
    findDifferences(this.#database, this.#catalogue, [id]).then(
      (differences) => differences.forEach(this.#onDifference),
      () => this.#inspected.delete(id),
    );
  }

  async #read({ id, schema }: CustomerSchema): Promise<Directory> {
    const query = datasetsOf(schema).select(['kind', 'name', 'key_column', 'tier']).orderBy(sql`name collate "C"`);
    const datasets = await runStateQuery(this.#database, id, query, `directory ${schema}`);
    const columnsOf = await readColumns(
      this.#database.pool,
      schema,
      datasets.map(({ name }) => name),
    );
    const rows = datasets.flatMap((row) => {
      const columns = columnsOf.get(row.name);
      return columns ? [{ ...row, columns }] : [];
    });
    const raw = rows
      .filter((row) => row.kind === 'raw')
      .map(({ name, tier, columns, key_column }): RawDataset => {
        const key = { column: key_column!, kind: 'bigint' as const };
        return { tier: tier!, columns, key, source: { schema, customerId: id, kind: 'raw', name, sort: [key.column], cursor: key } };
      });
    return {
      categoryTables: new Set(rows.filter((row) => row.kind === 'category').map((row) => row.name)),
      rawTables: new Map(raw.map((dataset) => [dataset.source.name, dataset])),
    };
  }
}

/** A category table of a customer, within a data scope, as the source of plans. */
export const categorySource = (table: Table, { id, schema }: CustomerSchema, scope?: DataScope): PlanSource => {
  const column = cursorColumn(table);
  const kind: Kind = (column && table.columns[column]?.kind) || 'string';
  const cursor = column ? { column, kind } : undefined;
  return { schema, customerId: id, scope, kind: 'category', name: table.name, sort: table.sort, cursor };
};

/** A raw table of a customer within a data scope. */
export const rawWithin = (raw: RawDataset, scope: DataScope | undefined): RawDataset =>
  scope ? { ...raw, source: { ...raw.source, scope } } : raw;
