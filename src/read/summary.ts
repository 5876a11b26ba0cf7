/**
 * What a page's headers say, and the totals that are remembered between pages.
 *
 * Counts are remembered by customer, table, filters and data version: they belong to the version that the rows were read at,
 * so a load makes them worthless by itself.
 */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { KnownTotal } from './asked.ts';
import type { Cursors } from './cursor.ts';
import { keysetOf } from './keyset.ts';
import { filterScope, isFiltered, type Plan, tablesOf } from './plan.ts';
import { runStatement } from './statement.ts';

export interface Summary {
  /** Version of the data that the page shows; 0 if the table was never loaded (contract: data versions). */
  readonly version: number;
  /** End of the last sync, ISO 8601 in UTC; undefined if there was none (contract: snapshot time). */
  readonly syncedAt: string | undefined;
  /** Versions of the tables that groups are made of beside their own. */
  readonly beside?: Readonly<Record<string, number>> | undefined;
  /** Rows that match, whatever limit and offset. */
  readonly total: number;
  readonly hasMore: boolean;
  /** Cursor behind the last row of a full page, on tables that have a cursor column. */
  readonly nextCursor: string | undefined;
}

export interface Page extends Summary {
  /** Rows on the page; of a large page, those written so far. */
  readonly count: number;
  /** The rows as one JSON array, or as CSV. */
  readonly body: readonly Buffer[] | AsyncIterable<Buffer>;
  /** Of a body that is used again once it has been sent. */
  readonly release?: () => void;
  /** Gives up a page that is still being read; the body, if somebody waits for it, fails. */
  readonly cancel?: () => void;
}

const totalsBytes = 4 * 2 ** 20;

/** Whether a total follows from the versions of one table. */
const isRemembered = (plan: Plan): boolean => isFiltered(plan) && tablesOf(plan).size === 1;

/** Remembers how many rows match which filters at which version. */
export class Totals {
  readonly #known = new LRUCache<string, KnownTotal>({ maxSize: totalsBytes, sizeCalculation: (_known, key) => key.length + 64 });

  get(plan: Plan): KnownTotal | undefined {
    return isRemembered(plan) ? this.#known.get(filterScope(plan)) : undefined;
  }

  set(plan: Plan, known: KnownTotal): void {
    if (isRemembered(plan)) this.#known.set(filterScope(plan), known);
  }
}

type State = readonly [version: number, syncedAt: string | null, beside?: Readonly<Record<string, number>> | null];

const hasCursors = ({ source, groups }: Plan): boolean => source.cursor !== undefined || groups !== undefined;

/** Reads the leading values of a page or a summary; `boundary` holds the page's last key and the one behind it. */
export const summaryOf = (
  { plan, totals, cursors }: { plan: Plan; totals: Totals; cursors: Cursors },
  { state, total, boundary }: { state: State | null; total: number; boundary: readonly (string | null | undefined)[] },
): Summary => {
  const [version = 0, syncedAt, beside] = state ?? [];
  totals.set(plan, { version, total });
  const [last, following] = boundary;
  return {
    version,
    syncedAt: syncedAt ? new Date(syncedAt).toISOString() : undefined,
    beside: beside ?? undefined,
    total,
    hasMore: following !== undefined,
    nextCursor: last && hasCursors(plan) ? keysetOf(cursors, plan).sign(plan.groups ? JSON.parse(last) : [last]) : undefined,
  };
};

/** Reads what a page's headers say, without its rows. */
export const readSummary = async (
  client: pg.ClientBase,
  { plan, totals, cursors }: { plan: Plan; totals: Totals; cursors: Cursors },
): Promise<Summary> => {
  const asked = { question: 'summary', plan, limit: plan.limit, known: totals.get(plan) } as const;
  const [row] = await runStatement<{ state: State | null; total: number; boundary: string[] }>(client, asked);
  if (!row) throw new Error('A summary without a row');
  return summaryOf({ plan, totals, cursors }, row);
};
