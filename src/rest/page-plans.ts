/**
 * Parses a request target into a plan and its cache key. The result is cached, because a target has the same meaning as long as the process
 * runs.
 */
import { LRUCache } from 'lru-cache';
import { scopePart } from '../catalogue/readership.ts';
import { jsonItems } from '../http/responses/headers.ts';
import type { Cursors } from '../plan/cursor.ts';
import { filterKey, isImpossible, type Plan } from '../plan/plan.ts';
import type { ReadableTable } from '../plan/plan-query.ts';
import { type Format, formatParameter, parsePlan } from '../query/parameters.ts';

export interface PagePlan {
  readonly plan: Plan;
  /** Everything except the data that determines the page, as the items of a JSON array. */
  readonly cacheKey: string;
  /** The format that the query names. */
  readonly format: Format | undefined;
}

/** Filters that no row meets have the same rows, but each answer names its own values (contract: unknown values). */
const answeredFilter = (where: Plan['where']): string => (isImpossible(where) ? JSON.stringify(where) : filterKey(where));

/** The cache key contains the columns, because a new release may have more. `names` are given for plans whose order or names differ. */
export const cacheKeyOf = (
  { source, columns, where, order, relatedColumns, after, offset, limit, groups }: Plan,
  names?: readonly string[],
): string => {
  const { customerId, kind, name } = source;
  const made = names ? [names, groups ?? null, order, after ?? null, ...(relatedColumns ? [relatedColumns] : [])] : [];
  return jsonItems(customerId, kind, name, columns, answeredFilter(where), after?.[0], offset, limit, ...made, ...scopePart(source));
};

const maxBytes = 4 * 2 ** 20;
/** Approximate memory of an entry in addition to its texts. */
const overhead = 2_000;

export class PagePlanCache {
  readonly #cursors: Cursors;
  readonly #known = new LRUCache<string, PagePlan>({
    maxSize: maxBytes,
    sizeCalculation: ({ cacheKey }, name) => cacheKey.length + name.length + overhead,
  });

  constructor(cursors: Cursors) {
    this.#cursors = cursors;
  }

  /** The page that the query of a request target describes. Throws the errors of `parsePlan`. */
  of(target: string, query: URLSearchParams, table: ReadableTable): PagePlan {
    // The next load may change the columns of a raw table.
    const { customerId, scope } = table.source;
    const name = table.table && `${customerId} ${scope?.key ?? ''} ${target}`;
    const known = name && this.#known.get(name);
    if (known) return known;
    const plan = parsePlan({ ...table, query, cursors: this.#cursors });
    const page = { plan, cacheKey: cacheKeyOf(plan), format: formatParameter(query) };
    if (name) this.#known.set(name, page);
    return page;
  }
}
