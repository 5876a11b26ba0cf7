/** Parses query strings: integers, cursors, filters, versions and points in time (contract: query parameters). */
import { parseInstant } from '../catalogue/instant.ts';
import { integerPattern, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import type { Cursors } from './cursor.ts';
import { deltaCursorsOf, keysetOf } from './cursor.ts';
import { type Plan, type Source, sortOrder, type TextRow } from './plan.ts';
import type { DeltaPlan } from './plan-query.ts';
import { refuseHidden } from './references.ts';
import { ParameterErrors, validationMessage, validationTexts } from './validation-errors.ts';

export const limits = {
  limit: { standard: 1_000, min: 1, max: 100_000 },
  offset: { standard: 0, min: 0, max: 500_000 },
} as const;

/** The default value of an integer parameter, and its bounds. */
export interface Bounds {
  readonly standard: number;
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
  name: keyof typeof limits,
  errors: ParameterErrors,
  { standard, min, max }: Bounds = limits[name],
): number => {
  const text = lastValue(query, name);
  if (text === undefined) return standard;
  if (!integerPattern.test(text)) {
    errors.add(name, validationTexts.noInteger);
    return standard;
  }
  const value = Number(text);
  if (value < min) errors.add(name, validationTexts.below(min));
  else if (value > max) errors.add(name, validationTexts.above(max));
  else return value;
  return standard;
};

/** The formats of rows in a response (contract: format). */
export const formats = ['json', 'csv'] as const;
export type Format = (typeof formats)[number];

/** The format that the request names. Undefined if the parameter is absent or invalid. */
export const formatParameter = (query: URLSearchParams, errors?: ParameterErrors): Format | undefined => {
  const text = lastValue(query, 'format');
  const format = formats.find((each) => each === text);
  if (text !== undefined && !format) errors?.add('format', validationTexts.noneOf(formats));
  return format;
};

/** The condition of all filters, joined by AND. A text that is not a value of its column matches nothing (contract: filters). */
export const parseFilters = (query: URLSearchParams, table: Pick<Table, 'filters' | 'columns'>): Condition | undefined => {
  const parts = table.filters.flatMap((column): Condition[] => {
    const text = lastValue(query, column);
    if (text === undefined) return [];
    const kind = table.columns[column]?.kind ?? 'string';
    const value = kinds[kind].parse(text);
    return [value === undefined ? { is: 'unknown' } : { is: 'compared', column, kind, by: 'eq', value }];
  });
  return parts.length > 1 ? { is: 'and', of: parts } : parts[0];
};

/** Required filters that are absent, in catalogue order (contract: required filters). */
export const missingFilters = (query: URLSearchParams, { requiredFilters }: Pick<Table, 'requiredFilters'>): readonly string[] =>
  requiredFilters.filter((name) => !query.has(name));

/** A table of a customer, with the facts for reading its pages and changes. */
export interface ReadableTable {
  readonly source: Source;
  readonly columns: readonly string[];
  /** The key column that identifies rows in changes. */
  readonly key: DeltaPlan['key'];
  /** The available filters. Absent for raw tables. */
  readonly table?: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>;
}

interface Query {
  readonly query: URLSearchParams;
  readonly cursors: Cursors;
}

/** Parses a query string as a plan. Throws 422 for invalid parameters, then 400 for missing required filters. */
export const parsePlan = ({ query, source, columns, table, cursors }: Omit<ReadableTable, 'key'> & Query): Plan => {
  const errors = new ParameterErrors();
  formatParameter(query, errors);
  const limit = integerParameter(query, 'limit', errors);
  const offset = table ? integerParameter(query, 'offset', errors) : 0;
  const where = table && parseFilters(query, table);
  const order = sortOrder(source, table?.columns);
  if (table) refuseHidden({ source, where, order }, new Map([[source.name, table]]), validationMessage);
  const cursor = lastValue(query, 'cursor');
  let after: TextRow | undefined;
  if (cursor) {
    after = source.cursor && keysetOf(cursors, { source, where, order }).open(cursor);
    if (after === undefined) errors.add('cursor', 'The cursor is not valid for this table and these filters');
    else if (offset > 0) errors.add('cursor', 'A cursor cannot be combined with an offset greater than 0');
  }
  errors.throwIfAny();
  const missing = table ? missingFilters(query, table) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  return { source, columns, where, order, after, offset, limit, joinedRows: [] };
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

/** The start of the period of changes (contract: since). Throws 422 if it is absent or invalid. */
export const parseSince = (query: URLSearchParams): Date => {
  const text = lastValue(query, 'since');
  const since = text === undefined ? undefined : parseInstant(text);
  if (since) return since;
  throw new ApiError(
    'invalidParameter',
    validationMessage('since', text === undefined ? validationTexts.missing : validationTexts.noInstant),
  );
};
