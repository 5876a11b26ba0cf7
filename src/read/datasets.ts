/** The state of a customer's tables as the database has it now; never remembered, so that no load is announced early or late. */
import type { Database } from '../database/connection.ts';
import { controlSchema, type DatasetKind } from '../database/control.ts';
import { qualify } from '../database/identifier.ts';

export interface DatasetState {
  readonly name: string;
  readonly version: number;
  readonly row_count: number;
  /** End of the last sync and of the last one that changed rows; null before the first. */
  readonly synced_at: Date | null;
  readonly changed_at: Date | null;
}

/** States by table name. */
export const readDatasets = async (
  { control }: Database,
  customerId: number,
  kind: DatasetKind,
): Promise<ReadonlyMap<string, DatasetState>> => {
  const rows = await control
    .selectFrom('datasets')
    .select(['name', 'version', 'row_count', 'synced_at', 'changed_at'])
    .where('customer_id', '=', customerId)
    .where('kind', '=', kind)
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
};

/**
 * A present that no change which is not visible yet will be dated before; to be read before the states. A load that is under
 * way bounds it: what it brings is dated after its announcement.
 */
export const readPresent = async ({ pool }: Database, customerId: number): Promise<Date> => {
  const { rows } = await pool.query<{ present: Date }>({
    name: 'present',
    text: `select date_trunc('milliseconds', least(clock_timestamp(),
      (select announced_at from ${qualify(controlSchema, 'publications')} where customer_id = $1))) as present`,
    values: [customerId],
  });
  return rows[0]?.present ?? new Date();
};
