/**
 * Executes plans for one customer and one data scope. Both are constructor arguments, so no statement can omit them.
 *
 * Rows go to one of two sinks: JSON bytes for pages (`json-rows.ts`), unchanged bytes for documents (`byte-rows.ts`). A page that fits into
 * memory is one statement with its summary. A larger page is a read-only transaction: first the summary, because headers precede the first
 * byte, then the rows through a spool. In both cases rows, total, version and cursor come from one snapshot (contract: page snapshot).
 */
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import type { Cursors } from '../plan/cursor.ts';
import { type Parents, type Plan, tableRefsOf, valueCount } from '../plan/plan.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { hiddenColumns } from '../sql/query.ts';
import { statementFor } from '../sql/statement.ts';
import { ByteRows } from '../wire/byte-rows.ts';
import { bufferRows } from '../wire/json-rows.ts';
import { readRows } from '../wire/read-rows.ts';
import { json, noRows, type RowForm } from '../wire/row-format.ts';
import { Connections, type RequestContext, workClassOf } from './connections.ts';
import { LargePages } from './large-pages.ts';
import type { LeasedConnection } from './leased-connection.ts';
import type { NodeReads } from './nodes.ts';
import type { Replicas } from './replicas.ts';
import { readSummary, type SummarizedPage, type Summary, summaryOf, TotalCache } from './summary.ts';

export interface ReaderOptions {
  /** The maximum number of rows of a page in memory. */
  readonly smallPage: number;
  /** The maximum number of large responses in flight, until their clients have read them. */
  readonly largePages: number;
  /** Bytes of a large page in memory. Further bytes go to disk. */
  readonly spoolMemory: number;
  /** The time limit for reading a GraphQL document, in milliseconds. */
  readonly documentTimeoutMs: number;
  /** The maximum wait for a slot, in milliseconds. */
  readonly queueWaitMs: number;
  /** The replicas that may answer; absent: only the primary. */
  readonly replicas?: Replicas | undefined;
  /** The nodes of Citus that may answer; absent: only the coordinator. */
  readonly nodes?: Pick<NodeReads, 'for'> | undefined;
}

const defaults: ReaderOptions = {
  smallPage: 1_000,
  largePages: 16,
  spoolMemory: 4 * 1024 * 1024,
  documentTimeoutMs: 10_000,
  queueWaitMs: 15_000,
};

/** The services that readers of all customers share. */
export interface ReaderContext {
  readonly database: Database;
  readonly connections: Connections;
  readonly cursors: Cursors;
  readonly totals: TotalCache;
  readonly largePages: LargePages;
  readonly smallPage: number;
}

export const createReaderContext = (database: Database, cursors: Cursors, options: Partial<ReaderOptions> = {}): ReaderContext => {
  const { smallPage, largePages, spoolMemory, documentTimeoutMs, queueWaitMs, replicas, nodes } = { ...defaults, ...options };
  const connections = new Connections(database, { documentTimeoutMs, queueWaitMs, replicas, nodes });
  const large = new LargePages(database, connections, { max: largePages, spoolMemory, queueWaitMs });
  return { database, connections, cursors, totals: new TotalCache(), largePages: large, smallPage };
};

/** What a document reads with: its connection, and a callback for the number of rows. Counts are not rows. */
export interface DocumentReading {
  readonly lease: LeasedConnection;
  readonly onRows: (count: number) => void;
}

/** Throws if a plan belongs to another customer than the request, or has another data scope. */
export const checkOwner = ({ source }: Plan, { customerId, scope }: RequestContext): void => {
  if (source.customerId !== customerId) throw new Error('The plan is of another customer');
  if (source.scope?.key !== scope?.key) throw new Error('The plan has another data scope');
};

export class Reader {
  readonly #context: ReaderContext;
  readonly #requestContext: RequestContext;
  readonly #document: DocumentReading | undefined;

  /** Each read waits for a connection, except in a document, which has one. Reads throw `busy`, `timeout` and `abandoned`. */
  constructor(context: ReaderContext, requestContext: RequestContext, document?: DocumentReading) {
    this.#context = context;
    this.#requestContext = requestContext;
    this.#document = document;
  }

  /** Reads a page: its summary and its rows. */
  async page(plan: Plan, form: RowForm = { format: json }): Promise<SummarizedPage> {
    checkOwner(plan, this.#requestContext);
    const { largePages, smallPage, totals } = this.#context;
    if (totals.get(plan)?.total === 0) {
      // The total is known to be 0 at this version, so the summary answers without the table.
      const summary = await this.summary(plan);
      if (summary.total === 0) return { ...summary, count: 0, body: noRows(form) };
    }
    if (plan.limit > smallPage) return largePages.read(this.#requestContext, { ...this.#context, plan, form });
    return (await this.#smallPage(plan, form)) ?? this.#emptyPage(plan, form);
  }

  /** Reads the values of a page's headers, without rows. */
  async summary(plan: Plan): Promise<Summary> {
    checkOwner(plan, this.#requestContext);
    return this.#run(plan, (client) => readSummary(client, { ...this.#context, plan }));
  }

  /** Reads `limit` rows of a plan. */
  async rows(plan: Plan, limit: number): Promise<ByteRows> {
    return this.#countRows(await this.#bytes({ queryKind: 'rows', plan, limit }, valueCount(plan)));
  }

  /** Reads rows of many parents in one statement, at most `limit` for each. The first value of a row links it to its parent. */
  async rowsOf(parents: Parents, plan: Plan, limit: number): Promise<ByteRows> {
    const width = 1 + valueCount(plan);
    if (parents.values.length === 0) return new ByteRows(width);
    return this.#countRows(await this.#bytes({ queryKind: 'rows', plan, limit, parents }, width));
  }

  /** Counts the rows of a plan. */
  async count(plan: Plan): Promise<number> {
    const rows = await this.#bytes({ queryKind: 'count', plan, limit: 0 }, 1);
    return rows.count > 0 ? Number(rows.text(0, 0)) : 0;
  }

  /** Counts the rows of each parent, by linking value. Parents without rows are omitted. */
  async countsOf(parents: Parents, plan: Plan): Promise<ReadonlyMap<string | null, number>> {
    const counts = new Map<string | null, number>();
    if (parents.values.length === 0) return counts;
    const rows = await this.#bytes({ queryKind: 'count', plan, limit: 0, parents }, 2);
    for (let row = 0; row < rows.count; row++) counts.set(rows.text(row, 0), Number(rows.text(row, 1)));
    return counts;
  }

  #run<T>(plan: Plan, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#document) return this.#context.connections.run(workClassOf(plan, 'pages'), this.#requestContext, work);
    const { lease } = this.#document;
    lease.throwIfCancelled();
    return work(lease.client);
  }

  /** Reads the rows of a query as the server sent them. */
  async #bytes(planQuery: PlanQuery, width: number): Promise<ByteRows> {
    checkOwner(planQuery.plan, this.#requestContext);
    return this.#run(planQuery.plan, async (client) => {
      const rows = new ByteRows(width);
      await readRows(client, statementFor(planQuery), rows);
      return rows;
    });
  }

  /** Reports the number of rows to the document. */
  #countRows(rows: ByteRows): ByteRows {
    this.#document?.onRows(rows.count);
    return rows;
  }

  /** Reads rows and summary in one statement; undefined if no row could carry the summary. */
  async #smallPage(plan: Plan, form: RowForm): Promise<SummarizedPage | undefined> {
    const { totals } = this.#context;
    const statement = statementFor({ queryKind: 'page', plan, limit: plan.limit + 1, known: totals.get(plan) });
    const { rows, held } = await this.#run(plan, (client) =>
      bufferRows(client, statement, { hidden: hiddenColumns.page, limit: plan.limit, form }),
    );
    if (!rows.first) return undefined;
    const [state, total] = rows.first;
    const boundary = [...(rows.boundary ? [rows.boundary[2]] : []), ...(rows.count > plan.limit ? [''] : [])];
    const summary = summaryOf({ plan, ...this.#context }, { state: JSON.parse(state ?? 'null'), total: Number(total), boundary });
    return { count: Math.min(rows.count, plan.limit), ...held, ...summary };
  }

  /** Reads an empty page. Rows that were added since are read in the snapshot of the summary. */
  #emptyPage(plan: Plan, form: RowForm): Promise<SummarizedPage> {
    return this.#context.connections.inSnapshot(workClassOf(plan, 'pages'), this.#requestContext, tableRefsOf(plan), async (client) => {
      const summary = await readSummary(client, { ...this.#context, plan });
      if (summary.total <= plan.offset) return { ...summary, count: 0, body: noRows(form) };
      const statement = statementFor({ queryKind: 'rows', plan, limit: plan.limit });
      const { rows, held } = await bufferRows(client, statement, { hidden: hiddenColumns.rows, limit: plan.limit, form });
      return { ...summary, count: rows.count, ...held };
    });
  }
}
