/**
 * Pages too large for memory: a read-only transaction on a pool of their own, streamed through a spool.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Database } from '../database/connection.ts';
import { BufferPool } from './buffer-pool.ts';
import { type Asker, asTimeout, type Connections, type Lease, mostWaiting } from './connections.ts';
import type { Cursors } from './cursor.ts';
import { chunkSize } from './json-out.ts';
import { JsonRows } from './json-rows.ts';
import type { Plan } from './plan.ts';
import { hiddenColumns } from './query.ts';
import { type Leave, Queue } from './queue.ts';
import { readRows } from './row-query.ts';
import { type Source, Spool } from './spool.ts';
import { type BoundStatement, statementFor } from './statement.ts';
import { type Page, readSummary, type Totals } from './summary.ts';
import { valveOf } from './valve.ts';

/** Rows that the embedded database hands over at a time; it would buffer the whole page otherwise. */
const embeddedBatch = 2_000;

export interface Streamed<S> {
  readonly asker: Asker;
  readonly summarise: (client: pg.PoolClient) => Promise<S>;
  readonly statement: (summary: S) => BoundStatement;
  readonly limit: number;
}

export interface LargePagesOptions {
  /** Pages that may be under way at once, counted until their clients have read them. */
  readonly most: number;
  /** Bytes of a page that wait in memory before they go to disk. */
  readonly spoolMemory: number;
  /** How long a request waits for its place, in milliseconds. */
  readonly queueWaitMs: number;
}

export class LargePages {
  readonly #database: Database;
  readonly #connections: Connections;
  readonly #spoolMemory: number;
  /** Answers that are being made or wait for their clients. */
  readonly #open: Queue;

  constructor(database: Database, connections: Connections, { most, spoolMemory, queueWaitMs }: LargePagesOptions) {
    this.#database = database;
    this.#connections = connections;
    this.#spoolMemory = spoolMemory;
    this.#open = new Queue({ places: most, waiting: mostWaiting.large, waitMs: queueWaitMs });
  }

  /** Waits for a place among the answers that may be under way. Throws as `Queue.enter` does. */
  reserve({ customerId, signal }: Asker): Promise<Leave> {
    return this.#open.enter(customerId, signal);
  }

  /** A spool of its own for an answer, and the buffers that it is written into. */
  spool(source?: Source): { readonly spool: Spool; readonly buffers: BufferPool } {
    const buffers = new BufferPool(chunkSize);
    return { buffers, spool: new Spool(buffers, this.#spoolMemory, source) };
  }

  /** Reads the summary, then starts reading the rows. Throws `busy` when too many pages are under way. */
  async read(asker: Asker, request: { plan: Plan; totals: Totals; cursors: Cursors }): Promise<Page> {
    const { plan } = request;
    return this.stream({
      asker,
      summarise: (client) => readSummary(client, request),
      statement: () => statementFor({ question: 'rows', plan, limit: plan.limit }),
      limit: plan.limit,
    });
  }

  /** The same for any rows: what precedes them is read first, in the same snapshot. */
  async stream<S extends object>({
    asker,
    summarise,
    statement,
    limit,
  }: Streamed<S>): Promise<S & Pick<Page, 'count' | 'body' | 'cancel'>> {
    const leave = await this.reserve(asker);
    const lease = await this.#connections.take('large', asker).catch((error) => {
      leave();
      throw error;
    });
    try {
      await lease.client.query('begin isolation level repeatable read read only');
      const summary = await summarise(lease.client);
      const { spool, buffers } = this.spool(this.#database.embedded ? undefined : valveOf(socketOf(lease.client)));
      const rows = new JsonRows({ hidden: hiddenColumns.rows, limit, emit: (chunk) => spool.push(chunk), buffers });
      const filled = this.#fill(lease, statement(summary), rows, spool);
      const finish = async () => {
        // What the database has delivered needs no cancelling, which would take a connection of its own.
        if (!spool.isComplete) lease.cancel();
        await filled;
        leave();
      };
      return {
        ...summary,
        get count() {
          return rows.count;
        },
        body: untilRead(spool, finish),
        // A body that nobody has begun to read cannot finish by itself, and a database that is busy would keep its reader waiting.
        cancel: () => {
          spool.fail(new Error('The client went away'));
          void finish();
        },
      };
    } catch (error) {
      leave();
      await lease.end(true);
      throw asTimeout(error, asker.signal);
    }
  }

  /** The connection goes back as soon as the database has delivered, however slowly the client reads. */
  async #fill(lease: Lease, statement: BoundStatement, rows: JsonRows, spool: Spool): Promise<void> {
    try {
      const batch = this.#database.embedded ? embeddedBatch : undefined;
      await readRows(lease.client, statement, rows, batch);
      rows.end();
      spool.end();
      await lease.client.query('commit');
      await lease.end();
    } catch (error) {
      spool.fail(error as Error);
      await lease.client.query('rollback').then(
        () => lease.end(),
        () => lease.end(true),
      );
    }
  }
}

async function* untilRead(spool: Spool, finish: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* spool;
  } finally {
    await finish();
  }
}

const socketOf = (client: pg.PoolClient): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream;
