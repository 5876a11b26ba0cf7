/** Resolves the columns, keys and values of a request for groups one by one. */
import type { Column, Kind } from '../../catalogue/column.ts';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { type Condition, columnsOf } from '../condition.ts';
import { type RelationStep, relationStep } from '../paths.ts';
import { type Bucket, buckets } from '../vocabulary/keys.ts';
import { type Aggregate, insteadForRelated, kindOfAggregate, percentBounds, type RowFunction, rowFunctions } from '../vocabulary/values.ts';
import { resolveBand } from './bands.ts';
import type { ComputedValue } from './computed.ts';
import {
  aggregatableColumns,
  computedTerm,
  countTerm,
  type GroupExpression,
  type GroupKey,
  type GroupTerm,
  type GroupValue,
  hasBuckets,
  keyTerm,
  maxJoins,
  type OverColumn,
  type OverFunction,
  operandColumns,
  valueTerm,
} from './groups.ts';
import {
  type AppliedFunction,
  type Fail,
  type GroupableTable,
  type GroupsError,
  type KeyReference,
  type RequestedComputed,
  type RequestedKey,
  type RequestedTerm,
  type RequestedValue,
  valueName,
} from './request.ts';
import { resolveSeries, seriesHint } from './series.ts';

/** Equal values have equal text. */
const valueKey = ({ is, of, via, applied, percent, where }: RequestedValue): string =>
  JSON.stringify([is, of, via, applied, percent, where]);

const noColumn = ({ toOneOf }: GroupableTable, table: Table, name: string): GroupsError => ({
  is: 'unknown',
  name,
  among: table.name,
  names: () => [...Object.keys(table.columns), ...toOneOf(table).map((relation) => `${relation.name}.…`)],
});

/** The steps of relations to at most one row, and the table at their end. Otherwise calls `fail`. */
const resolveSteps = (
  groupable: GroupableTable,
  via: readonly string[],
  fail: Fail,
): { readonly steps: readonly RelationStep[]; readonly table: Table } | undefined => {
  if (via.length > maxJoins) return fail({ is: 'tooManyRelations' });
  const steps: RelationStep[] = [];
  let { table } = groupable;
  for (const step of via) {
    const relation = groupable.toOneOf(table).find((each) => each.name === step);
    if (!relation) return fail(noColumn(groupable, table, step));
    steps.push(relationStep(relation));
    table = groupable.tables.get(relation.target)!;
  }
  return { steps, table };
};

/** A column of a table, or of the row that relations lead to. `via` names the relations. Otherwise calls `fail`. */
export const resolveColumn = (
  groupable: GroupableTable,
  { via, column }: Pick<RequestedKey, 'via' | 'column'>,
  fail: Fail,
): { readonly steps: readonly RelationStep[]; readonly column: Column } | undefined => {
  const found = resolveSteps(groupable, via, fail);
  if (!found) return undefined;
  const { steps, table } = found;
  const own = Object.hasOwn(table.columns, column) ? table.columns[column] : undefined;
  return own ? { steps, column: own } : fail(noColumn(groupable, table, column));
};

/** The relation to many rows at the end of names of relations, the steps before it, and the table of its rows. Otherwise calls `fail`. */
export const resolveToMany = (
  groupable: GroupableTable,
  names: readonly string[],
  fail: Fail,
): { readonly steps: readonly RelationStep[]; readonly relation: ResolvedRelation; readonly target: Table } | undefined => {
  const found = resolveSteps(groupable, names.slice(0, -1), fail);
  if (!found) return undefined;
  const many = groupable.toManyOf(found.table);
  const relation = many.find((each) => each.name === names.at(-1));
  const target = relation && groupable.tables.get(relation.target);
  if (relation && target) return { steps: found.steps, relation, target };
  return fail({ is: 'unknown', name: names.at(-1) ?? '', among: 'relations', names: () => many.map((each) => each.name) });
};

export const resolveKey = (groupable: GroupableTable, requested: RequestedKey, name: string, fail: Fail): GroupKey | undefined => {
  if (requested.series) {
    const series = resolveSeries(requested.series, groupable.table);
    if (typeof series === 'string') return fail({ is: 'invalid', reason: series });
    return { name, via: [], column: series.validity[0], kind: 'date', isNullable: false, bucket: series.every, series };
  }
  const resolved = resolveColumn(groupable, requested, fail);
  if (!resolved) return undefined;
  const { steps: via, column: found } = resolved;
  const { column, bucket } = requested;
  // A value that is not finite is the key null, also in a column that is never null.
  const isNullable = via.length > 0 || !found.required || 'finite' in kinds[found.kind];
  const key = { name, via, column, kind: found.kind, isNullable };
  if (requested.band) {
    const band = resolveBand(requested.band, key);
    return typeof band === 'string' ? fail({ is: 'invalid', reason: band }) : { ...key, band };
  }
  if (bucket === undefined) return key;
  if (!buckets.includes(bucket as Bucket)) return fail({ is: 'unknown', name: bucket, among: 'buckets', names: () => buckets });
  if (!hasBuckets(found)) return fail({ is: 'invalid', reason: `${column} is neither a date nor a point in time and has no buckets` });
  return { ...key, bucket: bucket as Bucket };
};

/** A sum over the column of a related row. For a column of the row itself or without a sum, calls `fail`. */
const resolveOnce = (
  groupable: GroupableTable,
  { of, via = [], applied, where }: RequestedValue,
  fail: Fail,
): GroupExpression | undefined => {
  if (applied) return fail({ is: 'invalid', reason: `sum_once sums a column of related rows, not ${applied.call}: use sum` });
  if (via.length === 0)
    return fail({ is: 'invalid', reason: `sum_once sums a column of related rows, and ${of} is a column of the rows: use sum` });
  const found = resolveSteps(groupable, via, fail);
  const columns = found && aggregatableColumns(found.table, 'sum');
  if (!columns) return undefined;
  if (!columns.includes(of)) return fail({ is: 'unknown', name: of, among: `sums of ${found.table.name}`, names: () => columns });
  const { kind, digits } = found.table.columns[of]!;
  return { is: 'sum_once', via: found.steps, column: of, kind, scale: digits?.[1] ?? 0, where };
};

/** The column of each row that an aggregate is over. Otherwise calls `fail`. */
const resolveOver = (
  groupable: GroupableTable,
  { of, via = [], where }: RequestedValue,
  is: Aggregate,
  fail: Fail,
): OverColumn | undefined => {
  const found = resolveSteps(groupable, via, fail);
  if (!found) return undefined;
  const { steps, table } = found;
  const instead = insteadForRelated(is);
  if (steps.length > 0 && instead)
    return fail({
      is: 'invalid',
      reason: `${is} applies to columns of ${groupable.table.name}; use ${instead} for ${[...via, of].join('.')}`,
    });
  const columns = aggregatableColumns(table, is);
  const among = steps.length > 0 ? `${is} of ${table.name}` : is;
  if (!columns.includes(of)) return fail({ is: 'unknown', name: of, among, names: () => columns });
  const { kind, digits } = table.columns[of]!;
  return { ...(steps.length > 0 && { via: steps }), column: of, kind, scale: digits?.[1] ?? 0, where };
};

/** A function of columns of each row. Otherwise calls `fail`. */
export const resolveFunction = (
  groupable: GroupableTable,
  { call, of }: AppliedFunction,
  where: Condition | undefined,
  fail: Fail,
): OverFunction | undefined => {
  const { operands, kind, digits: more } = rowFunctions[call];
  if (of.length !== Object.keys(operands).length) return fail({ is: 'invalid', reason: `${call} takes two columns` });
  const found = of.map(({ of: column, via = [] }) => {
    const end = resolveSteps(groupable, via, fail);
    if (!end) return undefined;
    const columns = operandColumns(end.table, call);
    if (!columns.includes(column))
      return fail({ is: 'unknown', name: column, among: `${call} of ${end.table.name}`, names: () => columns });
    const own = end.table.columns[column]!;
    return { via: end.steps, column, kind: own.kind, scale: own.digits?.[1] ?? 0 };
  });
  const columns = found.filter((each) => each !== undefined);
  if (columns.length < of.length) return undefined;
  const scale = columns.reduce<number>((sum, each) => sum + each.scale, more);
  return { call, of: columns.map(({ scale: _, ...column }) => column), kind, scale, where };
};

/** The expression of a value. For an unknown name, calls `fail`. */
export const resolveValue = (groupable: GroupableTable, requested: RequestedValue, fail: Fail): GroupExpression | undefined => {
  const { measures } = groupable;
  const { is, of, applied, percent, where } = requested;
  if (is === 'count') return { is, where };
  if (is === 'sum_once') return resolveOnce(groupable, requested, fail);
  if (is === 'measure') {
    const found = measures.get(of);
    if (!found) return fail({ is: 'unknown', name: of, among: 'measures', names: () => [...measures.keys()] });
    const { formula, scale, over, isZeroWithoutRows } = found;
    return { is, formula, scale, ...(over && { over }), ...(isZeroWithoutRows && { isZeroWithoutRows }) };
  }
  const over = applied ? resolveFunction(groupable, applied, where, fail) : resolveOver(groupable, requested, is, fail);
  if (!over) return undefined;
  if (is !== 'percentile') return { is, ...over };
  const { min, max } = percentBounds;
  const isPercent = percent !== undefined && Number.isInteger(percent) && percent >= min && percent <= max;
  return isPercent ? { is, percent, ...over } : fail({ is: 'invalid', reason: `a percentile needs a whole percent from ${min} to ${max}` });
};

/** The kind of a value whose names are valid. `table` has the column that it is over. */
export const kindOfValue = (
  table: Table,
  { is, of, applied }: Pick<RequestedValue, 'is' | 'of'> & { readonly applied?: { readonly call: RowFunction } | undefined },
): Kind => kindOfAggregate(is, applied ? rowFunctions[applied.call].kind : (table.columns[of]?.kind ?? 'number'));

/** The keys and values that are resolved so far. */
export interface Resolving {
  readonly groupable: GroupableTable;
  readonly keys: readonly { readonly requested: RequestedKey; readonly key: GroupKey }[];
  /** The resolved values, by position. A value with an error is undefined. */
  readonly values: (GroupValue | ComputedValue | undefined)[];
  /** The first of equal values, by `valueKey`. */
  readonly known: Map<string, GroupValue>;
  readonly computed: Map<RequestedComputed, ComputedValue | undefined>;
  /** The condition on rows, and the column that links them to parents. */
  readonly where: Condition | undefined;
  readonly linkedBy: string | undefined;
}

export const keyAt = ({ keys }: Resolving, { name, bucket }: KeyReference, fail: Fail): GroupKey | undefined => {
  const found = keys.flatMap(({ requested, key }) =>
    requested.name === name && (bucket === undefined || key.bucket === bucket) ? [key] : [],
  );
  const exact = found.find((key) => key.bucket === bucket) ?? found[0];
  if (!exact) return fail({ is: 'unknown', name, among: 'keys', names: () => keys.map(({ requested }) => requested.name) });
  if (exact.bucket !== bucket && found.some((key) => key.bucket !== exact.bucket))
    return fail({ is: 'invalid', reason: `${name} is selected with several buckets; name one` });
  return exact;
};

/** The first key by which a measure cannot be grouped. */
const refusedKey = (keys: Resolving['keys'], columns: readonly string[]): string | undefined =>
  columns.find((column) => keys.some(({ key }) => key.via.length === 0 && column === (key.series ? 'as_of' : key.column)));

/** The first column of a key, a condition or the link to parents that a measure's other table does not share. */
const unsharedColumn = ({ keys, where, linkedBy }: Resolving, shared: readonly string[]): string | undefined => {
  const ofKeys = keys.map(({ key: { via, column } }) => via[0]?.column ?? column);
  return [...ofKeys, ...columnsOf(where), ...(linkedBy === undefined ? [] : [linkedBy])].find((column) => !shared.includes(column));
};

/** The reason why a measure has no groups by the keys and conditions of the request. */
const refusalOf = (resolving: Resolving, name: string): string | undefined => {
  const { notBy = [], over, needsDay } = resolving.groupable.measures.get(name) ?? {};
  if (needsDay && !resolving.keys.some(({ key }) => key.series)) return `${name} needs ${seriesHint}`;
  const refused = refusedKey(resolving.keys, notBy);
  if (refused) return `${name} would change its meaning by ${refused}, so it has no such groups`;
  const unshared = over && unsharedColumn(resolving, over.shared);
  if (!unshared) return undefined;
  return `${name} also reads ${over.table}, which has no ${unshared} of the same meaning; keys and conditions can begin with ${over.shared.join(', ')}, and other values can have conditions of their own`;
};

/** Adds a value at a position, even if an equal one is there. */
export const addValue = (resolving: Resolving, value: RequestedValue, fail: Fail, at = resolving.values.length): GroupValue | undefined => {
  const { groupable, values, known } = resolving;
  const reason = value.is === 'measure' ? refusalOf(resolving, value.of) : undefined;
  if (reason) fail({ is: 'invalid', reason });
  const expression = reason ? undefined : resolveValue(groupable, value, fail);
  const added = expression && { ...expression, name: valueName(at) };
  values[at] = added;
  const key = valueKey(value);
  if (added && !known.has(key)) known.set(key, added);
  return added;
};

const valueAt = (resolving: Resolving, value: RequestedValue, fail: Fail): GroupValue | undefined =>
  resolving.known.get(valueKey(value)) ?? addValue(resolving, value, fail);

/** Resolves a part of an order or a condition. `showKey` gives the term of a key. */
export const termOf = (
  resolving: Resolving,
  term: RequestedTerm,
  fail: Fail,
  showKey: (key: GroupKey) => GroupTerm = keyTerm,
): GroupTerm | undefined => {
  if (term.is === 'count' && !term.where) return countTerm;
  if (term.is === 'key') {
    const key = keyAt(resolving, term, fail);
    return key && showKey(key);
  }
  if (term.is === 'computed') {
    const computed = resolving.computed.get(term);
    return computed ? computedTerm(computed) : fail({ is: 'invalid', reason: 'refers to a computed value with an error' });
  }
  const value = valueAt(resolving, term, fail);
  return value && valueTerm(value);
};
