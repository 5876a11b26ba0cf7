/**
 * The values of a page's headers, and the cache of totals.
 *
 * Totals are cached by customer, data scope, table, filters and data version. A load creates a new version, so old totals are never used again.
 */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Cursors } from '../plan/cursor.ts';
import { keysetOf } from '../plan/cursor.ts';
import { filterScope, hasRestCursor, isFiltered, type Plan, planTables } from '../plan/plan.ts';
import type { KnownTotal } from '../plan/plan-query.ts';
import type { UnlistedValue } from '../plan/unlisted-values.ts';
import { runStatement } from '../wire/read-rows.ts';

export interface Summary {
  /** The data version of the page; 0 if the table was never loaded (contract: data versions). */
  readonly version: number;
  /** The end of the last sync, ISO 8601 in UTC; undefined if there was none (contract: snapshot time). */
  readonly syncedAt: string | undefined;
  /** Versions of the other tables that the condition, the order, the columns and the groups read. */
  readonly joinedVersions?: Readonly<Record<string, number>> | undefined;
  /** Rows that match, regardless of limit and offset. */
  readonly total: number;
  readonly hasMore: boolean;
  /** The cursor after the last row of a full page, on tables with cursors. */
  readonly nextCursor: string | undefined;
  /** Values in conditions that are no codes and that no row has. */
  readonly unknownValues?: readonly UnlistedValue[];
}

export interface SummarizedPage extends Summary {
  /** Rows on the page; for a large page, rows written so far. */
  readonly count: number;
  /** The rows as one JSON array or as CSV. */
  readonly body: readonly Buffer[] | AsyncIterable<Buffer>;
  /** Returns the body's buffers to their pool. */
  readonly release?: () => void;
  /** Aborts a page that is still being read. Its body then fails. */
  readonly cancel?: () => void;
}

const totalsBytes = 4 * 2 ** 20;

/** Whether the total depends on one table only, and on those of the data scope. */
const isCacheable = (plan: Plan): boolean => isFiltered(plan) && planTables(plan).size === 1;

/** A cache of totals by filter and version. */
export class TotalCache {
  readonly #known = new LRUCache<string, KnownTotal>({ maxSize: totalsBytes, sizeCalculation: (_known, key) => key.length + 64 });

  get(plan: Plan): KnownTotal | undefined {
    return isCacheable(plan) ? this.#known.get(filterScope(plan)) : undefined;
  }

  set(plan: Plan, known: KnownTotal): void {
    if (isCacheable(plan)) this.#known.set(filterScope(plan), known);
  }
}

type State = readonly [version: number, syncedAt: string | null, joinedVersions?: Readonly<Record<string, number>> | null];

const hasCursors = ({ source, groups }: Plan): boolean => source.cursor !== undefined || groups !== undefined;

/** The cursor of a row whose text in cursors is `last` (`sql/query.ts`). */
const signed = (cursors: Cursors, plan: Plan, last: string): string =>
  keysetOf(cursors, plan).sign(hasRestCursor(plan) ? [last] : JSON.parse(last));

/** Parses the leading values of a page or a summary. `boundary` holds the page's last key and the next one. */
export const summaryOf = (
  { plan, totals, cursors }: { plan: Plan; totals: TotalCache; cursors: Cursors },
  { state, total, boundary }: { state: State | null; total: number; boundary: readonly (string | null | undefined)[] },
): Summary => {
  const [version = 0, syncedAt, joinedVersions] = state ?? [];
  // Versions only grow, so equal sums are equal versions.
  const versions = Object.values(joinedVersions ?? {}).reduce((sum, other) => sum + other, version);
  totals.set(plan, { version: versions, total });
  const [last, following] = boundary;
  return {
    version,
    syncedAt: syncedAt ? new Date(syncedAt).toISOString() : undefined,
    joinedVersions: joinedVersions ?? undefined,
    total,
    hasMore: following !== undefined,
    nextCursor: last && hasCursors(plan) ? signed(cursors, plan, last) : undefined,
  };
};

/** Reads the values of a page's headers, without rows. */
export const readSummary = async (
  client: pg.ClientBase,
  { plan, totals, cursors }: { plan: Plan; totals: TotalCache; cursors: Cursors },
): Promise<Summary> => {
  const query = { queryKind: 'summary', plan, limit: plan.limit, known: totals.get(plan) } as const;
  const [row] = await runStatement<{ state: State | null; total: number; boundary: string[] }>(client, query);
  if (!row) throw new Error('A summary without a row');
  return summaryOf({ plan, totals, cursors }, row);
};
