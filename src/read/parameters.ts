/**
 * The query string, read strictly: integers, cursor and filters (semantics 13–17).
 */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Cursors } from './cursor.ts';
import { Faults, violations } from './faults.ts';
import { isDay, parseInstant } from './instant.ts';
import type { Equality, ReadPlan, Source } from './plan.ts';
import { scopeOf } from './summary.ts';

export const limits = {
  limit: { standard: 1_000, least: 1, most: 100_000 },
  offset: { standard: 0, least: 0, most: 500_000 },
} as const;

/** Names of tables and columns (semantics 27). */
export const identifierPattern = /^[a-z][a-z0-9_]{0,62}$/;

export const integerPattern = /^\s*([+-]?)([0-9]+)\s*$/;

/** The last value counts when a parameter is repeated. */
export const lastOf = (query: URLSearchParams, name: string): string | undefined => query.getAll(name).at(-1);

/** An integer parameter within its bounds; its standard value when it is absent or wrong. */
export const integerParameter = (query: URLSearchParams, name: keyof typeof limits, faults: Faults): number => {
  const { standard, least, most } = limits[name];
  const text = lastOf(query, name);
  if (text === undefined) return standard;
  if (!integerPattern.test(text)) {
    faults.add(name, violations.noInteger);
    return standard;
  }
  const value = Number(text);
  if (value < least) faults.add(name, violations.below(least));
  else if (value > most) faults.add(name, violations.above(most));
  else return value;
  return standard;
};

const least8 = -(2n ** 63n);
const most8 = 2n ** 63n - 1n;

/** A filter's text as a value of its column, spelled in one way; undefined if it is no such value (semantics 16). */
const filterValue: Record<Kind, (text: string) => string | undefined> = {
  integer: (text) => {
    const [, sign, digits = ''] = integerPattern.exec(text) ?? [];
    if (sign === undefined || digits.length > 40) return undefined;
    const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
    return value < least8 || value > most8 ? undefined : String(value);
  },
  bigint: (text) => filterValue.integer(text),
  number: (text) => (/^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?$/.test(text) ? text : undefined),
  string: (text) => (text.includes('\0') ? undefined : text),
  date: (text) => (isDay(text) ? text : undefined),
  timestamp: (text) => (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/.test(text) && parseInstant(text) ? text : undefined),
  boolean: (text) => (text === 'true' || text === 'false' ? text : undefined),
};

const parseFilters = (query: URLSearchParams, table: Pick<Table, 'filters' | 'columns'>): Pick<ReadPlan, 'filters' | 'nothing'> => {
  const filters: Equality[] = [];
  let nothing = false;
  for (const column of table.filters) {
    const text = lastOf(query, column);
    if (text === undefined) continue;
    const kind = table.columns[column]?.kind ?? 'string';
    const value = filterValue[kind](text);
    if (value === undefined) nothing = true;
    else filters.push({ column, kind, value });
  }
  return { filters, nothing };
};

interface Asked {
  readonly query: URLSearchParams;
  readonly source: Source;
  readonly columns: readonly string[];
  /** The table whose columns can be filtered on; absent for raw tables. */
  readonly table?: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>;
  readonly cursors: Cursors;
}

/** Reads a query string as a plan. Throws 422 for parameters out of bounds, then 400 for required filters that are missing. */
export const parsePlan = ({ query, source, columns, table, cursors }: Asked): ReadPlan => {
  const faults = new Faults();
  const limit = integerParameter(query, 'limit', faults);
  const offset = table ? integerParameter(query, 'offset', faults) : 0;
  const filtered = table ? parseFilters(query, table) : { filters: [], nothing: false };
  const cursor = lastOf(query, 'cursor');
  let after: string | undefined;
  if (cursor) {
    after = source.cursor && cursors.open(scopeOf({ source, ...filtered }), cursor);
    if (after === undefined) faults.add('cursor', 'The cursor is not valid for this table and these filters');
    else if (offset > 0) faults.add('cursor', 'A cursor cannot be combined with an offset greater than 0');
  }
  faults.throwIfAny();
  const missing = (table?.requiredFilters ?? []).filter((name) => !query.has(name));
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  return { source, columns, ...filtered, after, offset, limit };
};
