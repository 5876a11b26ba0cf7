/**
 * Answers plans for one customer. The customer is a constructor argument: no statement can forget it.
 *
 * Rows go into one of two sinks: JSON bytes for pages (`json-rows.ts`), the server's own bytes for documents (`byte-rows.ts`).
 * A page that fits in memory is one statement, which carries its own summary. A larger one is a read-only transaction:
 * first the summary, because headers go out before the first byte, then the rows through a spool. Either way rows, total,
 * version and cursor come from one snapshot (contract: page snapshot).
 */
import type pg from 'pg';
import type { Database, WorkClass } from '../database/connection.ts';
import type { Asked } from './asked.ts';
import { ByteRows } from './byte-rows.ts';
import { type Asker, Connections, type Lease } from './connections.ts';
import type { Cursors } from './cursor.ts';
import { holdRows } from './json-rows.ts';
import { LargePages } from './large-page.ts';
import { type Parents, type Plan, placesOf, widthOf } from './plan.ts';
import { hiddenColumns } from './query.ts';
import type { Replicas } from './replicas.ts';
import { json, noRows, type RowForm } from './row-format.ts';
import { statementFor } from './statement.ts';
import { type Page, readSummary, type Summary, summaryOf, Totals } from './summary.ts';
import { readRows } from './wire.ts';

export interface ReaderOptions {
  /** Pages of at most this many rows are held in memory. */
  readonly smallPage: number;
  /** How many large answers may be under way at once, their clients' reading included. */
  readonly largePages: number;
  /** Bytes of a large page that wait in memory before they go to disk. */
  readonly spoolMemory: number;
  /** How long a GraphQL document may read, in milliseconds. */
  readonly documentTimeoutMs: number;
  /** How long a request waits for its place, in milliseconds. */
  readonly queueWaitMs: number;
  /** Which replicas may answer; without it, none. */
  readonly replicas?: Replicas;
}

const defaults: ReaderOptions = {
  smallPage: 1_000,
  largePages: 16,
  spoolMemory: 4 * 1024 * 1024,
  documentTimeoutMs: 10_000,
  queueWaitMs: 15_000,
};

/** What the readers of all customers share. */
export interface ReaderContext {
  readonly database: Database;
  readonly connections: Connections;
  readonly cursors: Cursors;
  readonly totals: Totals;
  readonly largePages: LargePages;
  readonly smallPage: number;
}

export const createReaderContext = (database: Database, cursors: Cursors, options: Partial<ReaderOptions> = {}): ReaderContext => {
  const { smallPage, largePages, spoolMemory, documentTimeoutMs, queueWaitMs, replicas } = { ...defaults, ...options };
  const connections = new Connections(database, { documentTimeoutMs, queueWaitMs, replicas });
  const large = new LargePages(database, connections, { most: largePages, spoolMemory, queueWaitMs });
  return { database, connections, cursors, totals: new Totals(), largePages: large, smallPage };
};

/** What the reader of a document is given: its connection, and who hears of its rows; counts are no rows. */
export interface DocumentReading {
  readonly lease: Lease;
  readonly onRows: (count: number) => void;
}

/** Groups may be of many rows, so that they take documents' places and leave those of pages to pages. */
const classOf = ({ groups }: Plan): WorkClass => (groups ? 'documents' : 'pages');

/** Throws where a plan is of another customer than the one on whose behalf it is read. */
export const checkOwner = ({ source }: Plan, { customerId }: Asker): void => {
  if (source.customerId !== customerId) throw new Error('The plan is of another customer');
};

export class Reader {
  readonly #context: ReaderContext;
  readonly #asker: Asker;
  readonly #document: DocumentReading | undefined;

  /** But for a document's, each question waits for a connection of its own. Questions throw `busy`, `timeout` and `abandoned`. */
  constructor(context: ReaderContext, asker: Asker, document?: DocumentReading) {
    this.#context = context;
    this.#asker = asker;
    this.#document = document;
  }

  /** A page: its summary, and its rows in their form. */
  async page(plan: Plan, form: RowForm = { format: json }): Promise<Page> {
    checkOwner(plan, this.#asker);
    const { largePages, smallPage, totals } = this.#context;
    if (totals.get(plan)?.total === 0) {
      // Nothing matched, and while the version stands the summary says so without a look at the table.
      const summary = await this.summary(plan);
      if (summary.total === 0) return { ...summary, count: 0, body: noRows(form) };
    }
    if (plan.limit > smallPage) return largePages.read(this.#asker, { ...this.#context, plan, form });
    return (await this.#smallPage(plan, form)) ?? this.#emptyPage(plan, form);
  }

  /** What a page's headers say, without its rows. */
  async summary(plan: Plan): Promise<Summary> {
    checkOwner(plan, this.#asker);
    return this.#run(plan, (client) => readSummary(client, { ...this.#context, plan }));
  }

  /** `limit` rows of a plan. */
  async rows(plan: Plan, limit: number): Promise<ByteRows> {
    return this.#noted(await this.#bytes({ question: 'rows', plan, limit }, widthOf(plan)));
  }

  /** The rows of many parents, at most `limit` for each, in one statement; each is led by the value that links it to them. */
  async rowsOf(parents: Parents, plan: Plan, limit: number): Promise<ByteRows> {
    const width = 1 + widthOf(plan);
    if (parents.values.length === 0) return new ByteRows(width);
    return this.#noted(await this.#bytes({ question: 'rows', plan, limit, parents }, width));
  }

  /** How many rows match a plan. */
  async count(plan: Plan): Promise<number> {
    const rows = await this.#bytes({ question: 'count', plan, limit: 0 }, 1);
    return rows.count > 0 ? Number(rows.text(0, 0)) : 0;
  }

  /** How many rows of each parent match a plan, by the value that links them; parents without rows are left out. */
  async countsOf(parents: Parents, plan: Plan): Promise<ReadonlyMap<string | null, number>> {
    const counts = new Map<string | null, number>();
    if (parents.values.length === 0) return counts;
    const rows = await this.#bytes({ question: 'count', plan, limit: 0, parents }, 2);
    for (let row = 0; row < rows.count; row++) counts.set(rows.text(row, 0), Number(rows.text(row, 1)));
    return counts;
  }

  #run<T>(plan: Plan, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#document) return this.#context.connections.run(classOf(plan), this.#asker, work);
    const { lease } = this.#document;
    lease.throwIfCancelled();
    return work(lease.client);
  }

  /** The rows that answer a question, as the server sent them. */
  async #bytes(asked: Asked, width: number): Promise<ByteRows> {
    checkOwner(asked.plan, this.#asker);
    return this.#run(asked.plan, async (client) => {
      const rows = new ByteRows(width);
      await readRows(client, statementFor(asked), rows);
      return rows;
    });
  }

  #noted(rows: ByteRows): ByteRows {
    this.#document?.onRows(rows.count);
    return rows;
  }

  /** One statement for rows and summary; undefined when there was no row that could carry the summary. */
  async #smallPage(plan: Plan, form: RowForm): Promise<Page | undefined> {
    const { totals } = this.#context;
    const statement = statementFor({ question: 'page', plan, limit: plan.limit + 1, known: totals.get(plan) });
    const { rows, held } = await this.#run(plan, (client) =>
      holdRows(client, statement, { hidden: hiddenColumns.page, limit: plan.limit, form }),
    );
    if (!rows.first) return undefined;
    const [state, total] = rows.first;
    const boundary = [...(rows.boundary ? [rows.boundary[2]] : []), ...(rows.count > plan.limit ? [''] : [])];
    const summary = summaryOf({ plan, ...this.#context }, { state: JSON.parse(state ?? 'null'), total: Number(total), boundary });
    return { count: Math.min(rows.count, plan.limit), ...held, ...summary };
  }

  /** A page without a row that could carry its summary; rows that have come since are read in the summary's snapshot. */
  #emptyPage(plan: Plan, form: RowForm): Promise<Page> {
    return this.#context.connections.inSnapshot(classOf(plan), this.#asker, placesOf(plan), async (client) => {
      const summary = await readSummary(client, { ...this.#context, plan });
      if (summary.total <= plan.offset) return { ...summary, count: 0, body: noRows(form) };
      const statement = statementFor({ question: 'rows', plan, limit: plan.limit });
      const { rows, held } = await holdRows(client, statement, { hidden: hiddenColumns.rows, limit: plan.limit, form });
      return { ...summary, count: rows.count, ...held };
    });
  }
}
