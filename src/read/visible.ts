/** Which tables a caller sees and which of them changed, as REST and GraphQL show it (contract: visibility; changes). */
import type { Catalogue, ResolvedRelation } from '../catalogue/index.ts';
import { pathOfTable, type Table } from '../catalogue/table.ts';
import { categories, includesTier, type Tier } from '../catalogue/tiers.ts';
import type { DatasetState } from '../database/datasets.ts';
import type { Directory } from './directory.ts';

/** Tables that a tier includes, of those given. */
export const readableTables = (tables: readonly Table[], tier: Tier): Table[] =>
  tables.filter((table) => includesTier(tier, categories[table.category]));

/** Tables of the catalogue that the customer has, in catalogue order. */
export const presentTables = (catalogue: Catalogue, directory: Directory): Table[] =>
  [...catalogue.tables.values()].filter((table) => directory.categoryTables.has(table.name));

/** The relations of a table that lead to those given. */
export const relationsAmong = (catalogue: Catalogue, tables: readonly Table[]): ((table: string) => readonly ResolvedRelation[]) => {
  const names = new Set(tables.map(({ name }) => name));
  return (table) => (catalogue.relations.get(table) ?? []).filter(({ target }) => names.has(target));
};

/** Categories that have tables, with the names of those. */
export const groupByCategory = (tables: readonly Table[]) =>
  Object.keys(categories)
    .map((category) => ({ category, tables: tables.filter((table) => table.category === category).map(({ name }) => name) }))
    .filter((group) => group.tables.length > 0);

/** How fresh each table is; `age_seconds` is the time since its last sync, null before the first. */
export const freshnessOf = (tables: readonly Table[], stateOf: (name: string) => DatasetState | undefined, now = Date.now()) =>
  tables.map((table) => {
    const { version = 0, row_count = 0, synced_at = null, changed_at = null } = stateOf(table.name) ?? {};
    const age_seconds = synced_at && Math.max(0, Math.round((now - synced_at.getTime()) / 1_000));
    return {
      category: table.category,
      table: table.name,
      endpoint_url: pathOfTable(table),
      version,
      row_count,
      synced_at,
      changed_at,
      age_seconds,
    };
  });

/** The state of each table whose data changed at or after `since`. */
export const changedSince = (tables: readonly Table[], states: ReadonlyMap<string, DatasetState>, since: Date) =>
  tables.flatMap((table) => {
    const { name, category } = table;
    const state = states.get(name);
    if (!state?.changed_at || state.changed_at < since) return [];
    const { version, synced_at, changed_at, row_count } = state;
    return [{ category, table: name, endpoint_url: pathOfTable(table), synced_at, changed_at, row_count, version }];
  });
