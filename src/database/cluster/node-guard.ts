/**
 * Protects callers from a node of Citus that hangs.
 *
 * A statement for a customer on such a node waits until its time limit, and the coordinator cannot cancel it either. Such statements would
 * take one connection after another. So while a statement is older than `suspectedMs`, the coordinator asks the nodes whether they answer
 * (`node-health.ts`). The connections of customers on a node that does not answer are closed, and their requests are refused, until the node
 * answers again. Without Citus, there are no questions.
 */
import type pg from 'pg';
import { ApiError } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { sessionOf } from '../connections/pg-session.ts';
import type { NodeHealth } from './node-health.ts';
import { type ClusterNode, listCustomersOn } from './nodes.ts';

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

  constructor(database: Database, health: NodeHealth) {
    this.#database = database;
    this.#health = health;
    this.#isNeeded = !database.embedded;
  }

  /** Throws `unavailable` if the customer's node does not answer. */
  check(customerId: number): void {
    if (this.#lost.has(customerId)) throw new ApiError('unavailable');
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
      const nodes = await this.#health.read();
      if (!nodes) this.#isNeeded = false;
      else this.#lost = await this.#customersOn(nodes.filter(({ isReachable }) => !isReachable));
      for (const { customerId, client } of this.#running) if (this.#lost.has(customerId)) sessionOf(client).socket.destroy();
    } catch {
      // The coordinator itself fails. Statements report that.
      this.#lost = nobody;
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isNeeded) this.#stop();
  }

  async #customersOn(lost: readonly ClusterNode[]): Promise<ReadonlySet<number>> {
    return lost.length === 0 ? nobody : new Set(await listCustomersOn(this.#database, lost));
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.#isNeeded) this.#running.clear();
  }
}
