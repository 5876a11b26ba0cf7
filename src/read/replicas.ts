/**
 * Which replica may answer: one that has replayed all that the primary shows of the customer, so that nobody sees data go back
 * (contract: data versions).
 *
 * Loads count a customer's revision up, in the transaction that brings the data, and replicas replay transactions in their order. So a
 * replica that shows a revision has the data that belongs to it, and all that came before. What has to be shown is what `Versions`
 * knows of the primary; what a replica shows is asked in the background, and holds as long as a lease does (`publications.ts`): a
 * replica that was promoted may be loaded by others, no sooner than a lease after they have announced it. One that stands in another
 * epoch, that is no standby any more, or that does not answer is not asked for data.
 */

import type { Socket } from 'node:net';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, type Server, withClient } from '../database/connection.ts';
import { ask, controlQueries } from '../database/datasets.ts';
import { leaseMs } from '../database/publications.ts';
import type { Standing, Versions } from './versions.ts';

interface State {
  readonly askedAt: number;
  readonly epoch: string | null;
  readonly isStandby: boolean;
  /** By customer; one whose customer is not there yet has none. */
  readonly revisions: ReadonlyMap<number, number>;
}

const renewalMs = leaseMs / 3;
/** A replica that takes longer hangs. */
const answersWithinMs = 2_000;
/** Customers that nobody asks for are not asked about. */
const idleMs = 10_000;

const shows = (state: State | undefined, customerId: number, { revision, epoch }: Standing): boolean =>
  state !== undefined &&
  performance.now() - state.askedAt < leaseMs &&
  state.isStandby &&
  state.epoch === epoch &&
  (state.revisions.get(customerId) ?? -1) >= revision;

export class Replicas {
  readonly #servers: readonly Server[];
  readonly #versions: Versions;
  readonly #states = new Map<Server, State>();
  readonly #asking = new Set<Server>();
  readonly #clients = new Map<pg.PoolClient, Server>();
  /** When each customer was last asked for. */
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
    if (this.#servers.length === 0) return undefined;
    this.#usedAt.set(customerId, performance.now());
    this.#renewal ??= setInterval(() => this.#renew(), renewalMs).unref();
    const standing = await this.#versions.standing(customerId);
    this.#next++;
    for (let i = 0; i < this.#servers.length; i++) {
      const server = this.#servers[(this.#next + i) % this.#servers.length];
      if (server && shows(this.#states.get(server), customerId, standing)) return server;
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
    for (const server of this.#servers) void this.#ask(server);
  }

  async #ask(server: Server): Promise<void> {
    if (this.#asking.has(server)) return;
    this.#asking.add(server);
    const askedAt = performance.now();
    const timer = setTimeout(() => this.#leave(server), answersWithinMs);
    const query = controlQueries
      .selectFrom('customers as c')
      .leftJoin('publications as p', 'p.customer_id', 'c.id')
      .where(sql<boolean>`c.id = any(${[...this.#usedAt.keys()]})`)
      .select(['c.id', 'p.revision', sql<boolean>`pg_catalog.pg_is_in_recovery()`.as('is_standby')])
      .select((expression) => expression.selectFrom('epoch').select('epoch.id').as('epoch'));
    try {
      const rows = await withClient(server.pool, (client) => ask(client, query, 'replica'));
      const revisions = new Map(rows.map(({ id, revision }) => [id, revision ?? 0]));
      this.#states.set(server, { askedAt, epoch: rows[0]?.epoch ?? null, isStandby: rows[0]?.is_standby ?? false, revisions });
    } catch {
      this.#states.delete(server);
    } finally {
      clearTimeout(timer);
      this.#asking.delete(server);
    }
  }

  /** Ends all that waits for a replica that hangs; it is then read at the primary. */
  #leave(server: Server): void {
    for (const [client, its] of this.#clients)
      if (its === server)
        (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(new Error('The replica hangs'));
  }
}
