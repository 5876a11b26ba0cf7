/**
 * What a request asks of a table: a plan, and the question that its answer is known by. A target that was read before is not read
 * again, since it means the same for as long as the process lives.
 */
import { LRUCache } from 'lru-cache';
import type { Cursors } from '../read/cursor.ts';
import { parsePlan, type ReadableTable } from '../read/parameters.ts';
import { filterKey, type Plan } from '../read/plan.ts';

export interface AskedPage {
  readonly plan: Plan;
  /** All that the page follows from but the data, as a JSON array. */
  readonly question: string;
}

/** The columns are part of the question, since a new release may have more. */
export const questionOf = ({ source, columns, where, order, after, offset, limit, groups }: Plan): string => {
  const { customerId, kind, name } = source;
  const made = groups ? [groups, order, after ?? null] : [];
  return JSON.stringify([customerId, kind, name, columns, filterKey(where), after?.[0] ?? null, offset, limit, ...made]);
};

const mostBytes = 4 * 2 ** 20;
/** What a page takes beside its texts, about. */
const overhead = 2_000;

export class AskedPages {
  readonly #cursors: Cursors;
  readonly #known = new LRUCache<string, AskedPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ question }, name) => question.length + name.length + overhead,
  });

  constructor(cursors: Cursors) {
    this.#cursors = cursors;
  }

  /** The page that a request target asks for of the table that it names, by the query in it. Throws as `parsePlan` does. */
  of(target: string, query: URLSearchParams, table: ReadableTable): AskedPage {
    // Which columns a raw table has may change with its next load.
    const name = table.table && `${table.source.customerId} ${target}`;
    const known = name && this.#known.get(name);
    if (known) return known;
    const plan = parsePlan({ ...table, query, cursors: this.#cursors });
    const asked = { plan, question: questionOf(plan) };
    if (name) this.#known.set(name, asked);
    return asked;
  }
}
