/**
 * Protects callers from a node of Citus that hangs.
 *
 * A statement for a customer on such a node waits until its time limit, and the coordinator cannot cancel it either. Such statements would
 * take one connection after another. So while a statement is older than `suspectedMs`, the coordinator asks the nodes whether they answer
 * (`node-health.ts`). The connections of customers on a node that does not answer are closed, and their requests are refused, until the node
 * answers again. Without Citus, there are no questions.
 */
import type pg from 'pg';
import { ApiError, retryDatabaseSeconds } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { socketOf } from '../connections/pg-internals.ts';
import { hasCitus } from './citus.ts';
import { NodeHealth } from './node-health.ts';
import { listCustomersOn } from './nodes.ts';

interface Statement {
  readonly customerId: number;
  readonly client: pg.ClientBase;
  readonly since: number;
}

const suspectedMs = 1_000;
const intervalMs = 500;
const nobody: ReadonlySet<number> = new Set();

export class NodeGuard {
  readonly #database: Database;
  readonly #health: NodeHealth;
  readonly #running = new Set<Statement>();
  /** Customers whose node does not answer. */
  #lost = nobody;
  #timer: NodeJS.Timeout | undefined;
  #isNeeded: boolean;
  #isAsking = false;

  constructor(database: Database) {
    this.#database = database;
    this.#health = new NodeHealth(database);
    this.#isNeeded = !database.embedded;
  }

  /** Throws `unavailable` if the customer's node does not answer. */
  check(customerId: number): void {
    if (this.#lost.has(customerId)) throw new ApiError('unavailable', '', { 'Retry-After': retryDatabaseSeconds });
  }

  /** Closes the client's connection if the customer's node does not answer. Call the result when the statements are complete. */
  watch(customerId: number, client: pg.ClientBase): () => void {
    if (!this.#isNeeded) return () => {};
    const statement = { customerId, client, since: performance.now() };
    this.#running.add(statement);
    this.#timer ??= setInterval(() => void this.#look(), intervalMs).unref();
    return () => void this.#running.delete(statement);
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const isSuspected = [...this.#running].some(({ since }) => now - since > suspectedMs);
    if (this.#isAsking || (!isSuspected && this.#lost.size === 0)) {
      if (this.#running.size === 0 && this.#lost.size === 0) this.#stop();
      return;
    }
    this.#isAsking = true;
    try {
      if (!(await hasCitus(this.#database))) this.#isNeeded = false;
      else this.#lost = await this.#askNodes();
      for (const { customerId, client } of this.#running) if (this.#lost.has(customerId)) socketOf(client).destroy();
    } catch {
      // The coordinator itself fails. Statements report that.
      this.#lost = nobody;
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isNeeded) this.#stop();
  }

  async #askNodes(): Promise<ReadonlySet<number>> {
    const lost = ((await this.#health.read()) ?? []).filter(({ isReachable }) => !isReachable);
    return lost.length === 0 ? nobody : new Set(await listCustomersOn(this.#database, lost));
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.#isNeeded) this.#running.clear();
  }
}

const guards = new WeakMap<Database, NodeGuard>();

/** The guard of a database. All its users share one. */
export const guardOf = (database: Database): NodeGuard => {
  const guard = guards.get(database) ?? new NodeGuard(database);
  guards.set(database, guard);
  return guard;
};
