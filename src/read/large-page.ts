/**
 * Pages too large for memory: a read-only transaction on a pool of their own, streamed through a spool.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Database } from '../database/connection.ts';
import { ApiError } from '../errors.ts';
import { BufferPool } from './buffer-pool.ts';
import type { Cursors } from './cursor.ts';
import { chunkSize, JsonRows } from './json-rows.ts';
import type { ReadPlan } from './plan.ts';
import { readRows } from './row-query.ts';
import { Spool } from './spool.ts';
import { type BoundStatement, hiddenColumns, statementFor } from './statement.ts';
import { type Page, readSummary, type Totals } from './summary.ts';

/** Rows that the embedded database hands over at a time; it would buffer the whole page otherwise. */
const embeddedBatch = 2_000;

export interface Streamed<S> {
  readonly summarise: (client: pg.PoolClient) => Promise<S>;
  readonly statement: (summary: S) => BoundStatement;
  readonly limit: number;
}

export class LargePages {
  readonly #database: Database;
  readonly #most: number;
  readonly #spoolMemory: number;
  #open = 0;

  /** At most `most` pages at once, counted until their clients have read them. */
  constructor(database: Database, most: number, spoolMemory: number) {
    this.#database = database;
    this.#most = most;
    this.#spoolMemory = spoolMemory;
  }

  /** Reads the summary, then starts reading the rows. Throws `busy` when too many pages are under way. */
  async read(request: { plan: ReadPlan; totals: Totals; cursors: Cursors }): Promise<Page> {
    const { plan } = request;
    return this.stream({
      summarise: (client) => readSummary(client, request),
      statement: () => statementFor('rows', plan, plan.limit),
      limit: plan.limit,
    });
  }

  /** The same for any rows: what precedes them is read first, in the same snapshot. */
  async stream<S extends object>({ summarise, statement, limit }: Streamed<S>): Promise<S & Pick<Page, 'count' | 'body' | 'cancel'>> {
    if (this.#open >= this.#most) throw new ApiError('busy', '', { 'Retry-After': '5' });
    this.#open++;
    const lease = await this.#begin().catch((error) => {
      this.#open--;
      throw error;
    });
    try {
      const summary = await summarise(lease.client);
      const buffers = new BufferPool(chunkSize);
      const spool = new Spool(buffers, this.#spoolMemory, this.#database.embedded ? undefined : socketOf(lease.client));
      const rows = new JsonRows({
        hidden: hiddenColumns.rows,
        limit,
        emit: (chunk) => spool.push(chunk),
        allocate: (length) => buffers.take(length),
      });
      void this.#fill(lease, statement(summary), rows, spool);
      let isOver = false;
      const finish = async () => {
        if (isOver) return;
        isOver = true;
        this.#open--;
        // Whoever stops reading early need not wait for the rest; a connection that has delivered is back already.
        if (!this.#database.embedded) await lease.end(false);
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
      this.#open--;
      await lease.end(false);
      throw error;
    }
  }

  async #begin(): Promise<Lease> {
    const lease = new Lease(await this.#database.bulk.connect(), this.#database.embedded);
    try {
      await lease.client.query('begin isolation level repeatable read read only');
      return lease;
    } catch (error) {
      await lease.end(false);
      throw error;
    }
  }

  /** The connection goes back as soon as the database has delivered, however slowly the client reads. */
  async #fill(lease: Lease, statement: BoundStatement, rows: JsonRows, spool: Spool): Promise<void> {
    try {
      const batch = this.#database.embedded ? embeddedBatch : undefined;
      await readRows(lease.client, statement, rows, batch);
      rows.end();
      spool.end();
      await lease.end(true);
    } catch (error) {
      spool.fail(error as Error);
      await lease.end(false);
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

/** A client in a transaction, given back once. */
class Lease {
  readonly client: pg.PoolClient;
  readonly #embedded: boolean;
  #ended = false;

  constructor(client: pg.PoolClient, embedded: boolean) {
    this.client = client;
    this.#embedded = embedded;
    // A backend that dies would otherwise end the process; the query that is under way hears of it too.
    client.on('error', ignore);
  }

  /** Ends the transaction; a failed one takes its connection along, unless that is the only one. */
  async end(done: boolean): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const reusable = done || this.#embedded;
    if (reusable) await this.client.query(done ? 'commit' : 'rollback').catch(ignore);
    this.client.removeListener('error', ignore);
    if (!reusable) this.client.once('error', ignore);
    this.client.release(!reusable);
  }
}

const ignore = () => {};

const socketOf = (client: pg.PoolClient): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream;
