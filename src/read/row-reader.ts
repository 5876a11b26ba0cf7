/**
 * Reads rows as text for one customer: of a table, of many parents at once, and how many there are. The customer is a
 * constructor argument: no statement can forget it.
 */
import type { Table } from '../catalogue/table.ts';
import { type Database, withClient } from '../database/connection.ts';
import { categorySource } from './directory.ts';
import type { Source } from './plan.ts';
import type { Link, RowsPlan, TextRow } from './rows-plan.ts';
import { countStatement, linkedCountStatement, linkedStatement, rowsStatement } from './rows-statement.ts';
import type { BoundStatement } from './statement.ts';
import { readText } from './text-rows.ts';

/** Rows or counts by the text of the value that links them to their parents. */
export type ByLink<T> = ReadonlyMap<string, T>;

export class RowReader {
  readonly #database: Database;
  readonly #customer: { readonly id: number; readonly schema: string };

  readonly #onRows: (count: number) => void;

  /** `onRows` hears of all rows that are read; counts are none. */
  constructor(database: Database, customer: { readonly id: number; readonly schema: string }, onRows: (count: number) => void = () => {}) {
    this.#database = database;
    this.#customer = customer;
    this.#onRows = onRows;
  }

  source(table: Table): Source {
    return categorySource(table, this.#customer);
  }

  /** `limit` rows of a plan; `key` is its table's. */
  async rows(plan: RowsPlan, key: string, limit: number): Promise<readonly TextRow[]> {
    const rows = await this.#read(plan, rowsStatement(plan, key, limit));
    this.#onRows(rows.length);
    return rows;
  }

  /** The rows of many parents, at most `limit` for each, in one statement. */
  async linkedRows(plan: RowsPlan, link: Link, values: readonly string[], limit: number): Promise<ByLink<readonly TextRow[]>> {
    const found = new Map<string, TextRow[]>();
    if (values.length === 0) return found;
    const rows = await this.#read(plan, linkedStatement(plan, link, values, limit));
    this.#onRows(rows.length);
    for (const [value, ...row] of rows) {
      const siblings = found.get(value as string);
      if (siblings) siblings.push(row);
      else found.set(value as string, [row]);
    }
    return found;
  }

  /** How many rows match a plan. */
  async count(plan: RowsPlan): Promise<number> {
    const [row] = await this.#read(plan, countStatement(plan));
    return Number(row?.[0] ?? 0);
  }

  /** How many rows of each parent match a plan; parents without rows are left out. */
  async linkedCounts(plan: RowsPlan, link: Link, values: readonly string[]): Promise<ByLink<number>> {
    if (values.length === 0) return new Map();
    const rows = await this.#read(plan, linkedCountStatement(plan, link, values));
    return new Map(rows.map(([value, count]) => [value as string, Number(count)]));
  }

  #read({ source }: RowsPlan, statement: BoundStatement): Promise<readonly TextRow[]> {
    if (source.customerId !== this.#customer.id) throw new Error('The plan is of another customer');
    return withClient(this.#database.pool, (client) => readText(client, statement));
  }
}
