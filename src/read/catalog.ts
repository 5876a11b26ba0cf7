/** What there is to read and what of it changed, as REST and GraphQL show it (contract: visibility; changes). */
import { pathOfTable, type Table } from '../catalogue/table.ts';
import { categories } from '../catalogue/tiers.ts';
import type { DatasetState } from './datasets.ts';

/** Categories that have tables, with the names of those. */
export const groupByCategory = (tables: readonly Table[]) =>
  Object.keys(categories)
    .map((category) => ({ category, tables: tables.filter((table) => table.category === category).map(({ name }) => name) }))
    .filter((group) => group.tables.length > 0);

/** The state of each table whose data changed at or after `since`. */
export const changedSince = (tables: readonly Table[], states: ReadonlyMap<string, DatasetState>, since: Date) =>
  tables.flatMap((table) => {
    const { name, category } = table;
    const state = states.get(name);
    if (!state?.changed_at || state.changed_at < since) return [];
    const { version, synced_at, changed_at, row_count } = state;
    return [{ category, table: name, endpoint_url: pathOfTable(table), synced_at, changed_at, row_count, version }];
  });
