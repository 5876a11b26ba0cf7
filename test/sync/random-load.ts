/** Random loads: rows changed, swapped, removed and added, as full tables or as differences. */
import type { Database } from '../../src/database/connections/connection.ts';
import { asCsv, type Deliveries, load, readTableData, type TableData } from './support.ts';

interface Varied {
  readonly table: string;
  readonly key: string;
  /** Text that the category tables show. */
  readonly texts: readonly string[];
  /** A unique column whose values two rows may swap. */
  readonly swap?: string;
  /** Rows may be inserted and deleted, because nothing requires them. */
  readonly isFree?: true;
}

/** Driving tables, and tables at the end of one and two joins. */
const varied: readonly Varied[] = [
  { table: 'person', key: 'person_id', texts: ['last_name', 'company_name', 'city'] },
  { table: 'creditor_hdr', key: 'creditor_id', texts: ['bank_name', 'contact_name'], swap: 'creditor_no' },
  { table: 'property_hdr', key: 'property_id', texts: ['street', 'city'] },
  { table: 'floor_area', key: 'fa_hdr_id', texts: ['unit_number'], swap: 'floor_area_id' },
  { table: 'tenancy_hdr', key: 'tenancy_hdr_id', texts: ['co_tenant_name'], swap: 'contract_number' },
  { table: 'order_hdr', key: 'order_hdr_id', texts: ['subject', 'hierarchy_1'], isFree: true },
  { table: 'report_hdr', key: 'report_hdr_id', texts: ['status_key'], isFree: true },
];

type Random = (max: number) => number;

const change = (
  { columns, rows }: TableData,
  { key, texts, swap, isFree }: Varied,
  pick: Random,
): { readonly touched: Set<number>; readonly removed: (string | null)[][] } => {
  const touched = new Set<number>();
  const at = (name: string) => columns.indexOf(name);
  for (let n = pick(4); n > 0 && rows.length > 0; n--) {
    const index = pick(rows.length);
    touched.add(index);
    rows[index]![at(texts[pick(texts.length)]!)] = ['', `Ä"${pick(1000)}`, `line\nbreak ${pick(9)}`, 'plain'][pick(4)]!;
  }
  if (swap && rows.length > 1 && pick(2) === 0) {
    const [one, other] = [pick(rows.length), pick(rows.length)];
    const values = [rows[one]![at(swap)]!, rows[other]![at(swap)]!];
    [rows[other]![at(swap)], rows[one]![at(swap)]] = values as [string, string];
    touched.add(one).add(other);
  }
  const removed: (string | null)[][] = [];
  if (isFree && rows.length > 1) {
    if (pick(2) === 0) {
      const added = [...rows[pick(rows.length)]!];
      added[at(key)] = String(1_000_000 + pick(1_000));
      if (!rows.some((row) => row[at(key)] === added[at(key)])) touched.add(rows.push(added) - 1);
    }
    // The last row is removed, so that the positions of the others do not change.
    if (pick(3) === 0 && !touched.has(rows.length - 1)) removed.push(rows.pop()!);
  }
  return { touched, removed };
};

/** Loads one to three tables, each slightly changed. */
export const loadRandomDelivery = async (database: Database, deliveries: Deliveries, pick: Random): Promise<void> => {
  const tables = varied.filter(() => pick(3) === 0);
  const isFull = pick(2) === 0;
  const paths: string[] = [];
  const deletes: string[] = [];
  for (const one of tables.length > 0 ? tables : [varied[pick(varied.length)]!]) {
    const sheet = await readTableData(database, one.table);
    const { touched, removed } = change(sheet, one, pick);
    const rows = isFull ? sheet.rows : sheet.rows.filter((_row, index) => touched.has(index));
    paths.push(deliveries.write(`${one.table}.csv`, asCsv({ columns: sheet.columns, rows })));
    const keys = removed.map((row) => [row[sheet.columns.indexOf(one.key)]!]);
    if (!isFull && keys.length > 0) {
      const folder = deliveries.folderNamed('deletes');
      deletes.push(folder.write(`${one.table}.csv`, asCsv({ columns: [one.key], rows: keys })));
    }
  }
  // Every other load replaces each table that it changes.
  const replacing = pick(2) === 0 ? { share: 0, fewest: 1 } : {};
  await load(database, paths, { mode: isFull ? 'full' : 'upsert', deletes, replacing });
};
