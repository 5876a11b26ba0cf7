/** Translates the query string of groups into a request for groups: `by`, values, `having`, `order` (contract: groups in REST). */
import type { Table } from '../catalogue/table.ts';
import { costOfConditions } from '../plan/cost.ts';
import type { Cursors } from '../plan/cursor.ts';
import { keysetOf } from '../plan/cursor.ts';
import { countName, type GroupTerm, groupBounds, labelColumn } from '../plan/groups/groups.ts';
import {
  countValue,
  type Fail,
  type GroupableTable,
  type GroupsError,
  type GroupsRequest,
  type KeyReference,
  keyName,
  type RequestedCondition,
  type RequestedKey,
  type RequestedTerm,
  type RequestItem,
  type RequestPart,
  valueName,
} from '../plan/groups/request.ts';
import { resolveGroups } from '../plan/groups/resolve.ts';
import { refuseHidden } from '../plan/references.ts';
import { type ParameterErrors, quotedValue, validationMessage } from '../plan/validation-errors.ts';
import { answerName } from '../plan/vocabulary/keys.ts';
import { connectives } from '../plan/vocabulary/operators.ts';
import { plainAggregates } from '../plan/vocabulary/values.ts';
import { clauseOf, conditionOn } from './conditions.ts';
import { type Item, parseList } from './grammar.ts';
import { requestedKey } from './keys.ts';
import {
  addCostErrors,
  ListErrors,
  listedTable,
  listInQuery,
  type NamedPlan,
  refuseManyNames,
  rowConditions,
  type TableWithRelations,
} from './lists.ts';
import { aggregateOf, type NamedComputation, type NamedValue, namedValueOf, requestedComputed } from './named-values.ts';
import { formatParameter, integerParameter, lastValue, pageLimits } from './parameters.ts';

export const groupLimit = { defaultValue: pageLimits.limit.defaultValue, ...groupBounds } as const;

const lists = ['by', ...plainAggregates, 'measure', 'value', 'fill', 'where', 'having', 'order'] as const;

/** The parameters of groups, without the table's columns. */
export const groupParameters = [
  'by',
  countName,
  ...plainAggregates,
  'measure',
  'value',
  'fill',
  'where',
  'having',
  'order',
  'limit',
  'cursor',
  'format',
] as const;

/** Limits of the message about unknown parameters: their number, and the characters of each. */
const maxNamed = 20;
const longestName = 80;

/** Collects parameters that are neither columns nor parameters of groups. A response without regard to a filter would be wrong. */
const refuseUnknown = (query: URLSearchParams, { columns }: Table, errors: ParameterErrors): void => {
  const known: readonly string[] = [...groupParameters, ...Object.keys(columns)];
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  if (unknown.includes('offset')) errors.add('offset', 'Groups have no offset; continue with cursor');
  const named = unknown.filter((name) => name !== 'offset').map((name) => name.slice(0, longestName));
  if (named.length === 0) return;
  const shown = [...named.slice(0, maxNamed), ...(named.length > maxNamed ? [`… (${named.length} in all)`] : [])];
  errors.add(shown.join(', '), `unknown; there is: ${known.join(', ')}`);
};

/** A value of the response and the parameter that names it. Orders and conditions refer to its name. */
interface ShownValue extends NamedValue {
  readonly parameter: string;
}

/** The keys and values of the request by their names. */
interface Names {
  readonly keys: readonly RequestedKey[];
  readonly shown: readonly ShownValue[];
  readonly groupable: GroupableTable;
}

/** A longer name comes first, because a short one can be its beginning. */
const byLength = [...plainAggregates].sort((one, other) => other.length - one.length);

/** The term of a name: a key or a named value of the request, or any value, even if the response does not contain it. */
const termOf = (name: string, { keys, shown, groupable: { measures } }: Names): RequestedTerm => {
  if (keys.some((key) => key.name === name)) return { is: 'key', name };
  const named = shown.find((each) => each.name === name);
  if (named) return named.value;
  if (name === countName) return countValue;
  const aggregate = measures.has(name) ? undefined : byLength.find((each) => name.startsWith(`${each}_`));
  return aggregate ? aggregateOf(aggregate, name.slice(aggregate.length + 1)) : { is: 'measure', of: name };
};

const requestedOrder = (text: string, names: Names) => {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  return { name, item: { term: termOf(name, names), isDescending } };
};

interface NamedTerm {
  readonly name: string;
  readonly item: RequestItem;
}

/** The conditions of items on groups. Adds their terms, with their names, to `terms`. */
const requestedConditions = (items: readonly Item[], names: Names, terms: NamedTerm[], fail: Fail): readonly RequestedCondition[] =>
  items.flatMap((each): readonly RequestedCondition[] => {
    const clause = clauseOf(each, fail);
    if (!clause) return [];
    if (clause.is === 'joined') {
      const of = requestedConditions(clause.of, names, terms, fail).map((condition) => [condition]);
      return of.length === 1 ? of[0]! : [{ is: connectives[clause.by].is, of }];
    }
    const compare = (term: GroupTerm, failed: Fail) => {
      const condition = conditionOn(term, clause, failed);
      return condition && [condition];
    };
    const item: RequestedCondition = { is: 'compared', term: termOf(clause.name, names), compare };
    terms.push({ name: clause.name, item });
    return [item];
  });

/** The values of the response, in their order. */
const shownValues = (
  query: URLSearchParams,
  keys: readonly RequestedKey[],
  groupable: GroupableTable,
  errors: ListErrors,
): readonly ShownValue[] => {
  const listed = [...plainAggregates, 'measure' as const].flatMap((is): readonly ShownValue[] =>
    listInQuery(query, is).map((of) =>
      is === 'measure'
        ? { parameter: is, name: of, value: { is, of } }
        : { parameter: is, name: `${is}_${answerName(of)}`, value: aggregateOf(is, of) },
    ),
  );
  const fail: Fail = (error) => void errors.addError('value', error);
  const named = query
    .getAll('value')
    .flatMap(parseList)
    .flatMap((item) => namedValueOf(item, groupable, fail) ?? []);
  const isPlain = (value: NamedValue | NamedComputation): value is NamedValue => 'value' in value;
  const plain = [...listed, ...named.filter(isPlain).map((value) => ({ parameter: 'value', ...value }))];
  // A computed value refers to plain values and to the computed values before it.
  const known = [...plain];
  const computed = new Map<NamedValue | NamedComputation, ShownValue>();
  for (const each of named) {
    if (isPlain(each)) continue;
    const value = requestedComputed(each, (name) => termOf(name, { keys, shown: known, groupable }));
    const shown = { parameter: 'value', name: each.name, value };
    known.push(shown);
    computed.set(each, shown);
  }
  return [...listed, ...named.map((each) => (isPlain(each) ? { parameter: 'value', ...each } : computed.get(each)!))];
};

/** The request of a query string, its values by name, and its orders and conditions with the names of their terms. */
const translate = (query: URLSearchParams, groupable: GroupableTable, errors: ListErrors) => {
  const keys = query
    .getAll('by')
    .flatMap(parseList)
    .flatMap((item) => requestedKey(item, (error) => void errors.addError('by', error)) ?? []);
  const shown = shownValues(query, keys, groupable, errors);
  const names = { keys, shown, groupable };
  const order = listInQuery(query, 'order').map((text) => requestedOrder(text, names));
  const terms: NamedTerm[] = [];
  const refuse: Fail = (error) => void errors.addError('having', error);
  const having = requestedConditions(query.getAll('having').flatMap(parseList), names, terms, refuse);
  const fill = listInQuery(query, 'fill').map((name): KeyReference => ({ is: 'key', name }));
  const request: GroupsRequest = {
    keys,
    values: shown.map(({ value }) => value),
    fill,
    order: order.map(({ item }) => item),
    having,
    top: undefined,
    isCounted: true,
  };
  return { request, shown, order, terms, fill };
};

type ItemErrors = ReadonlyMap<RequestItem, GroupsError>;

/** The columns of the response: the columns of the plan by their names. Collects the errors of keys and values. */
const columnsOf = (
  query: URLSearchParams,
  keys: readonly RequestedKey[],
  shown: readonly ShownValue[],
  found: ItemErrors,
  errors: ListErrors,
) => {
  const columns = new Map<string, string>();
  const add = (parameter: string, name: string, column: string, item?: RequestItem) => {
    const error = item && found.get(item);
    if (error) return errors.addError(parameter, error);
    if (columns.has(name)) errors.add(parameter, `${quotedValue(name)} is there already`);
    columns.set(name, column);
  };
  for (const [at, key] of keys.entries()) add('by', key.name, key.band ? labelColumn(keyName(at)) : keyName(at), key);
  if (query.has(countName)) add(countName, countName, countName);
  for (const [at, { parameter, name, value }] of shown.entries()) add(parameter, name, valueName(at), value);
  if (columns.size === 0) columns.set(countName, countName);
  return columns;
};

/** Parses a query string as a plan for groups. Throws 422 with all errors. Groups have no required filters (contract: groups). */
export const parseGroups = (query: URLSearchParams, cursors: Cursors, within: TableWithRelations): NamedPlan => {
  const { source, table, tables } = within;
  refuseManyNames(query, lists);
  const errors = new ListErrors();
  refuseUnknown(query, table, errors);
  formatParameter(query, errors);
  const limit = integerParameter(query, 'limit', errors, groupLimit);
  const groupable = listedTable(within);
  const where = rowConditions(query, groupable, errors);
  const { request: requested, shown, order, terms, fill } = translate(query, groupable, errors);
  const request = { ...requested, where };
  const found = new Map<RequestItem, GroupsError>();
  const partOf = new Map<RequestItem, RequestPart>();
  const resolved = resolveGroups(request, groupable, (part, error, item) => {
    found.set(item, error);
    partOf.set(item, part);
  });
  const columns = columnsOf(query, request.keys, shown, found, errors);
  const checkTerm = (parameter: string, { name, item }: NamedTerm) => {
    const error = found.get(item);
    if (error?.is === 'unknown')
      errors.addUnknown(parameter, name, 'terms', () => [...columns.keys(), ...plainAggregates.map((each) => `${each}_…`)]);
    else if (error) errors.addError(parameter, error);
  };
  for (const each of order) checkTerm('order', each);
  for (const each of terms) checkTerm('having', each);
  for (const key of fill) {
    const error = found.get(key);
    if (error) errors.addError('fill', error);
  }
  const error = found.get(request);
  if (error) errors.addError(error.is === 'tooManyRelations' ? 'by' : partOf.get(request) === 'values' ? 'where, value' : 'order', error);

  const grouped = { source, where, ...resolved };
  addCostErrors(costOfConditions(where, resolved.groups), 'where, value, having', errors);
  const cursor = lastValue(query, 'cursor');
  const after = cursor ? keysetOf(cursors, grouped).open(cursor) : undefined;
  if (cursor && !after) errors.add('cursor', 'The cursor is not valid for these groups');
  errors.throwIfAny();
  refuseHidden(grouped, tables, validationMessage);
  return { plan: { ...grouped, columns: [...columns.values()], after, offset: 0, limit, joinedRows: [] }, names: [...columns.keys()] };
};
