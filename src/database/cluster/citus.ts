/**
 * Citus, if the database has it: each customer's schema is on one node, and `estate` is on the coordinator (decision 050). Without Citus,
 * each method does what plain PostgreSQL needs.
 */
import type pg from 'pg';
import { OperatorError } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { inTransaction } from '../connections/transaction.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify } from '../identifier.ts';
import { loadLockSpace } from '../load-lock.ts';
import { NodeGuard } from './node-guard.ts';
import { NodeHealth } from './node-health.ts';
import { type ClusterNode, listNodes } from './nodes.ts';

const hasExtension = async (client: pg.ClientBase | pg.Pool): Promise<boolean> => {
  const { rowCount } = await client.query(`select from pg_catalog.pg_extension where extname = 'citus'`);
  return rowCount === 1;
};

/** Distributes a customer's schema, in the client's transaction. Without Citus, or if it is distributed, nothing happens. */
export const distributeSchema = async (client: pg.ClientBase, schema: string): Promise<boolean> => {
  if (!(await hasExtension(client))) return false;
  const { rowCount } = await client.query(
    'select from pg_catalog.pg_dist_schema where schemaid = (select oid from pg_catalog.pg_namespace where nspname = $1)',
    [schema],
  );
  if (rowCount !== 0) return false;
  // Distributed tables have no triggers. This one is for instances of an earlier version.
  await client.query(`drop trigger if exists mirrors_dataset on ${qualify(schema, '_datasets')}`);
  await client.query('select pg_catalog.citus_schema_distribute($1::regnamespace)', [schema]);
  return true;
};

interface Undistributed {
  readonly id: number;
  readonly slug: string;
  readonly schema_name: string;
}

/** The customers whose schemas are on the coordinator. The database has Citus. */
export const listUndistributed = async (pool: pg.Pool): Promise<readonly Undistributed[]> => {
  const { rows } = await pool.query<Undistributed>(
    `select c.id, c.slug, c.schema_name from ${qualify(controlSchema, 'customers')} c join pg_catalog.pg_namespace n on n.nspname = c.schema_name
     where n.oid not in (select schemaid from pg_catalog.pg_dist_schema) order by c.slug`,
  );
  return rows;
};

export class Citus {
  readonly health: NodeHealth;
  /** Refuses and ends the reads of customers whose node does not answer. */
  readonly guard: NodeGuard;
  readonly #database: Database;
  #found: Promise<boolean> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.health = new NodeHealth(database, () => this.isThere());
    this.guard = new NodeGuard(database, this.health);
  }

  /** Whether customers' schemas may be on other nodes. It is read once, on a connection that the caller has or on one of its own. */
  isThere(client: pg.ClientBase | pg.Pool = this.#database.pool): Promise<boolean> {
    if (this.#database.embedded) return Promise.resolve(false);
    const found = this.#found ?? hasExtension(client);
    this.#found = found;
    found.catch(() => {
      this.#found = undefined;
    });
    return found;
  }

  /** All nodes, the coordinator first. Throws an `OperatorError` if the database has no Citus. */
  async nodes(client: pg.ClientBase | pg.Pool = this.#database.pool): Promise<readonly ClusterNode[]> {
    if (!(await this.isThere(client)))
      throw new OperatorError('The database has no extension "citus", so it has no nodes: docs/operating.md, "Citus".');
    return listNodes(client);
  }

  /** The pool for states in customers' schemas. */
  async statePool(): Promise<pg.Pool> {
    const { states, pool } = this.#database;
    return states && (await this.isThere()) ? states : pool;
  }

  /**
   * SQL that keeps a lock on this server. Citus sends a lock to every node, so a node that is lost would stop the reads of all customers. On
   * the coordinator it locks the names of the tables, and on the customer's node the tables themselves.
   */
  async keepsLocksHere(client: pg.ClientBase): Promise<string> {
    return (await this.isThere(client)) ? 'set local citus.enable_ddl_propagation = off; ' : '';
  }

  /**
   * Runs definitions of tables and indexes. One text saves round trips. Citus sends such a text to the nodes as it is, where it may have one
   * statement only.
   */
  async define(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return;
    const texts = (await this.isThere(client)) ? statements : [statements.join('; ')];
    for (const text of texts) await client.query(text);
  }

  /** Lets the settings of the transaction apply at the customer's node, too, where its tables are locked. */
  async sendSettings(client: pg.ClientBase): Promise<void> {
    if (await this.isThere(client)) await client.query("set local citus.propagate_set_commands = 'local'");
  }

  /**
   * Drops tables that the transaction has locked, and renames others in their place.
   *
   * On Citus, the lock was on the names of the tables. A reader at the customer's node locks the tables there, so a drop waits for it at most
   * `patienceMs`. The node must end this wait: after a cancelled statement, Citus cannot return to a savepoint.
   */
  async replace(client: pg.ClientBase, drops: readonly string[], renames: readonly string[], patienceMs: number): Promise<void> {
    if (!(await this.isThere(client))) return this.define(client, [...drops, ...renames]);
    await this.sendSettings(client);
    await client.query(`set local lock_timeout = ${patienceMs}`);
    await this.define(client, drops);
    await client.query('set local lock_timeout = 0');
    await this.define(client, renames);
  }

  /**
   * Distributes the schemas of all customers that are on the coordinator, each in a transaction under the customer's load lock. Readers of a
   * customer wait while its rows are copied. Returns the slugs. Instances of version 1.2 and earlier must not run.
   */
  async distributeCustomers(): Promise<readonly string[]> {
    if (!(await this.isThere())) return [];
    const { pool } = this.#database;
    const distributed: string[] = [];
    for (const { id, slug, schema_name } of await listUndistributed(pool)) {
      const isNew = await inTransaction(pool, async (client) => {
        await client.query('set local statement_timeout = 0');
        await client.query('select pg_catalog.pg_advisory_xact_lock($1, $2)', [loadLockSpace, id]);
        return distributeSchema(client, schema_name);
      });
      if (isNew) distributed.push(slug);
    }
    return distributed;
  }
}

const known = new WeakMap<Database, Citus>();

/** The cluster of a database. All its users share one. */
export const citusOf = (database: Database): Citus => {
  const citus = known.get(database) ?? new Citus(database);
  known.set(database, citus);
  return citus;
};
