/** Addresses that open tables in other programs: the CSV of a page, and the script of views for DuckDB. */
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { pageLimits } from '../../query/parameters.ts';

type AddressedTable = Pick<Table, 'category' | 'name' | 'requiredFilters' | 'columns'>;

/** The path of the longest page of a table as CSV. Required filters have their example values. */
export const csvPathOf = (table: AddressedTable): string => {
  const filters = table.requiredFilters.map((name) => `${name}=${encodeURIComponent(String(table.columns[name]?.example ?? ''))}&`);
  return `${pathOfTable(table)}?${filters.join('')}limit=${pageLimits.limit.max}&format=csv`;
};

/** The script of views for DuckDB (contract: script of views). */
export const viewsPath = '/docs/files/estate.sql';
