/**
 * Answers plans for one customer. The customer is a constructor argument: no statement can forget it.
 *
 * A page that fits in memory is one statement, which carries its own summary. A larger one is a read-only transaction:
 * first the summary, because headers go out before the first byte, then the rows through a spool. Either way rows, total,
 * version and cursor come from one snapshot (contract: page snapshot).
 */
import type { Database } from '../database/connection.ts';
import { type Asker, Connections } from './connections.ts';
import type { Cursors } from './cursor.ts';
import { holdRows } from './held-rows.ts';
import { LargePages } from './large-page.ts';
import type { Plan } from './plan.ts';
import { hiddenColumns } from './query.ts';
import { statementFor } from './statement.ts';
import { type Page, readSummary, type Summary, summaryOf, Totals } from './summary.ts';

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
  const { smallPage, largePages, spoolMemory, documentTimeoutMs, queueWaitMs } = { ...defaults, ...options };
  const connections = new Connections(database, { documentTimeoutMs, queueWaitMs });
  const large = new LargePages(database, connections, { most: largePages, spoolMemory, queueWaitMs });
  return { database, connections, cursors, totals: new Totals(), largePages: large, smallPage };
};

export class Reader {
  readonly #context: ReaderContext;
  readonly #asker: Asker;

  constructor(context: ReaderContext, asker: Asker) {
    this.#context = context;
    this.#asker = asker;
  }

  /** Reads a page: its summary, and its rows as JSON. Throws `busy`, `timeout` and `abandoned` (see `connections.ts`). */
  async page(plan: Plan): Promise<Page> {
    this.#own(plan);
    const { largePages, smallPage } = this.#context;
    if (plan.limit > smallPage) return largePages.read(this.#asker, { ...this.#context, plan });
    return (await this.#smallPage(plan)) ?? this.#emptyPage(plan);
  }

  /** Reads what a page's headers say, without its rows. */
  async summary(plan: Plan): Promise<Summary> {
    this.#own(plan);
    const { connections } = this.#context;
    return connections.run('pages', this.#asker, (client) => readSummary(client, { ...this.#context, plan }));
  }

  #own(plan: Plan): void {
    if (plan.source.customerId !== this.#asker.customerId) throw new Error('The plan is of another customer');
  }

  /** One statement for rows and summary; undefined when there was no row that could carry the summary. */
  async #smallPage(plan: Plan): Promise<Page | undefined> {
    const { connections, totals } = this.#context;
    const statement = statementFor({ question: 'page', plan, limit: plan.limit + 1, known: totals.get(plan) });
    const { rows, body } = await connections.run('pages', this.#asker, (client) =>
      holdRows(client, statement, { hidden: hiddenColumns.page, limit: plan.limit }),
    );
    if (!rows.first) return undefined;
    const [state, total] = rows.first;
    const isFull = rows.count >= plan.limit;
    const boundary = [...(isFull ? [rows.last?.[2]] : []), ...(rows.count > plan.limit ? [''] : [])];
    const summary = summaryOf({ ...this.#context, plan }, { state: JSON.parse(state ?? 'null'), total: Number(total), boundary });
    return { ...summary, count: Math.min(rows.count, plan.limit), body };
  }

  /** A page without a row that could carry its summary; rows that have come since are read in the summary's snapshot. */
  #emptyPage(plan: Plan): Promise<Page> {
    return this.#context.connections.inSnapshot('pages', this.#asker, async (client) => {
      const summary = await readSummary(client, { ...this.#context, plan });
      const statement = statementFor({ question: 'rows', plan, limit: plan.limit });
      const { rows, body } = await holdRows(client, statement, { hidden: hiddenColumns.rows, limit: plan.limit });
      return { ...summary, count: rows.count, body };
    });
  }
}
