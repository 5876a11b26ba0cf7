/** Fills a category table with generated rows, without files. */
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createCategoryIndexes } from '../../src/database/ddl.ts';
import { sql } from './estate.ts';

/** The value of row `n`. Values are distinct enough for searches by column. */
const values: Readonly<Record<Kind, string>> = {
  integer: '(n * 7919) % 5000',
  bigint: '(n * 7919) % 5000',
  number: '(n % 100) / 10.0',
  string: `'text ' || (n * 104729) % 20011`,
  date: `date '2015-01-01' + (n % 3650)::integer`,
  timestamp: `timestamptz '2015-01-01' + n * interval '1 minute'`,
  boolean: 'n % 9 = 0',
};

/** Fills a table of the customer `bench` with ascending keys, and creates its indexes. */
export const fill = async (url: string, name: string, rows: number, special: Readonly<Record<string, string>> = {}): Promise<void> => {
  const table = catalogue.tables.get(name)!;
  const columns = Object.entries(table.columns).map(([column, { kind, digits }]) => {
    if (column === table.key) return 'n';
    return special[column] ?? (kind === 'number' ? `(${values.number})::numeric(${digits?.join()})` : values[kind]);
  });
  const state = `version = 1, row_count = ${rows}, synced_at = now(), changed_at = now()`;
  await sql(
    url,
    `insert into customer_bench.${name} select ${columns.join(', ')} from generate_series(1::bigint, ${rows}) n`,
    ...createCategoryIndexes(catalogue, 'customer_bench', table),
    `vacuum analyze customer_bench.${name}`,
    `update customer_bench._datasets set ${state} where kind = 'category' and name = '${name}'`,
  );
};
