/**
 * Files that open the tables in other programs: the script of views for DuckDB, and the data source file of Power BI for a table, `.pbids` (contract: data source files). The format and its version are those of "Use PBIDS
 * files to get data" in the documentation of Power BI Desktop. The format has no place for a key.
 */
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

export const dataSourcePathOf = (name: string): string => `/docs/tables/${name}.pbids`;

/** `origin` is the address of the service as the reader sees it. */
export const dataSourceOf = (table: AddressedTable, origin: string): string => {
  const details = { protocol: 'http', address: { url: `${origin}${csvPathOf(table)}` } };
  return `${JSON.stringify({ version: '0.1', connections: [{ details, mode: 'Import' }] }, undefined, 2)}\n`;
};
