/** Operations on customers: add, rename, suspend, resume, change the tier, move, remove. Each is recorded in the audit log under `actor`. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Catalogue } from '../catalogue/index.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { citusOf } from '../database/cluster/citus.ts';
import { type Moved, type MoveOptions, moveCustomer } from '../database/cluster/move-customer.ts';
import { addressText, findNode, type NodeAddress } from '../database/cluster/nodes.ts';
import type { Database } from '../database/connections/connection.ts';
import { inTransaction } from '../database/connections/transaction.ts';
import { addCustomer, type Customer, findCustomer, type NewCustomer, parseName } from '../database/control/customers.ts';
import { loadLockSpace } from '../database/load-lock.ts';
import { OperatorError } from '../errors.ts';
import { type Actor, actionStatement, commandLine, recordAction } from './audit.ts';
import { keyCachedMs } from './key-lookup.ts';

/** How long a removal waits for requests in flight that read the customer's tables. */
const readersWaitedForMs = 10_000;
const lockNotAvailable = '55P03';

export class CustomerStore {
  readonly #database: Database;
  readonly #actor: Actor;

  constructor(database: Database, actor: Actor = commandLine) {
    this.#database = database;
    this.#actor = actor;
  }

  /**
   * Adds a customer with empty tables, on a node of Citus if one is given. Throws an `OperatorError` if the slug exists or the node is
   * unknown. If only the move to the node fails, the customer is added, and the error says where it is.
   */
  async add(catalogue: Catalogue, { slug, name, tier }: NewCustomer, node?: NodeAddress): Promise<Customer> {
    const { pool, control } = this.#database;
    if (node) findNode(await citusOf(this.#database).nodes(), node);
    const added = await inTransaction(pool, async (client) => {
      const customer = await addCustomer(client, catalogue, { slug, name: parseName(name), tier });
      await client.query(actionStatement(control, this.#actor, 'added customer', `${slug}, tier ${tier}`));
      return customer;
    });
    // Citus chooses the node of a new schema, and its tables can be moved after their commit only.
    if (node) await this.move(slug, node);
    return added;
  }

  /** Moves the customer to a node of Citus, as `moveCustomer` describes. */
  async move(slug: string, node: NodeAddress, options?: MoveOptions): Promise<Moved> {
    const moved = await moveCustomer(this.#database, await findCustomer(this.#database, slug), node, options);
    const { from, to, isMoved } = moved;
    if (isMoved)
      await recordAction(this.#database.control, this.#actor, 'moved customer', `${slug}, from ${addressText(from)} to ${addressText(to)}`);
    return moved;
  }

  /** Changes the display name. The slug, which identifies the customer in commands and records, stays. */
  async rename(slug: string, to: string): Promise<Customer> {
    const [name, { name: before }] = [parseName(to), await findCustomer(this.#database, slug)];
    return this.#change(slug, { name }, 'renamed customer', `${slug}, from ${before} to ${name}`);
  }

  async setTier(slug: string, tier: Tier): Promise<Customer> {
    const { tier: before } = await findCustomer(this.#database, slug);
    return this.#change(slug, { tier }, 'changed tier of customer', `${slug}, from ${before} to ${tier}`);
  }

  /** Refuses all keys of the customer until it is resumed (contract: suspended customers). Its data stays and can be loaded. */
  async suspend(slug: string): Promise<Customer> {
    const customer = await findCustomer(this.#database, slug);
    return customer.suspended_at ? customer : this.#change(slug, { suspended_at: new Date() }, 'suspended customer', slug);
  }

  async resume(slug: string): Promise<Customer> {
    const customer = await findCustomer(this.#database, slug);
    return customer.suspended_at ? this.#change(slug, { suspended_at: null }, 'resumed customer', slug) : customer;
  }

  /**
   * Removes a customer with keys, usage, schema and data. The customer is suspended first, until every instance refuses its keys, so that
   * no request reads a dropped table. Throws an `OperatorError` and changes nothing while a load is running.
   */
  async remove(slug: string): Promise<void> {
    const customer = await findCustomer(this.#database, slug);
    if (!customer.suspended_at) await this.suspend(slug);
    try {
      await pause(keyCachedMs);
      await this.#drop(customer);
    } catch (error) {
      if (!customer.suspended_at) await this.resume(slug);
      throw error;
    }
  }

  async #drop({ id, slug, schema_name }: Customer): Promise<void> {
    const inUse = new OperatorError(`Customer '${slug}' is in use by a load or a long response. Try again later.`);
    try {
      await this.#database.control.transaction().execute(async (transaction) => {
        const lock = sql<{ isFree: boolean }>`select pg_catalog.pg_try_advisory_xact_lock(${loadLockSpace}, ${id}) as "isFree"`;
        if (!(await lock.execute(transaction)).rows[0]?.isFree) throw inUse;
        await sql`select set_config('lock_timeout', ${String(readersWaitedForMs)}, true), set_config('statement_timeout', '0', true)`.execute(
          transaction,
        );
        const { numDeletedRows } = await transaction.deleteFrom('customers').where('id', '=', id).executeTakeFirst();
        // Another process removed the customer. The schema may belong to a new customer now.
        if (numDeletedRows === 0n) throw new OperatorError(`There is no customer '${slug}' any more.`);
        await sql`drop schema if exists ${sql.id(schema_name)} cascade`.execute(transaction);
        await recordAction(transaction, this.#actor, 'removed customer', `${slug}, with keys and data`);
      });
    } catch (error) {
      throw (error as { code?: string }).code === lockNotAvailable ? inUse : error;
    }
  }

  async #change(slug: string, change: Partial<Pick<Customer, 'name' | 'tier' | 'suspended_at'>>, action: string, subject: string) {
    return this.#database.control.transaction().execute(async (transaction) => {
      const changed = await transaction.updateTable('customers').set(change).where('slug', '=', slug).returningAll().executeTakeFirst();
      if (!changed) throw new OperatorError(`There is no customer '${slug}'.`);
      await recordAction(transaction, this.#actor, action, subject);
      return changed;
    });
  }
}
