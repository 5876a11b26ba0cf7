/** Rounds of random exports: each is loaded by its inverse source, and the tables are compared with the rows. */
import { expect } from 'vitest';
import { rawColumnFacts } from '../../../src/catalogue/raw/columns.ts';
import { type RawTableName, rawTables } from '../../../src/catalogue/raw/index.ts';
import type { Database } from '../../../src/database/connections/connection.ts';
import type { Customer } from '../../../src/database/control/customers.ts';
import { readTableData, seededRandom, type TableData } from '../../sync/support.ts';
import { changesOf, folderWith, LoadedCustomer, removeFolders } from '../support.ts';
import { type RandomExport, randomExport } from './export.ts';
import { columnsOf, type Row, type Rows, randomRows, rawTable } from './rows.ts';
import { once } from './style.ts';

const tables = Object.keys(rawTables) as RawTableName[];
const anyTable = { allowDeletes: tables, allowEmptyColumns: tables };

export const readDemo = async (database: Database): Promise<ReadonlyMap<RawTableName, TableData>> => {
  const data = new Map<RawTableName, TableData>();
  for (const table of tables) {
    const read = await readTableData(database, table);
    if (read.rows.length > 0) data.set(table, read);
  }
  return data;
};

/** The integers of the keys of the source, by table and text. */
const readKeys = async (customer: LoadedCustomer): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await customer.ask('select table_name, key_text, key::text from $schema._source_keys')).map(({ table_name, key_text, key }) => [
      `${table_name} ${key_text}`,
      key as string,
    ]),
  );

const inKeyOrder = (rows: readonly Row[]): Row[] => [...rows].sort(([a], [b]) => Number(a) - Number(b));

/** The rows of a table as they must be: keys and references are the integers of their texts. */
const expected = (rows: Rows, table: RawTableName, { keyText, ofLoad }: RandomExport, keys: ReadonlyMap<string, string>): Row[] => {
  const { key } = rawTable(table);
  const targets = columnsOf(table).map((column) => {
    if (column === key) return table;
    const target = rawColumnFacts(table, column).references;
    return target && target.column === rawTable(target.table).key ? target.table : undefined;
  });
  return rows.get(table)!.map((row) =>
    row.map((value, index) => {
      if (ofLoad.has(`${table}.${columnsOf(table)[index]}`)) return 'of the load';
      const target = targets[index];
      const text = target && value !== null ? keyText(target, value) : undefined;
      return text === undefined ? value : (keys.get(`${target} ${text}`) ?? `no key for ${text}`);
    }),
  );
};

const found = async (database: Database, customer: LoadedCustomer, table: RawTableName, { ofLoad }: RandomExport): Promise<Row[]> => {
  const { columns, rows } = await readTableData(database, table, customer.customer.schema_name);
  return rows.map((row) => row.map((value, index) => (ofLoad.has(`${table}.${columns[index]}`) && value !== null ? 'of the load' : value)));
};

/** Loads `rounds` random exports one after the other into a new customer. Each must give the tables their rows. */
export const loadRandomExports = async (
  database: Database,
  data: ReadonlyMap<RawTableName, TableData>,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<Customer> => {
  const customer = await LoadedCustomer.add(database, `random-${seed}`);
  let before = new Set<RawTableName>();
  for (let round = 0; round < rounds; round++) {
    const random = seededRandom(seed * 10_007 + round);
    const place = `seed ${seed}, round ${round}`;
    const rows = randomRows(random, data, before);
    const exported = randomExport(random, rows, before);
    const folder = folderWith(Object.fromEntries(exported.files));
    const load = () =>
      customer.load(exported.source, folder, anyTable).catch((error: unknown) => {
        throw new Error(`${place} (${folder}): ${(error as Error).message}\n${JSON.stringify(exported.source, null, 1)}`);
      });
    await load();
    const keys = await readKeys(customer);
    const exportedTables = [...rows.keys()].filter((table) => !exported.left.has(table));
    for (const table of exportedTables)
      expect(inKeyOrder(await found(database, customer, table, exported)), `${place}, ${table} (${folder})`).toEqual(
        inKeyOrder(expected(rows, table, exported, keys)),
      );
    if (once(random, 5)) expect(changesOf(await load()), `${place}, again`).toEqual([]);
    before = new Set(exportedTables.filter((table) => rows.get(table)!.length > 0));
    removeFolders();
  }
  return customer.customer;
};
