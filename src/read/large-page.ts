/**
 * Pages too large for memory: a read-only transaction on a pool of their own, streamed through a spool.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Database } from '../database/connection.ts';
import { BufferPool } from './buffer-pool.ts';
import { type Asker, beginSnapshot, type Connections, type Lease, mostWaiting, type Place, type Where } from './connections.ts';
import type { Cursors } from './cursor.ts';
import { chunkSize, JsonOut } from './json-out.ts';
import { JsonRows } from './json-rows.ts';
import { type Plan, placesOf } from './plan.ts';
import { hiddenColumns } from './query.ts';
import { type Leave, Queue } from './queue.ts';
import type { RowForm } from './row-format.ts';
import { type Source, Spool } from './spool.ts';
import { type BoundStatement, statementFor } from './statement.ts';
import { type Page, readSummary, type Totals } from './summary.ts';
import { valveOf } from './valve.ts';
import { readRows } from './wire.ts';

/** Rows that the embedded database hands over at a time: it computes them in this thread, and nobody takes any meanwhile. */
const embeddedBatch = 500;

export interface Streamed<S> {
  readonly asker: Asker;
  /** The tables that are read. */
  readonly places: readonly Place[];
  readonly summarise: (client: pg.PoolClient) => Promise<S>;
  readonly statement: (summary: S) => BoundStatement;
  readonly limit: number;
  readonly form?: RowForm | undefined;
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
    this.#open = new Queue({ name: 'spools', places: most, waiting: mostWaiting.large, waitMs: queueWaitMs });
  }

  /** Waits for a place among the answers that may be under way. Throws as `Queue.enter` does. */
  reserve({ customerId, signal, timing }: Asker): Promise<Leave> {
    return this.#open.enter(customerId, signal, timing);
  }

  /** A spool of its own for an answer, and the buffers that it is written into. */
  spool(source?: Source): { readonly spool: Spool; readonly buffers: BufferPool } {
    const buffers = new BufferPool(chunkSize);
    return { buffers, spool: new Spool(buffers, this.#spoolMemory, source) };
  }

  /** Reads the summary, then starts reading the rows. Throws `busy` when too many pages are under way. */
  async read(asker: Asker, request: { plan: Plan; totals: Totals; cursors: Cursors; form?: RowForm }): Promise<Page> {
    const { plan, form } = request;
    return this.stream({
      asker,
      places: placesOf(plan),
      summarise: (client) => readSummary(client, request),
      statement: () => statementFor({ question: 'rows', plan, limit: plan.limit }),
      limit: plan.limit,
      form,
    });
  }

  /** The same for any rows: what precedes them is read first, in the same snapshot. */
  async stream<S extends object>(request: Streamed<S>): Promise<S & Pick<Page, 'count' | 'body' | 'cancel'>> {
    const leave = await this.reserve(request.asker);
    try {
      return await this.#begin(request, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Reads what precedes the rows, again at the primary if a replica fails at that, and starts reading them. */
  async #begin<S extends object>(
    request: Streamed<S>,
    leave: Leave,
    server: Where = 'any',
  ): Promise<S & Pick<Page, 'count' | 'body' | 'cancel'>> {
    const { asker, places, summarise, statement, limit, form } = request;
    const lease = await this.#connections.take('large', asker, server);
    try {
      await beginSnapshot(lease.client, places);
      const summary = await summarise(lease.client);
      const { spool, buffers } = this.spool(valveOf(socketOf(lease.client)));
      const rows = new JsonRows(new JsonOut(buffers, (chunk) => spool.push(chunk)), { hidden: hiddenColumns.rows, limit, form });
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
      const told = lease.told(error);
      await lease.end(true);
      if (!lease.isWorthAnother) throw told;
    }
    return this.#begin(request, leave, 'primary');
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
