/** Running numbers, one sequence a table; they start where a grown system would stand and stay far below 2^31. */
import type { RawTableName } from '../../src/catalogue/raw/index.ts';

const firstIds: Partial<Record<RawTableName, number>> = {
  property_hdr: 1001,
  building: 2001,
  contract_end: 2801,
  to_hdr: 4401,
  tenancy_hdr: 5001,
  person: 9001,
  floor_area: 40001,
  order_hdr: 55001,
  report_hdr: 88001,
  account: 200001,
  contract_condition: 930001,
  debit_change: 512001,
  booking_hdr: 7000001,
  booking_pos: 22000001,
};

export class Ids {
  readonly #next = new Map<RawTableName, number>();

  next(table: RawTableName): number {
    const id = this.#next.get(table) ?? firstIds[table] ?? 1;
    this.#next.set(table, id + 1);
    return id;
  }
}
