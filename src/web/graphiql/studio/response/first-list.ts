/** The first list of an answer as a plain table: nested objects are columns such as `key.trade`, and lists within rows are left out. */
import { isObject, type Json, type JsonObject } from '../../../browser/exact.ts';
import type { Cell, List } from '../../../browser/list.ts';

/** Fields of connections and groups that contain the rows. The list has the name of the outer field. */
const holders = new Set(['nodes', 'edges', 'groups']);

const rowsIn = (value: Json): readonly JsonObject[] | undefined => {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? each : { value: each }));
  if (!isObject(value)) return undefined;
  const held = Object.entries(value).find(([name, inner]) => holders.has(name) && Array.isArray(inner));
  return held ? rowsIn(held[1]) : [value];
};

/** An edge is its row, after the cursor. */
const rowOf = (object: JsonObject): JsonObject => {
  const { node, ...rest } = object;
  return isObject(node) ? { ...rest, ...node } : object;
};

const cellsOf = (object: JsonObject, prefix = ''): readonly (readonly [column: string, cell: Cell])[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const column = `${prefix}${name}`;
    if (isObject(value)) return cellsOf(value, `${column}.`);
    return Array.isArray(value) ? [] : [[column, value as Cell] as const];
  });

/** Undefined if the answer has no field with rows or a row. */
export const firstList = (data: Json): List | undefined => {
  if (!isObject(data)) return undefined;
  for (const [name, value] of Object.entries(data)) {
    const found = rowsIn(value);
    if (!found) continue;
    const rows = found.map((row) => new Map(cellsOf(rowOf(row))));
    const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    // A relation that is null in some rows has the columns of the other rows.
    const columns = names.filter((column) => !names.some((other) => other.startsWith(`${column}.`)));
    return { name, columns, rows: rows.map((row) => columns.map((column) => row.get(column) ?? null)) };
  }
  return undefined;
};
