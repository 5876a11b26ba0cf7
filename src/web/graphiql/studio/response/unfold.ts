/**
 * Converts a response into tables. Each list of objects becomes a table, and nested objects become columns such as `key.trade` and
 * `sum.totalNet`. A nested list becomes a table of its own, whose rows begin with the columns of the parent row.
 */
import { Figure, isObject, type Json, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, type List, textOf } from '../../../browser/list.ts';

type Row = Map<string, Cell>;
interface Gathered {
  readonly rows: Row[];
  total?: string;
}

/** Fields of connections and groups that contain the rows. The list has the name of the outer field. */
const holders = new Set(['nodes', 'edges', 'groups']);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value) && (value.length === 0 || value.some(isObject));

const cellOf = (value: Json): Cell => {
  if (Array.isArray(value)) return value.map((each) => textOf(cellOf(each))).join(', ');
  return value as Cell;
};

type Found = (path: readonly string[], list: readonly Json[]) => void;

/** Adds the properties of an object to a row. Lists in it are returned. */
const fill = (row: Row, object: JsonObject, path: readonly string[], column: string, found: Found): void => {
  for (const [name, value] of Object.entries(object)) {
    const own = column === '' ? name : `${column}.${name}`;
    if (isList(value)) found(holders.has(name) ? path : [...path, name], value);
    else if (isObject(value)) fill(row, value, [...path, name], own, found);
    else row.set(own, cellOf(value));
  }
};

/** An edge is its row, after the cursor. */
const rowObject = (element: Json): JsonObject => {
  if (!isObject(element)) return { value: element };
  const { node, ...rest } = element;
  return isObject(node) ? { ...rest, ...node } : element;
};

const gather = (
  lists: Map<string, Gathered>,
  path: readonly string[],
  elements: readonly Json[],
  parents: ReadonlyMap<string, Cell>,
): void => {
  const name = path.join('.');
  const list = lists.get(name) ?? { rows: [] };
  lists.set(name, list);
  for (const element of elements) {
    const own: Row = new Map();
    const inner: (readonly [readonly string[], readonly Json[]])[] = [];
    fill(own, rowObject(element), path, '', (...found) => inner.push(found));
    list.rows.push(new Map([...parents, ...own]));
    if (inner.length === 0) continue;
    const inherited = new Map([...parents, ...[...own].map(([column, cell]) => [`${path.at(-1)}.${column}`, cell] as const)]);
    for (const [innerPath, innerElements] of inner) gather(lists, innerPath, innerElements, inherited);
  }
};

/** All columns in the order of their first occurrence. An object that is null in some rows has no column of its own. */
const columnsOf = (rows: readonly Row[]): readonly string[] => {
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const belongs = (inner: string, outer: string) => inner.startsWith(`${outer}.`);
  const outer = names.filter(
    (name) => names.some((inner) => belongs(inner, name)) && rows.every((row) => (row.get(name) ?? null) === null),
  );
  const placed = names.flatMap((name) => (outer.includes(name) ? names.filter((inner) => belongs(inner, name)) : [name]));
  return [...new Set(placed)].filter((name) => !outer.includes(name));
};

/** Every list in the `data` of a response, in order. A single object is a list of one row. */
export const unfold = (data: Json): readonly List[] => {
  if (!isObject(data)) return [];
  const lists = new Map<string, Gathered>();
  for (const [field, value] of Object.entries(data)) {
    if (isList(value)) gather(lists, [field], value, new Map());
    if (!isObject(value)) continue;
    const held = Object.entries(value).filter(([name, inner]) => holders.has(name) && isList(inner));
    if (held.length === 0) gather(lists, [field], [value], new Map());
    for (const [, list] of held.slice(0, 1)) gather(lists, [field], list as readonly Json[], new Map());
    const gathered = lists.get(field);
    if (gathered && held.length > 0 && value.totalCount instanceof Figure) gathered.total = value.totalCount.text;
  }
  return [...lists].map(([name, { rows, total }]) => {
    const columns = columnsOf(rows);
    const cells = rows.map((row) => columns.map((column) => row.get(column) ?? null));
    return { name, columns, rows: cells, ...(total === undefined ? {} : { total }) };
  });
};
