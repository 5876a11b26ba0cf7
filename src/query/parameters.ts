/** Parses query strings: integers, cursors, filters, versions and points in time (contract: query parameters). */
import { parseInstant } from '../catalogue/instant.ts';
import { integerPattern, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { type Condition, isRestricted } from '../plan/condition.ts';
import type { Cursors } from '../plan/cursor.ts';
import { deltaCursorsOf, keysetOf } from '../plan/cursor.ts';
import { isPlainFilter, type Plan, sortOrder, type TextRow } from '../plan/plan.ts';
import type { DeltaPlan, ReadableTable } from '../plan/plan-query.ts';
import { refuseHidden } from '../plan/references.ts';
import { ParameterErrors, validationMessage, validationTexts } from '../plan/validation-errors.ts';

export const pageLimits = {
  limit: { defaultValue: 1_000, min: 1, max: 100_000 },
  offset: { defaultValue: 0, min: 0, max: 500_000 },
} as const;

/** How long a request for changes may wait, in seconds (contract: waiting for changes). */
export const waitLimit = { defaultValue: 0, min: 0, max: 60 } as const;

/** The default value of an integer parameter, and its bounds. */
export interface Bounds {
  readonly defaultValue: number;
  readonly min: number;
  readonly max: number;
}

/** Names of tables and columns (contract: lookup values). */
export const identifierPattern = /^[a-z][a-z0-9_]{0,62}$/;

/** The value of a parameter. The last value applies if the parameter is repeated. */
export const lastValue = (query: URLSearchParams, name: string): string | undefined => query.getAll(name).at(-1);

/** An integer parameter within its bounds. If it is absent or invalid, the default value. */
export const integerParameter = (
  query: URLSearchParams,
  name: keyof typeof pageLimits | 'wait',
  errors: ParameterErrors,
  { defaultValue, min, max }: Bounds = name === 'wait' ? waitLimit : pageLimits[name],
): number => {
  const text = lastValue(query, name);
  if (text === undefined) return defaultValue;
  if (!integerPattern.test(text)) {
    errors.add(name, validationTexts.noInteger);
    return defaultValue;
  }
  const value = Number(text);
  if (value < min) errors.add(name, validationTexts.below(min));
  else if (value > max) errors.add(name, validationTexts.above(max));
  else return value;
  return defaultValue;
};

/** The formats of rows in a response (contract: format). */
export const rowFormats = ['json', 'csv'] as const;
export type Format = (typeof rowFormats)[number];

/** The format that the request names. Undefined if the parameter is absent or invalid. */
export const formatParameter = (query: URLSearchParams, errors?: ParameterErrors): Format | undefined => {
  const text = lastValue(query, 'format');
  const format = rowFormats.find((each) => each === text);
  if (text !== undefined && !format) errors?.add('format', validationTexts.noneOf(rowFormats));
  return format;
};

/** The columns that a query string filters by, those with an index first. */
const filteredColumns = (query: URLSearchParams, { filters, columns }: Pick<Table, 'filters' | 'columns'>): readonly string[] => {
  const others = [...new Set(query.keys())].filter((name) => Object.hasOwn(columns, name) && !filters.includes(name));
  return [...filters.filter((name) => query.has(name)), ...others];
};

/** The condition of all filters, joined by AND. A text that is not a value of its column matches nothing (contract: filters). */
export const parseFilters = (query: URLSearchParams, table: Pick<Table, 'filters' | 'columns'>): Condition | undefined => {
  const parts = filteredColumns(query, table).map((column): Condition => {
    const kind = table.columns[column]?.kind ?? 'string';
    const text = lastValue(query, column)!;
    const value = kinds[kind].parse(text);
    return value === undefined ? { is: 'unknown', impossible: { column, text } } : { is: 'compared', column, kind, by: 'eq', value };
  });
  return parts.length > 1 ? { is: 'and', of: parts } : parts[0];
};

/** Throws 400 with the required filters that are absent, in catalogue order (contract: required filters). */
export const refuseMissing = (
  query: URLSearchParams,
  { requiredFilters }: Pick<Table, 'requiredFilters'>,
  where: Condition | undefined,
): void => {
  const missing = requiredFilters.filter((name) => !query.has(name) && !isRestricted(where, name));
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
};

interface Query {
  readonly query: URLSearchParams;
  readonly cursors: Cursors;
}

interface PositionRequest {
  readonly rows: Pick<Plan, 'source' | 'where' | 'order' | 'relatedColumns'>;
  readonly cursors: Cursors;
  readonly errors: ParameterErrors;
  readonly hasOffset: boolean;
}

/** The position of a page of rows: `limit`, and `offset` or `cursor`. */
export const pagePosition = (
  query: URLSearchParams,
  { rows, cursors, errors, hasOffset }: PositionRequest,
): Pick<Plan, 'after' | 'offset' | 'limit'> => {
  const limit = integerParameter(query, 'limit', errors);
  const offset = hasOffset ? integerParameter(query, 'offset', errors) : 0;
  const cursor = lastValue(query, 'cursor');
  let after: TextRow | undefined;
  if (cursor) {
    after = rows.source.cursor && keysetOf(cursors, rows).open(cursor);
    if (after === undefined) errors.add('cursor', 'The cursor is not valid for this table and these filters');
    else if (offset > 0) errors.add('cursor', 'A cursor cannot be combined with an offset greater than 0');
  }
  return { after, offset, limit };
};

/** Parses a query string as a plan. Throws 422 for invalid parameters, then 400 for missing required filters. */
export const parsePlan = ({ query, source, columns, table, cursors }: Omit<ReadableTable, 'key'> & Query): Plan => {
  const errors = new ParameterErrors();
  formatParameter(query, errors);
  const where = table && parseFilters(query, table);
  const isUnindexed = table !== undefined && !isPlainFilter(where, table);
  const rows = { source, columns, where, order: sortOrder(source, table?.columns), ...(isUnindexed && { isUnindexed }) };
  const paged = { ...rows, ...pagePosition(query, { rows, cursors, errors, hasOffset: table !== undefined }) };
  if (table) refuseHidden(rows, new Map([[source.name, table]]), validationMessage);
  errors.throwIfAny();
  if (table) refuseMissing(query, table, where);
  return { ...paged, joinedRows: [] };
};

/** The version of the client's copy. If it is absent or invalid, adds an error and returns 0. */
const sinceVersion = (query: URLSearchParams, errors: ParameterErrors): number => {
  const text = lastValue(query, 'since_version');
  if (text === undefined) errors.add('since_version', validationTexts.missing);
  else if (!integerPattern.test(text)) errors.add('since_version', validationTexts.noInteger);
  else if (Number(text) < 0) errors.add('since_version', validationTexts.below(0));
  // No version can be larger, so this number is newer than the data.
  else return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return 0;
};

/** Parses a query string as a plan for the changes of a table (contract: deltas). Throws 422 as `parsePlan` does. */
export const parseDeltaPlan = ({ query, source, columns, key, cursors }: Omit<ReadableTable, 'table'> & Query): DeltaPlan => {
  const errors = new ParameterErrors();
  const since = sinceVersion(query, errors);
  const limit = integerParameter(query, 'limit', errors);
  const cursor = lastValue(query, 'cursor');
  const after = cursor ? deltaCursorsOf(cursors, source, since).open(cursor) : undefined;
  if (cursor && !after) errors.add('cursor', 'The cursor is not valid for this table and this version');
  errors.throwIfAny();
  const rows = { source, columns, where: undefined, order: [], after: undefined, offset: 0, limit, joinedRows: [] };
  return { rows, key, since, after };
};

/** A request for changes: the start of the period, and how many seconds it waits for changes. */
export interface ChangesQuery {
  readonly since: Date;
  readonly wait: number;
}

/** Parses a query string as a request for changes (contract: since; waiting for changes). Throws 422 if a parameter is absent or invalid. */
export const parseChanges = (query: URLSearchParams): ChangesQuery => {
  const errors = new ParameterErrors();
  const text = lastValue(query, 'since');
  const since = text === undefined ? undefined : parseInstant(text);
  if (!since) errors.add('since', text === undefined ? validationTexts.missing : validationTexts.noInstant);
  const wait = integerParameter(query, 'wait', errors);
  errors.throwIfAny();
  return { since: since as Date, wait };
};
