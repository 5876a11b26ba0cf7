/**
 * Which tables a customer has, as the database says: the datasets that are registered and whose tables are there.
 */
import type { Kind } from '../catalogue/column.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { cursorColumn, type Table } from '../catalogue/table.ts';
import { categories, includesTier, type Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import { qualify } from '../database/identifier.ts';
import type { Source } from './plan.ts';

/** A raw table of a customer; it may be one that the catalogue does not know. */
export interface RawDataset {
  readonly name: string;
  readonly tier: Tier;
  readonly columns: readonly string[];
  readonly source: Source;
}

export interface Directory {
  /** Names of the category tables that are there. */
  readonly categoryTables: ReadonlySet<string>;
  readonly rawTables: ReadonlyMap<string, RawDataset>;
}

export interface CustomerSchema {
  readonly id: number;
  readonly schema: string;
}

const rememberedMs = 1_000;

export class Directories {
  readonly #database: Database;
  readonly #remembered = new Map<number, { directory: Promise<Directory>; until: number }>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The customer's tables, at most a second old. */
  of(customer: CustomerSchema): Promise<Directory> {
    const remembered = this.#remembered.get(customer.id);
    if (remembered && remembered.until > Date.now()) return remembered.directory;
    const directory = this.#read(customer);
    this.#remembered.set(customer.id, { directory, until: Date.now() + rememberedMs });
    directory.catch(() => this.#remembered.delete(customer.id));
    return directory;
  }

  async #read({ id, schema }: CustomerSchema): Promise<Directory> {
    const { rows } = await this.#database.pool.query<{ kind: string; name: string; key_column: string; tier: Tier; columns: string[] }>({
      name: 'directory',
      text: `select d.kind, d.name, d.key_column, d.tier,
        array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns
        from ${qualify(controlSchema, 'datasets')} d
        join pg_namespace n on n.nspname = $2
        join pg_class c on c.relnamespace = n.oid and c.relname = d.name
        where d.customer_id = $1 order by d.name collate "C"`,
      values: [id, schema],
    });
    const raw = rows
      .filter((row) => row.kind === 'raw')
      .map(({ name, tier, columns, key_column }) => {
        const cursor = { column: key_column, kind: 'bigint' as const };
        return { name, tier, columns, source: { schema, customerId: id, kind: 'raw' as const, name, sort: [key_column], cursor } };
      });
    return {
      categoryTables: new Set(rows.filter((row) => row.kind === 'category').map((row) => row.name)),
      rawTables: new Map(raw.map((dataset) => [dataset.name, dataset])),
    };
  }
}

/** A category table of a customer, as pages are read from it. */
export const categorySource = (table: Table, { id, schema }: CustomerSchema): Source => {
  const column = cursorColumn(table);
  const kind: Kind = (column && table.columns[column]?.kind) || 'string';
  return { schema, customerId: id, kind: 'category', name: table.name, sort: table.sort, cursor: column ? { column, kind } : undefined };
};

/** Tables that a tier includes, of those given. */
export const readableTables = (tables: readonly Table[], tier: Tier): Table[] =>
  tables.filter((table) => includesTier(tier, categories[table.category]));

/** Tables of the catalogue that are there, in catalogue order. */
export const presentTables = (catalogue: Catalogue, directory: Directory): Table[] =>
  [...catalogue.tables.values()].filter((table) => directory.categoryTables.has(table.name));
