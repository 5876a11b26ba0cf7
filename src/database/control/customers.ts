/**
 * Customers. Each has a row in the control schema and a schema for its raw and category tables with their state, so that its data can be
 * granted, dumped, moved or dropped as one unit.
 */
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Catalogue } from '../../catalogue/index.ts';
import { rawTables } from '../../catalogue/raw/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import { type Tier, tiers } from '../../catalogue/tiers.ts';
import { OperatorError } from '../../errors.ts';
import { distributeSchema } from '../cluster/citus.ts';
import type { Database } from '../connections/connection.ts';
import { type ControlTables, controlSchema, createsPlainSchemas } from '../control-tables.ts';
import { createCategoryTable, createRawTable } from '../ddl.ts';
import { qualify, quote } from '../identifier.ts';
import { registerDataset } from './datasets.ts';
import { createStateTables, stateTable } from './state-tables.ts';

export type Customer = Selectable<ControlTables['customers']>;

export interface NewCustomer {
  readonly slug: string;
  readonly name: string;
  readonly tier: Tier;
}

const slugPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** Parses a tier. Throws an `OperatorError` that names the valid ones. */
export const parseTier = (text: string): Tier => {
  const tier = tiers.find((known) => known === text);
  if (!tier) throw new OperatorError(`Unknown tier '${text}': it is one of ${tiers.join(', ')}.`);
  return tier;
};

/** Parses a customer's display name. Throws an `OperatorError` if it is not valid. */
export const parseName = (text: string): string => {
  const name = text.trim();
  if (name === '') throw new OperatorError('A customer needs a name.');
  if (name.length > 200) throw new OperatorError('A name has at most 200 characters.');
  return name;
};

/** Adds a customer with empty tables, in the client's transaction. */
export const addCustomer = async (client: pg.ClientBase, catalogue: Catalogue, { slug, name, tier }: NewCustomer): Promise<Customer> => {
  if (!slugPattern.test(slug))
    throw new OperatorError(`'${slug}' is no customer name: lower-case letters, digits and hyphens, beginning with a letter, at most 40.`);
  const schema = `customer_${slug.replaceAll('-', '_')}`;
  const { rows } = await client.query<Customer>(
    `insert into ${qualify(controlSchema, 'customers')} (slug, name, tier, schema_name) values ($1, $2, $3, $4)
     on conflict do nothing returning *`,
    [slug, name, tier, schema],
  );
  const [customer] = rows;
  if (!customer) throw new OperatorError(`There is a customer '${slug}' already.`);

  const { rowCount: isTaken } = await client.query('select from pg_catalog.pg_namespace where nspname = $1', [schema]);
  if (isTaken)
    throw new OperatorError(
      `The database has a schema '${schema}' that belongs to no customer, left by an earlier one: drop or rename it, or choose another name.`,
    );
  await client.query(createsPlainSchemas.replace('set ', 'set local '));
  await client.query(`create schema ${quote(schema)}`);
  for (const statement of createStateTables(schema)) await client.query(statement);
  await client.query(`insert into ${stateTable(schema, '_state')} (epoch, base) select id, base from ${qualify(controlSchema, 'epoch')}`);
  for (const [table, definition] of Object.entries<RawTable>(rawTables)) {
    await client.query(createRawTable(schema, table, definition));
    await registerDataset(client, schema, { kind: 'raw', name: table, key_column: definition.key, tier: definition.tier });
  }
  for (const table of catalogue.tables.values()) {
    await client.query(createCategoryTable(schema, table));
    await registerDataset(client, schema, { kind: 'category', name: table.name, key_column: null, tier: null });
  }
  await distributeSchema(client, schema);
  return customer;
};

export const listCustomers = ({ control }: Database): Promise<Customer[]> =>
  control.selectFrom('customers').selectAll().orderBy('slug').execute();

/** The customer with this slug. No slug has the character 0, which PostgreSQL refuses. */
export const customerWithSlug = async ({ control }: Pick<Database, 'control'>, slug: string): Promise<Customer | undefined> =>
  slug.includes('\0') ? undefined : control.selectFrom('customers').selectAll().where('slug', '=', slug).executeTakeFirst();

/** The customer with this slug. Throws an `OperatorError` if there is none. */
export const findCustomer = async (database: Pick<Database, 'control'>, slug: string): Promise<Customer> => {
  const customer = await customerWithSlug(database, slug);
  if (!customer) throw new OperatorError(`There is no customer '${slug}'.`);
  return customer;
};

const schemas = new WeakMap<Database, LRUCache<number, string>>();

/** The schema of a customer's data. It never changes. Throws if there is no such customer. */
export const schemaOf = async (database: Database, id: number): Promise<string> => {
  const known = schemas.get(database) ?? new LRUCache<number, string>({ max: 100_000 });
  schemas.set(database, known);
  const found = known.get(id);
  if (found !== undefined) return found;
  const { schema_name } = await database.control
    .selectFrom('customers')
    .select('schema_name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  known.set(id, schema_name);
  return schema_name;
};
