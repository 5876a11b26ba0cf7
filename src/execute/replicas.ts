/**
 * Chooses a replica that has replayed everything that the primary shows of the customer, so that no client sees older data (contract: data
 * versions).
 *
 * A load increases the customer's revision in the transaction of its data, and replicas replay transactions in order. So a replica that
 * shows a revision has its data and all earlier data. `Versions` knows the required revision from the primary. The state of replicas is
 * read in the background and is valid as long as a version lease (`publications.ts`). A promoted replica may receive loads, but not earlier
 * than one lease after their announcement. A replica in another epoch, a promoted one, or one that does not answer is not used.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { RequiredRevision, Versions } from '../cache/versions.ts';
import type { Database, Server } from '../database/connections/connection.ts';
import { sessionOf } from '../database/connections/pg-session.ts';
import { withClient } from '../database/connections/transaction.ts';
import { controlQueries, runControlQuery } from '../database/control/datasets.ts';
import { leaseMs } from '../database/control/publications.ts';

interface State {
  readonly requestedAt: number;
  readonly epoch: string | null;
  readonly isStandby: boolean;
  /** Revisions by customer; none for a customer that the replica does not have yet. */
  readonly revisions: ReadonlyMap<number, number>;
}

const renewalMs = leaseMs / 3;
/** A replica that takes longer counts as hanging. */
const timeoutMs = 2_000;
/** Customers without requests are not checked. */
const idleMs = 10_000;

const hasRevision = (state: State | undefined, customerId: number, { revision, epoch }: RequiredRevision): boolean =>
  state !== undefined &&
  performance.now() - state.requestedAt < leaseMs &&
  state.isStandby &&
  state.epoch === epoch &&
  (state.revisions.get(customerId) ?? -1) >= revision;

export class Replicas {
  readonly #servers: readonly Server[];
  readonly #versions: Versions;
  readonly #states = new Map<Server, State>();
  readonly #reading = new Set<Server>();
  readonly #clients = new Map<pg.PoolClient, Server>();
  /** The time of each customer's last request. */
  readonly #usedAt = new Map<number, number>();
  #renewal: NodeJS.Timeout | undefined;
  #next = 0;

  constructor({ replicas }: Database, versions: Versions) {
    this.#servers = replicas;
    this.#versions = versions;
    for (const server of replicas)
      for (const pool of [server.pool, ...Object.values(server.shares)])
        pool.on('connect', (client) => this.#clients.set(client, server)).on('remove', (client) => this.#clients.delete(client));
  }

  /** A replica that may answer for the customer now; undefined if only the primary may. */
  async for(customerId: number): Promise<Server | undefined> {
    this.#usedAt.set(customerId, performance.now());
    this.#renewal ??= setInterval(() => this.#renew(), renewalMs).unref();
    const required = await this.#versions.requiredRevision(customerId);
    this.#next++;
    for (let i = 0; i < this.#servers.length; i++) {
      const server = this.#servers[(this.#next + i) % this.#servers.length];
      if (server && hasRevision(this.#states.get(server), customerId, required)) return server;
    }
    return undefined;
  }

  #renew(): void {
    const now = performance.now();
    for (const [customerId, usedAt] of this.#usedAt) if (now - usedAt > idleMs) this.#usedAt.delete(customerId);
    if (this.#usedAt.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
      return;
    }
    for (const server of this.#servers) void this.#readState(server);
  }

  async #readState(server: Server): Promise<void> {
    if (this.#reading.has(server)) return;
    this.#reading.add(server);
    const requestedAt = performance.now();
    const timer = setTimeout(() => this.#disconnect(server), timeoutMs);
    const query = controlQueries
      .selectFrom('customers as c')
      .leftJoin('publications as p', 'p.customer_id', 'c.id')
      .where(sql<boolean>`c.id = any(${[...this.#usedAt.keys()]})`)
      .select(['c.id', 'p.revision', sql<boolean>`pg_catalog.pg_is_in_recovery()`.as('is_standby')])
      .select((expression) => expression.selectFrom('epoch').select('epoch.id').as('epoch'));
    try {
      const rows = await withClient(server.pool, (client) => runControlQuery(client, query, 'replica'));
      const revisions = new Map(rows.map(({ id, revision }) => [id, revision ?? 0]));
      this.#states.set(server, { requestedAt, epoch: rows[0]?.epoch ?? null, isStandby: rows[0]?.is_standby ?? false, revisions });
    } catch {
      this.#states.delete(server);
    } finally {
      clearTimeout(timer);
      this.#reading.delete(server);
    }
  }

  /** Closes the connections to a hanging replica. Their reads are retried on the primary. */
  #disconnect(server: Server): void {
    for (const [client, its] of this.#clients) if (its === server) sessionOf(client).socket.destroy(new Error('The replica hangs'));
  }
}
