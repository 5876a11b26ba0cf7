/** Pages that do not fit into memory: a read-only transaction on a separate pool, streamed through a spool. */
import type pg from 'pg';
import { BufferPool } from '../body.ts';
import type { Database, WorkClass } from '../database/connections/connection.ts';
import { sessionOf } from '../database/connections/pg-session.ts';
import type { Cursors } from '../plan/cursor.ts';
import { type Plan, tableRefsOf } from '../plan/plan.ts';
import { Queue, type Release } from '../scheduling/queue.ts';
import { hiddenColumns } from '../sql/query.ts';
import { type BoundStatement, statementFor } from '../sql/statement.ts';
import { chunkSize, JsonOut } from '../wire/json-out.ts';
import { JsonRows } from '../wire/json-rows.ts';
import { readRows } from '../wire/read-rows.ts';
import type { RowForm } from '../wire/row-format.ts';
import { type Connections, maxWaiting, type RequestContext, type TableRef, workClassOf } from './connections.ts';
import type { LeasedConnection, ReadAttempt } from './leased-connection.ts';
import { type Pausable, ResponseSpool } from './spool.ts';
import { readSummary, type SummarizedPage, type TotalCache } from './summary.ts';

/** Rows per batch of the embedded database. It computes them in this thread, where nothing else can run meanwhile. */
const embeddedBatch = 500;

export interface StreamRequest<S> {
  readonly requestContext: RequestContext;
  /** `large` by default. */
  readonly workClass?: WorkClass | undefined;
  /** The tables to lock. */
  readonly tables: readonly TableRef[];
  readonly summarise: (client: pg.PoolClient) => Promise<S>;
  readonly statement: (summary: S) => BoundStatement;
  readonly limit: number;
  readonly form?: RowForm | undefined;
  /** The folder of the spool's file; the system's temporary folder by default. */
  readonly folder?: string | undefined;
  /** Work in the background leaves time for requests: it reads a chunk, then it does not read the database for some milliseconds. */
  readonly pace?: { readonly chunkSize: number; readonly pauseMs: (summary: S) => number } | undefined;
}

export interface LargePagesOptions {
  /** The maximum number of pages in flight. A page counts until its client has read it. */
  readonly max: number;
  /** Bytes of a page in memory. Further bytes go to disk. */
  readonly spoolMemory: number;
  /** The maximum wait for a slot, in milliseconds. */
  readonly queueWaitMs: number;
}

export class LargePages {
  readonly #database: Database;
  readonly #connections: Connections;
  readonly #spoolMemory: number;
  /** Responses that are being written or read by their clients. */
  readonly #open: Queue;

  constructor(database: Database, connections: Connections, { max, spoolMemory, queueWaitMs }: LargePagesOptions) {
    this.#database = database;
    this.#connections = connections;
    this.#spoolMemory = spoolMemory;
    this.#open = new Queue({ name: 'spools', slots: max, waiting: maxWaiting.large, waitMs: queueWaitMs });
  }

  /** Waits for a slot of a large response. Throws as `Queue.enter` does. */
  reserve({ customerId, signal, timing }: RequestContext): Promise<Release> {
    return this.#open.enter(customerId, signal, timing);
  }

  /** Creates a spool for one response, and the buffers for its writer. */
  spool(source?: Pausable, folder?: string, size = chunkSize): { readonly spool: ResponseSpool; readonly buffers: BufferPool } {
    const buffers = new BufferPool(size);
    return { buffers, spool: new ResponseSpool(buffers, this.#spoolMemory, source, folder) };
  }

  /** Reads the summary, then starts to read the rows. Throws `busy` when too many pages are in flight. */
  async read(
    requestContext: RequestContext,
    request: { plan: Plan; totals: TotalCache; cursors: Cursors; form?: RowForm },
  ): Promise<SummarizedPage> {
    const { plan, form } = request;
    return this.stream({
      requestContext,
      workClass: workClassOf(plan, 'large'),
      tables: tableRefsOf(plan),
      summarise: (client) => readSummary(client, request),
      statement: () => statementFor({ queryKind: 'rows', plan, limit: plan.limit }),
      limit: plan.limit,
      form,
    });
  }

  /** Streams any statement. A summary is read first, in the same snapshot. */
  async stream<S extends object>(request: StreamRequest<S>): Promise<S & Pick<SummarizedPage, 'count' | 'body' | 'cancel'>> {
    const leave = await this.reserve(request.requestContext);
    try {
      return await this.#begin(request, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Reads the summary and the first rows, and retries as `Connections.run` does. */
  async #begin<S extends object>(
    request: StreamRequest<S>,
    leave: Release,
    attempt?: ReadAttempt,
  ): Promise<S & Pick<SummarizedPage, 'count' | 'body' | 'cancel'>> {
    const { requestContext, workClass = 'large', tables, summarise, statement, limit, form, folder, pace } = request;
    const lease = await this.#connections.take(workClass, requestContext, attempt);
    let nextAttempt: ReadAttempt | undefined;
    try {
      await this.#connections.beginSnapshot(lease.client, tables);
      const summary = await summarise(lease.client);
      const source = sessionOf(lease.client);
      const { spool, buffers } = this.spool(source, folder, pace?.chunkSize);
      const pause = pace ? pauser(source, pace.pauseMs(summary)) : () => {};
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const take = (chunk: Buffer) => {
        spool.push(chunk);
        pause();
        begin();
      };
      const rows = new JsonRows(new JsonOut(buffers, take, pace?.chunkSize), { hidden: hiddenColumns.rows, limit, form });
      const filled = this.#fill(lease, statement(summary), rows, spool);
      // The headers wait for the first chunk, so a read that fails before it can be repeated.
      await Promise.race([begun, filled]);
      if (spool.failure) throw spool.failure;
      const finish = async () => {
        // A complete read needs no cancel request, which would open a connection.
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
        // An unread body cannot end by itself, and a busy database would keep its reader waiting.
        cancel: () => {
          spool.fail(new Error('The client went away'));
          void finish();
        },
      };
    } catch (error) {
      const translated = lease.translateError(error);
      await lease.end(true);
      nextAttempt = lease.nextAttempt;
      if (!nextAttempt) throw translated;
    }
    return this.#begin(request, leave, nextAttempt);
  }

  /** Reads the rows into the spool. The connection is free when the database has sent the last row, regardless of the client's speed. */
  async #fill(lease: LeasedConnection, statement: BoundStatement, rows: JsonRows, spool: ResponseSpool): Promise<void> {
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

/** Pauses a source for some milliseconds at each call. */
const pauser = (source: Pausable, milliseconds: number): (() => void) => {
  const reason = {};
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer !== undefined) return;
    source.pause(reason);
    timer = setTimeout(() => {
      timer = undefined;
      source.resume(reason);
    }, milliseconds);
  };
};

async function* untilRead(spool: ResponseSpool, finish: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* spool;
  } finally {
    await finish();
  }
}
