/**
 * Resolves a request for groups into the groups and the order of a plan (contract: groups).
 *
 * REST parameters and GraphQL arguments become one `GroupsRequest`. Each kind of key, value and term is therefore resolved and checked once.
 */
import type { Column, Kind } from '../../catalogue/column.ts';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { measuresOf } from '../../catalogue/measures.ts';
import type { Table } from '../../catalogue/table.ts';
import { allOf, type Condition } from '../condition.ts';
import { prefixesOf, type RelationStep, relationStep } from '../paths.ts';
import type { OrderTerm } from '../plan.ts';
import { validationTexts } from '../validation-errors.ts';
import {
  type Aggregate,
  aggregatableColumns,
  type Bucket,
  buckets,
  countTerm,
  type Formula,
  type GroupExpression,
  type GroupKey,
  type Groups,
  type GroupValue,
  groupBounds,
  hasBuckets,
  keyTerm,
  kindOfAggregate,
  maxJoins,
  pathsOf,
  percentBounds,
  type Term,
  valueTerm,
} from './groups.ts';

/** A table whose rows can be grouped, as the caller sees it. */
export interface GroupableTable {
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
  /** To-one relations to tables that the caller may read, with their names in the API. */
  readonly toOneOf: (table: Table) => readonly ResolvedRelation[];
  /** The formulas of the measures that the caller may use, by name. */
  readonly measures: ReadonlyMap<string, Formula>;
}

/** `spell` gives the name of a relation in the API. */
export const groupableTable = (
  table: Table,
  tables: ReadonlyMap<string, Table>,
  relationsOf: (table: string) => readonly ResolvedRelation[],
  spell = (name: string) => name,
): GroupableTable => ({
  table,
  tables,
  toOneOf: ({ name: from }) =>
    relationsOf(from).flatMap((relation) => (relation.kind === 'to-one' ? [{ ...relation, name: spell(relation.name) }] : [])),
  measures: new Map(measuresOf(table.name, relationsOf(table.name)).map(({ name, formula }) => [name, formula])),
});

export interface RequestedKey {
  /** The name of the key in references and errors. Keys with the same name differ by their buckets. */
  readonly name: string;
  /** The names of the relations that lead to the column. */
  readonly via: readonly string[];
  readonly column: string;
  readonly bucket?: string | undefined;
}

/** An aggregate of a column, a number of rows, or a measure. */
export interface RequestedValue {
  readonly is: Aggregate | 'count' | 'measure';
  /** The name of the column or of the measure. Empty for a number of rows. */
  readonly of: string;
  readonly percent?: number | undefined;
  /** Only rows that meet this condition count. Not for measures. */
  readonly where?: Condition | undefined;
}

/** A reference to a requested key. Without a bucket, the plain column if it is requested, otherwise its only bucket. */
export interface KeyReference {
  readonly is: 'key';
  readonly name: string;
  readonly bucket?: string | undefined;
}

/** A part of an order or a condition. Its value need not be part of the response. */
export type RequestedTerm = KeyReference | RequestedValue;

export interface RequestedOrder {
  readonly term: RequestedTerm;
  readonly isDescending: boolean;
}

/** A list of conditions means that all of them hold. */
export type RequestedCondition =
  | { readonly is: 'and' | 'or'; readonly of: readonly (readonly RequestedCondition[])[] }
  | { readonly is: 'not'; readonly of: readonly RequestedCondition[] }
  | { readonly is: 'unknown' }
  /** `compare` reads the values of the request, because their kind follows from the term. */
  | {
      readonly is: 'compared';
      readonly term: RequestedTerm;
      readonly compare: (term: Term, fail: Fail) => readonly Condition[] | undefined;
    };

/** A request for groups, in the terms of both APIs. */
export interface GroupsRequest {
  readonly keys: readonly RequestedKey[];
  readonly values: readonly RequestedValue[];
  readonly order: readonly RequestedOrder[];
  readonly having: readonly RequestedCondition[];
  readonly top: { readonly by: readonly KeyReference[]; readonly first: number } | undefined;
  /** Whether each group has the total number of groups. */
  readonly isCounted: boolean;
}

export type GroupsError =
  /** `names` gives the valid names among which `name` is not. */
  | { readonly is: 'unknown'; readonly name: string; readonly among: string; readonly names: () => readonly string[] }
  | { readonly is: 'tooManyRelations' }
  | { readonly is: 'invalid'; readonly reason: string };

export type Fail = (error: GroupsError) => undefined;

export type RequestPart = 'keys' | 'values' | 'order' | 'having' | 'top';
/** The key, value, term or condition that an error is about. The request itself for errors about all of it. */
export type RequestItem = RequestedKey | RequestedValue | RequestedOrder | RequestedCondition | GroupsRequest;

/** Receives each error of a request. Resolving continues if it returns. */
export type OnGroupsError = (part: RequestPart, error: GroupsError, item: RequestItem) => void;

/** The names of keys and values in the plan, by their position in the request. */
export const keyName = (at: number): string => `k${at}`;
export const valueName = (at: number): string => `v${at}`;

/** The number of rows of a group. */
export const countValue: RequestedValue = { is: 'count', of: '' };

/** Equal values have equal text. */
const valueKey = ({ is, of, percent, where }: RequestedValue): string => JSON.stringify([is, of, percent, where]);

const noColumn = ({ toOneOf }: GroupableTable, table: Table, name: string): GroupsError => ({
  is: 'unknown',
  name,
  among: table.name,
  names: () => [...Object.keys(table.columns), ...toOneOf(table).map((relation) => `${relation.name}.…`)],
});

/** A column of a table, or of the row that relations lead to. `via` names the relations. Otherwise calls `fail`. */
export const resolveColumn = (
  groupable: GroupableTable,
  { via, column }: Pick<RequestedKey, 'via' | 'column'>,
  fail: Fail,
): { readonly steps: readonly RelationStep[]; readonly column: Column } | undefined => {
  if (via.length > maxJoins) return fail({ is: 'tooManyRelations' });
  const steps: RelationStep[] = [];
  let { table } = groupable;
  for (const step of via) {
    const relation = groupable.toOneOf(table).find((each) => each.name === step);
    if (!relation) return fail(noColumn(groupable, table, step));
    steps.push(relationStep(relation));
    table = groupable.tables.get(relation.target)!;
  }
  const found = Object.hasOwn(table.columns, column) ? table.columns[column] : undefined;
  return found ? { steps, column: found } : fail(noColumn(groupable, table, column));
};

const resolveKey = (groupable: GroupableTable, requested: RequestedKey, name: string, fail: Fail): GroupKey | undefined => {
  const resolved = resolveColumn(groupable, requested, fail);
  if (!resolved) return undefined;
  const { steps: via, column: found } = resolved;
  const { column, bucket } = requested;
  const key = { name, via, column, kind: found.kind, isNullable: via.length > 0 || !found.required };
  if (bucket === undefined) return key;
  if (!buckets.includes(bucket as Bucket)) return fail({ is: 'unknown', name: bucket, among: 'buckets', names: () => buckets });
  if (!hasBuckets(found)) return fail({ is: 'invalid', reason: `${column} is neither a date nor a point in time and has no buckets` });
  return { ...key, bucket: bucket as Bucket };
};

/** The expression of a value. For an unknown name, calls `fail`. */
const resolveValue = (
  { table, measures }: GroupableTable,
  { is, of, percent, where }: RequestedValue,
  fail: Fail,
): GroupExpression | undefined => {
  if (is === 'count') return { is, where };
  if (is === 'measure') {
    const formula = measures.get(of);
    return formula ? { is, formula } : fail({ is: 'unknown', name: of, among: 'measures', names: () => [...measures.keys()] });
  }
  const columns = aggregatableColumns(table, is);
  if (!columns.includes(of)) return fail({ is: 'unknown', name: of, among: is, names: () => columns });
  const { kind, digits } = table.columns[of]!;
  const over = { column: of, kind, scale: digits?.[1] ?? 0, where };
  if (is !== 'percentile') return { is, ...over };
  const { min, max } = percentBounds;
  const isPercent = percent !== undefined && Number.isInteger(percent) && percent >= min && percent <= max;
  return isPercent ? { is, percent, ...over } : fail({ is: 'invalid', reason: `a percentile needs a whole percent from ${min} to ${max}` });
};

/** The kind of a value whose names are valid. */
export const kindOfValue = ({ table }: GroupableTable, { is, of }: Pick<RequestedValue, 'is' | 'of'>): Kind =>
  kindOfAggregate(is, table.columns[of]?.kind ?? 'number');

/** The keys and values that are resolved so far. */
interface Resolving {
  readonly groupable: GroupableTable;
  readonly keys: readonly { readonly requested: RequestedKey; readonly key: GroupKey }[];
  readonly values: (GroupValue | undefined)[];
  /** The first of equal values, by `valueKey`. */
  readonly known: Map<string, GroupValue>;
}

const keyAt = ({ keys }: Resolving, { name, bucket }: KeyReference, fail: Fail): GroupKey | undefined => {
  const found = keys.flatMap(({ requested, key }) =>
    requested.name === name && (bucket === undefined || key.bucket === bucket) ? [key] : [],
  );
  const exact = found.find((key) => key.bucket === bucket) ?? found[0];
  if (!exact) return fail({ is: 'unknown', name, among: 'keys', names: () => keys.map(({ requested }) => requested.name) });
  if (exact.bucket !== bucket && found.some((key) => key.bucket !== exact.bucket))
    return fail({ is: 'invalid', reason: `${name} is selected with several buckets; name one` });
  return exact;
};

/** Adds a value, even if an equal one is there. */
const addValue = ({ groupable, values, known }: Resolving, value: RequestedValue, fail: Fail): GroupValue | undefined => {
  const expression = resolveValue(groupable, value, fail);
  const added = expression && { ...expression, name: valueName(values.length) };
  values.push(added);
  const key = valueKey(value);
  if (added && !known.has(key)) known.set(key, added);
  return added;
};

const valueAt = (resolving: Resolving, value: RequestedValue, fail: Fail): GroupValue | undefined =>
  resolving.known.get(valueKey(value)) ?? addValue(resolving, value, fail);

const termOf = (resolving: Resolving, term: RequestedTerm, fail: Fail): Term | undefined => {
  if (term.is === 'count' && !term.where) return countTerm;
  if (term.is === 'key') {
    const key = keyAt(resolving, term, fail);
    return key && keyTerm(key);
  }
  const value = valueAt(resolving, term, fail);
  return value && valueTerm(value);
};

const conditionsOf = (
  resolving: Resolving,
  conditions: readonly RequestedCondition[],
  failOf: (condition: RequestedCondition) => Fail,
): readonly Condition[] =>
  conditions.flatMap((condition): readonly Condition[] => {
    const all = (parts: readonly RequestedCondition[]) => allOf(conditionsOf(resolving, parts, failOf));
    if (condition.is === 'unknown') return [condition];
    if (condition.is === 'not') return [{ is: 'not', of: all(condition.of) }];
    if (condition.is !== 'compared') return [{ is: condition.is, of: condition.of.map(all) }];
    const fail = failOf(condition);
    const term = termOf(resolving, condition.term, fail);
    return (term && condition.compare(term, fail)) ?? [];
  });

/** The requested order, with the keys added to make it unique. Without keys there is only one group. */
const uniqueOrder = (keys: readonly GroupKey[], requested: readonly OrderTerm[]): readonly OrderTerm[] => {
  const rest = keys.length > 0 ? keys.map(keyTerm) : [countTerm];
  const terms = [...requested, ...rest.map((term) => ({ ...term, isDescending: false }))];
  return terms.filter(({ column }, index) => terms.findIndex((other) => other.column === column) === index);
};

const topOf = (resolving: Resolving, { by, first }: NonNullable<GroupsRequest['top']>, fail: Fail): Groups['top'] => {
  if (by.length === 0) return fail({ is: 'invalid', reason: 'by names no key' });
  if (first < groupBounds.min) return fail({ is: 'invalid', reason: validationTexts.below(groupBounds.min) });
  if (first > groupBounds.max) return fail({ is: 'invalid', reason: validationTexts.above(groupBounds.max) });
  return { by: by.flatMap((reference) => keyAt(resolving, reference, fail)?.name ?? []), first };
};

/** Parts with errors are left out of the result. */
export const resolveGroups = (
  request: GroupsRequest,
  groupable: GroupableTable,
  onError: OnGroupsError,
): { readonly groups: Groups; readonly order: readonly OrderTerm[] } => {
  const failOf =
    (part: RequestPart, item: RequestItem): Fail =>
    (error) => {
      onError(part, error, item);
      return undefined;
    };
  const keys = request.keys.flatMap((requested, at) => {
    const key = resolveKey(groupable, requested, keyName(at), failOf('keys', requested));
    return key ? [{ requested, key }] : [];
  });
  const resolving: Resolving = { groupable, keys, values: [], known: new Map() };
  for (const value of request.values) addValue(resolving, value, failOf('values', value));
  const order = request.order.flatMap((item): readonly OrderTerm[] => {
    const term = termOf(resolving, item.term, failOf('order', item));
    return term ? [{ ...term, isDescending: item.isDescending }] : [];
  });
  const conditions = conditionsOf(resolving, request.having, (condition) => failOf('having', condition));
  const groups: Groups = {
    keys: keys.map(({ key }) => key),
    values: resolving.values.filter((value) => value !== undefined),
    having: conditions.length > 0 ? allOf(conditions) : undefined,
    top: request.top && topOf(resolving, request.top, failOf('top', request)),
    isCounted: request.isCounted,
  };
  if (prefixesOf(pathsOf(groups)).size > maxJoins) onError('keys', { is: 'tooManyRelations' }, request);
  return { groups, order: uniqueOrder(groups.keys, order) };
};
