/**
 * The query string, read strictly: integers, cursors, filters, versions and points in time (contract: query parameters).
 */
import { parseInstant } from '../catalogue/instant.ts';
import { integerPattern, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import type { Cursors } from './cursor.ts';
import type { DeltaPlan } from './deltas.ts';
import { faultOf, ParameterFaults, violations } from './faults.ts';
import { deltaCursorsOf, keysetOf } from './keyset.ts';
import { type Plan, type Source, sortOrder, type TextRow } from './plan.ts';

export const limits = {
  limit: { standard: 1_000, least: 1, most: 100_000 },
  offset: { standard: 0, least: 0, most: 500_000 },
} as const;

/** What an integer is where it is absent, and what it may be. */
export interface Bounds {
  readonly standard: number;
  readonly least: number;
  readonly most: number;
}

/** Names of tables and columns (contract: lookup values). */
export const identifierPattern = /^[a-z][a-z0-9_]{0,62}$/;

/** The last value counts when a parameter is repeated. */
export const lastOf = (query: URLSearchParams, name: string): string | undefined => query.getAll(name).at(-1);

/** An integer parameter within its bounds; its standard value when it is absent or wrong. */
export const integerParameter = (
  query: URLSearchParams,
  name: keyof typeof limits,
  faults: ParameterFaults,
  { standard, least, most }: Bounds = limits[name],
): number => {
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
export const parseFilters = (query: URLSearchParams, table: Pick<Table, 'filters' | 'columns'>): Condition | undefined => {
  const parts = table.filters.flatMap((column): Condition[] => {
    const text = lastOf(query, column);
    if (text === undefined) return [];
    const kind = table.columns[column]?.kind ?? 'string';
    const value = kinds[kind].parse(text);
    return [value === undefined ? { is: 'unknown' } : { is: 'compared', column, kind, by: 'eq', value }];
  });
  return parts.length > 1 ? { is: 'and', of: parts } : parts[0];
};

/** Required filters that are absent, in catalogue order (contract: required filters). */
export const missingFiltersOf = (query: URLSearchParams, { requiredFilters }: Pick<Table, 'requiredFilters'>): readonly string[] =>
  requiredFilters.filter((name) => !query.has(name));

/** A table of a customer as its pages and its changes are read. */
export interface ReadableTable {
  readonly source: Source;
  readonly columns: readonly string[];
  /** What changes name rows by. */
  readonly key: DeltaPlan['key'];
  /** What can be filtered by; absent for raw tables. */
  readonly table?: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>;
}

interface Query {
  readonly query: URLSearchParams;
  readonly cursors: Cursors;
}

/** Reads a query string as a plan. Throws 422 for parameters out of bounds, then 400 for required filters that are missing. */
export const parsePlan = ({ query, source, columns, table, cursors }: Omit<ReadableTable, 'key'> & Query): Plan => {
  const faults = new ParameterFaults();
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
  const missing = table ? missingFiltersOf(query, table) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  return { source, columns, where, order, after, offset, limit, along: [] };
};

/** The version that the client's copy is at; 0 where it is missing or wrong, which is noted. */
const sinceVersion = (query: URLSearchParams, faults: ParameterFaults): number => {
  const text = lastOf(query, 'since_version');
  if (text === undefined) faults.add('since_version', violations.missing);
  else if (!integerPattern.test(text)) faults.add('since_version', violations.noInteger);
  else if (Number(text) < 0) faults.add('since_version', violations.below(0));
  // Beyond what a version can be, hence newer than the data.
  else return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return 0;
};

/** Reads what is asked of a table's changes (contract: deltas). Throws 422 as `parsePlan` does. */
export const parseDeltaPlan = ({ query, source, columns, key, cursors }: Omit<ReadableTable, 'table'> & Query): DeltaPlan => {
  const faults = new ParameterFaults();
  const since = sinceVersion(query, faults);
  const limit = integerParameter(query, 'limit', faults);
  const cursor = lastOf(query, 'cursor');
  const after = cursor ? deltaCursorsOf(cursors, source, since).open(cursor) : undefined;
  if (cursor && !after) faults.add('cursor', 'The cursor is not valid for this table and this version');
  faults.throwIfAny();
  const rows = { source, columns, where: undefined, order: [], after: undefined, offset: 0, limit, along: [] };
  return { rows, key, since, after };
};

/** Since when changes are asked for (contract: since). Throws 422 where it is missing or wrong. */
export const parseSince = (query: URLSearchParams): Date => {
  const text = lastOf(query, 'since');
  const since = text === undefined ? undefined : parseInstant(text);
  if (since) return since;
  throw new ApiError('invalidParameter', faultOf('since', text === undefined ? violations.missing : violations.noInstant));
};
