/** Groups by several keys as a table whose columns are the values of one key. */
import type { JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';

/** More columns are not readable. */
export const mostColumns = 40;

export interface PivotRow {
  /** A group with the values of the other keys. */
  readonly keys: JsonObject;
  /** The group of each column. Undefined if there is none. */
  readonly groups: readonly (JsonObject | undefined)[];
}

export interface Pivot {
  /** The values of the key, in the order of their first groups. */
  readonly columns: readonly Cell[];
  readonly rows: readonly PivotRow[];
}

const cellOf = (row: JsonObject, name: string): Cell => (row[name] ?? null) as Cell;

/** Values of keys as one text, which differs for different values. */
export const identityOf = (row: JsonObject, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => (cellOf(row, name) === null ? null : textOf(cellOf(row, name)))));

/** `keys` are the names of the other keys, `across` is that of the columns. Rows and columns keep the order of their first groups. */
export const pivotOf = (groups: readonly JsonObject[], keys: readonly string[], across: string): Pivot => {
  const columns = new Map(groups.map((group) => [identityOf(group, [across]), cellOf(group, across)]));
  const ordered = [...columns];
  const rows = new Map<string, { readonly keys: JsonObject; readonly byColumn: Map<string, JsonObject> }>();
  for (const group of groups) {
    const identity = identityOf(group, keys);
    const row = rows.get(identity) ?? { keys: group, byColumn: new Map() };
    row.byColumn.set(identityOf(group, [across]), group);
    rows.set(identity, row);
  }
  return {
    columns: ordered.map(([, value]) => value),
    rows: [...rows.values()].map((row) => ({ keys: row.keys, groups: ordered.map(([identity]) => row.byColumn.get(identity)) })),
  };
};
