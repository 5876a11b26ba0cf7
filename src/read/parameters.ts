/**
 * The query string, read strictly: integers, cursor and filters (contract: query parameters).
 */
import { integerPattern, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import type { Cursors } from './cursor.ts';
import { Faults, violations } from './faults.ts';
import { keysetOf } from './keyset.ts';
import { type Plan, type Source, sortOrder, type TextRow } from './plan.ts';

export const limits = {
  limit: { standard: 1_000, least: 1, most: 100_000 },
  offset: { standard: 0, least: 0, most: 500_000 },
} as const;

/** Names of tables and columns (contract: lookup values). */
export const identifierPattern = /^[a-z][a-z0-9_]{0,62}$/;

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

/** Filters AND together; a text that is no value of its column matches nothing (contract: filters). */
const parseFilters = (query: URLSearchParams, table: Pick<Table, 'filters' | 'columns'>): Condition | undefined => {
  const parts = table.filters.flatMap((column): Condition[] => {
    const text = lastOf(query, column);
    if (text === undefined) return [];
    const kind = table.columns[column]?.kind ?? 'string';
    const value = kinds[kind].parse(text);
    return [value === undefined ? { is: 'unknown' } : { is: 'compared', column, kind, by: 'eq', value }];
  });
  return parts.length > 1 ? { is: 'and', of: parts } : parts[0];
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
export const parsePlan = ({ query, source, columns, table, cursors }: Asked): Plan => {
  const faults = new Faults();
  const limit = integerParameter(query, 'limit', faults);
  const offset = table ? integerParameter(query, 'offset', faults) : 0;
  const where = table && parseFilters(query, table);
  const order = sortOrder(source, table?.columns);
  const cursor = lastOf(query, 'cursor');
  let after: TextRow | undefined;
  if (cursor) {
    after = source.cursor && keysetOf(cursors, { source, where, order }).open(cursor);
    if (after === undefined) faults.add('cursor', 'The cursor is not valid for this table and these filters');
    else if (offset > 0) faults.add('cursor', 'A cursor cannot be combined with an offset greater than 0');
  }
  faults.throwIfAny();
  const missing = (table?.requiredFilters ?? []).filter((name) => !query.has(name));
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  return { source, columns, where, order, after, offset, limit, along: [] };
};
