/** Parameters that a category page does not know (contract: repeated and unknown parameters). */
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { ParameterErrors, quotedValue } from '../plan/validation-errors.ts';
import { rowLists } from './rows.ts';

/** The parameters of category pages, without the table's columns. */
const rowParameters: readonly string[] = [...rowLists, 'limit', 'offset', 'cursor', 'format'];

/** The names that are neither a parameter nor a column of the table, each once. */
export const unknownParameters = (query: URLSearchParams, { columns }: Pick<Table, 'columns'>): readonly string[] => {
  const unknown = new Set<string>();
  for (const name of query.keys()) if (!Object.hasOwn(columns, name) && !rowParameters.includes(name)) unknown.add(name);
  return unknown.size === 0 ? none : [...unknown];
};
const none: readonly string[] = [];

/** The number of changed, missing or additional characters between two texts. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + Number(letter !== other[at])));
    row = next;
  }
  return row.at(-1)!;
};

/** Longer names are compared by their beginning. */
const longest = 80;

/** The name that differs least. */
const nearestOf = (name: string, known: readonly string[]): string => {
  const text = name.slice(0, longest);
  return known.reduce((nearest, each) => (distance(text, each) < distance(text, nearest) ? each : nearest));
};

/** A response names this many errors, so no more are compared. */
const maxCompared = 5;

/** Throws 422 for unknown parameters, with the known name that is nearest to each. */
export const refuseUnknown = (
  unknown: readonly string[],
  { columns }: Pick<Table, 'columns'>,
  headers: Readonly<Record<string, string>>,
): void => {
  if (unknown.length === 0) return;
  const known = [...Object.keys(columns), ...rowParameters];
  const errors = new ParameterErrors();
  for (const [at, name] of unknown.entries())
    errors.add(quotedValue(name), at < maxCompared ? `unknown; the nearest name is ${nearestOf(name, known)}` : 'unknown');
  throw new ApiError('invalidParameter', errors.detail, headers);
};
