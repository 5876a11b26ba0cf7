/** How fresh the tables of a caller are, and which of them changed, for all APIs (contract: changes; me). */
import { type DataScope, isNarrowed } from '../catalogue/data-scope.ts';
import { type DatasetKind, pathOfTable } from '../catalogue/table.ts';
import type { DatasetState } from '../database/control/datasets.ts';
import type { ListedTable } from './visible.ts';

type StateOf = (kind: DatasetKind, name: string) => DatasetState | undefined;

/** The states of the listed tables; `read` gives those of one kind by name. */
export const readStatesOf = async (
  tables: readonly ListedTable[],
  read: (kind: DatasetKind) => Promise<ReadonlyMap<string, DatasetState>>,
): Promise<StateOf> => {
  const kinds = [...new Set(tables.map(({ kind }) => kind))];
  const states = new Map(await Promise.all(kinds.map(async (kind) => [kind, await read(kind)] as const)));
  return (kind, name) => states.get(kind)?.get(name);
};

/** The number of rows of a table; null if the scope includes a part of them only, because the whole table is none of its business. */
const countWithin = (scope: DataScope | undefined, { kind, name }: ListedTable, count: number): number | null =>
  isNarrowed(scope, kind, name) ? null : count;

/** How fresh each table is; `age_seconds` is the time since its last sync, null before the first. */
export const freshnessOf = (tables: readonly ListedTable[], stateOf: StateOf, scope: DataScope | undefined, now = Date.now()) =>
  tables.map((table) => {
    const { version = 0, row_count = 0, synced_at = null, changed_at = null } = stateOf(table.kind, table.name) ?? {};
    const age_seconds = synced_at && Math.max(0, Math.round((now - synced_at.getTime()) / 1_000));
    return {
      category: table.category,
      table: table.name,
      endpoint_url: pathOfTable(table),
      version,
      row_count: countWithin(scope, table, row_count),
      synced_at,
      changed_at,
      age_seconds,
    };
  });

/** The tables that `/changes` reports. Clients read every reported path as a category table, so raw tables are reported only if there is no category table. */
const reported = (tables: readonly ListedTable[]): readonly ListedTable[] => {
  const categoryTables = tables.filter(({ kind }) => kind === 'category');
  return categoryTables.length > 0 ? categoryTables : tables;
};

/** The state of each reported table whose data changed at or after `since` (contract: changes). */
export const changedSince = (tables: readonly ListedTable[], stateOf: StateOf, since: Date, scope: DataScope | undefined) =>
  reported(tables).flatMap((table) => {
    const { kind, name, category } = table;
    const state = stateOf(kind, name);
    if (!state?.changed_at || state.changed_at < since) return [];
    const { version, synced_at, changed_at } = state;
    const row_count = countWithin(scope, table, state.row_count);
    return [{ category, table: name, endpoint_url: pathOfTable(table), synced_at, changed_at, row_count, version }];
  });
