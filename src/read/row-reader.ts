/**
 * Reads rows for one customer over one connection: of a table, of many parents at once, and how many there are. The customer
 * is a constructor argument: no statement can forget it.
 */

import type { Asked } from './asked.ts';
import { ByteRows } from './byte-rows.ts';
import type { Lease } from './connections.ts';
import { type Parents, type Plan, widthOf } from './plan.ts';
import { readRows } from './row-query.ts';
import { statementFor } from './statement.ts';

export class RowReader {
  readonly #lease: Lease;
  readonly #customerId: number;
  readonly #onRows: (count: number) => void;

  /** `onRows` hears of all rows that are read; counts are none. */
  constructor(lease: Lease, customerId: number, onRows: (count: number) => void = () => {}) {
    this.#lease = lease;
    this.#customerId = customerId;
    this.#onRows = onRows;
  }

  /** `limit` rows of a plan. */
  async rows(plan: Plan, limit: number): Promise<ByteRows> {
    const rows = await this.#read({ question: 'rows', plan, limit }, widthOf(plan));
    this.#onRows(rows.count);
    return rows;
  }

  /** The rows of many parents, at most `limit` for each, in one statement; each is led by the value that links it to them. */
  async rowsOf(parents: Parents, plan: Plan, limit: number): Promise<ByteRows> {
    const width = 1 + widthOf(plan);
    if (parents.values.length === 0) return new ByteRows(width);
    const rows = await this.#read({ question: 'rows', plan, limit, parents }, width);
    this.#onRows(rows.count);
    return rows;
  }

  /** How many rows match a plan. */
  async count(plan: Plan): Promise<number> {
    const rows = await this.#read({ question: 'count', plan, limit: 0 }, 1);
    return rows.count > 0 ? Number(rows.text(0, 0)) : 0;
  }

  /** How many rows of each parent match a plan, by the value that links them; parents without rows are left out. */
  async countsOf(parents: Parents, plan: Plan): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    if (parents.values.length === 0) return counts;
    const rows = await this.#read({ question: 'count', plan, limit: 0, parents }, 2);
    for (let row = 0; row < rows.count; row++) counts.set(rows.text(row, 0)!, Number(rows.text(row, 1)));
    return counts;
  }

  async #read(asked: Asked, width: number): Promise<ByteRows> {
    if (asked.plan.source.customerId !== this.#customerId) throw new Error('The plan is of another customer');
    this.#lease.throwIfCancelled();
    const rows = new ByteRows(width);
    await readRows(this.#lease.client, statementFor(asked), rows);
    return rows;
  }
}
