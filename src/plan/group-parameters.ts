/** Translates the query string of groups into a request for groups: `by`, values, `having`, `order` (contract: groups in REST). */
import type { ResolvedRelation } from '../catalogue/index.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Cursors } from './cursor.ts';
import { keysetOf } from './cursor.ts';
import { aggregates, countName, groupBounds, maxJoins } from './groups.ts';
import { conditionOn, parseComparison, splitHaving } from './having.ts';
import { refuseHidden } from './hidden-columns.ts';
import { formatParameter, integerParameter, lastValue, limits, missingFilters, parseFilters } from './parameters.ts';
import type { Plan, Source } from './plan.ts';
import {
  type GroupableTable,
  type GroupsError,
  type GroupsRequest,
  groupableTable,
  keyName,
  type RequestedCondition,
  type RequestedKey,
  type RequestedTerm,
  type RequestedValue,
  type RequestItem,
  resolveGroups,
  valueName,
} from './resolve-groups.ts';
import { firstNames, listOfNames, ParameterErrors, quoted, validationMessage } from './validation-errors.ts';

export const groupLimit = { standard: limits.limit.standard, ...groupBounds } as const;

/** A table of a customer whose rows can be grouped. */
export interface TableOfGroups {
  readonly source: Source;
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
  /** Relations to tables that the caller may read. */
  readonly relationsOf: (table: string) => readonly ResolvedRelation[];
}

/** A plan for groups, and the names of its columns in the same order. */
export interface NamedPlan {
  readonly plan: Plan;
  readonly names: readonly string[];
}

/** The spelling of relations in REST: `propertyManager` is `property_manager`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The values of a list. A repeated parameter extends the list. */
const listOf = (query: URLSearchParams, name: string): readonly string[] =>
  query.getAll(name).flatMap((text) => text.split(',').flatMap((part) => part.trim() || []));

/** The maximum number of names in all lists of a request. */
const maxNames = 500;
const lists = ['by', ...aggregates, 'measure', 'having', 'order'] as const;

/** Throws 422 for too many names, before any of them is looked up. */
const checkNames = (query: URLSearchParams): void => {
  const names = lists.flatMap((list) => query.getAll(list)).reduce((sum, text) => sum + text.split(',').length, 0);
  if (names <= maxNames) return;
  throw new ApiError(
    'invalidParameter',
    validationMessage(lists.join(', '), `${names} names; at most ${maxNames} can be asked for at once`),
  );
};

/** The parameters of groups, without the table's filters. */
export const groupParameters = ['by', countName, ...aggregates, 'measure', 'having', 'order', 'limit', 'cursor', 'format'] as const;

/** Limits of the message about unknown parameters: their number, and the characters of each. */
const maxNamed = 20;
const longestName = 80;

/** Collects parameters that are neither filters nor parameters of groups. A response without regard to a filter would be wrong. */
const refuseUnknown = (query: URLSearchParams, { filters }: Table, errors: ParameterErrors): void => {
  const known: readonly string[] = [...groupParameters, ...filters];
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  if (unknown.includes('offset')) errors.add('offset', 'Groups have no offset; continue with cursor');
  const named = unknown.filter((name) => name !== 'offset').map((name) => name.slice(0, longestName));
  if (named.length === 0) return;
  const shown = [...named.slice(0, maxNamed), ...(named.length > maxNamed ? [`… (${named.length} in all)`] : [])];
  errors.add(shown.join(', '), `unknown; there is: ${known.join(', ')}`);
};

/** Errors of groups. Unknown names come last, and the message lists the valid names once for all of them. */
class GroupParameterErrors extends ParameterErrors {
  readonly #unknown = new Map<string, { readonly parameter: string; readonly names: string[]; readonly valid: () => readonly string[] }>();

  addError(parameter: string, error: GroupsError): void {
    if (error.is === 'tooManyRelations') this.add(parameter, `At most ${maxJoins} relations can be followed`);
    else if (error.is === 'invalid') this.add(parameter, error.reason);
    else this.addUnknown(parameter, error.name, error.among, error.names);
  }

  /** `among` identifies the set of valid names. */
  addUnknown(parameter: string, name: string, among: string, valid: () => readonly string[]): void {
    const key = `${parameter} ${among}`;
    const known = this.#unknown.get(key);
    if (known) known.names.push(name);
    else this.#unknown.set(key, { parameter, names: [name], valid });
  }

  override throwIfAny(): void {
    for (const { parameter, names, valid } of this.#unknown.values())
      this.add(parameter, `${firstNames(names)} unknown; there is: ${listOfNames(valid())}`);
    super.throwIfAny();
  }
}

/** A key such as `property.federal_state` or `order_date:quarter`. Its name is that of its column in the response. */
const requestedKey = (text: string): RequestedKey => {
  const colon = text.indexOf(':');
  const path = colon < 0 ? text : text.slice(0, colon);
  const bucket = colon < 0 ? undefined : text.slice(colon + 1);
  const segments = path.split('.');
  const name = [...segments, ...(bucket === undefined ? [] : [bucket])].join('_');
  const column = segments.pop()!;
  return { name, via: segments, column, bucket };
};

/** The name of a value in the response, in orders and in conditions. */
const nameOfValue = ({ is, of }: RequestedValue): string => (is === 'measure' ? of : `${is}_${of}`);

/** The term of a name: a key of the request, or any value, even if the response does not contain it. */
const termOf = (name: string, keys: readonly RequestedKey[], { measures }: GroupableTable): RequestedTerm => {
  if (keys.some((key) => key.name === name)) return { is: 'key', name };
  if (name === countName) return { is: 'count' };
  const [, prefix, of = ''] = /^([a-z]+)_(.*)$/.exec(name) ?? [];
  const aggregate = measures.has(name) ? undefined : aggregates.find((each) => each === prefix);
  return aggregate ? { is: aggregate, of } : { is: 'measure', of: name };
};

const requestedOrder = (text: string, keys: readonly RequestedKey[], groupable: GroupableTable) => {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  return { name, item: { term: termOf(name, keys, groupable), isDescending } };
};

/** A condition and the name of its term; a reason if the text is not a condition. */
const requestedCondition = (text: string, keys: readonly RequestedKey[], groupable: GroupableTable) => {
  const comparing = parseComparison(text);
  if (typeof comparing === 'string') return `${quoted(text)} ${comparing}`;
  const { name, value } = comparing;
  const item: RequestedCondition = {
    is: 'compared',
    term: termOf(name, keys, groupable),
    compare: (term, fail) => {
      const condition = conditionOn(term, comparing);
      return condition ? [condition] : fail({ is: 'invalid', reason: `${quoted(value)} is no ${term.kind}` });
    },
  };
  return { name, item };
};

/** The request of a query string, and its orders and conditions with the names of their terms. */
const translate = (query: URLSearchParams, groupable: GroupableTable) => {
  const keys = listOf(query, 'by').map(requestedKey);
  const values = [...aggregates, 'measure' as const].flatMap((is) => listOf(query, is).map((of) => ({ is, of })));
  const order = listOf(query, 'order').map((text) => requestedOrder(text, keys, groupable));
  const texts = query.getAll('having').flatMap(splitHaving);
  const having = texts.map((text) => requestedCondition(text, keys, groupable));
  const request: GroupsRequest = {
    keys,
    values,
    order: order.map(({ item }) => item),
    having: having.flatMap((each) => (typeof each === 'string' ? [] : [each.item])),
    top: undefined,
    isCounted: true,
  };
  return { request, order, having };
};

type ItemErrors = ReadonlyMap<RequestItem, GroupsError>;

/** The columns of the response: the columns of the plan by their names. Collects the errors of keys and values. */
const columnsOf = (query: URLSearchParams, { keys, values }: GroupsRequest, found: ItemErrors, errors: GroupParameterErrors) => {
  const columns = new Map<string, string>();
  const add = (parameter: string, name: string, column: string, item?: RequestItem) => {
    const error = item && found.get(item);
    if (error) return errors.addError(parameter, error);
    if (columns.has(name)) errors.add(parameter, `${quoted(name)} is there already`);
    columns.set(name, column);
  };
  for (const [at, key] of keys.entries()) add('by', key.name, keyName(at), key);
  if (query.has(countName)) add(countName, countName, countName);
  for (const [at, value] of values.entries()) add(value.is, nameOfValue(value), valueName(at), value);
  if (columns.size === 0) columns.set(countName, countName);
  return columns;
};

/** Parses a query string as a plan for groups. Throws 422 with all errors, then 400 for missing required filters. */
export const parseGroups = (query: URLSearchParams, cursors: Cursors, { source, table, tables, relationsOf }: TableOfGroups): NamedPlan => {
  checkNames(query);
  const errors = new GroupParameterErrors();
  refuseUnknown(query, table, errors);
  formatParameter(query, errors);
  const limit = integerParameter(query, 'limit', errors, groupLimit);
  const where = parseFilters(query, table);

  const groupable = groupableTable(table, tables, relationsOf, snakeCase);
  const { request, order, having } = translate(query, groupable);
  const found = new Map<RequestItem, GroupsError>();
  const resolved = resolveGroups(request, groupable, (_part, error, item) => void found.set(item, error));
  const columns = columnsOf(query, request, found, errors);
  const checkTerm = (parameter: string, { name, item }: { readonly name: string; readonly item: RequestItem }) => {
    const error = found.get(item);
    if (error?.is === 'unknown')
      errors.addUnknown(parameter, name, 'terms', () => [...columns.keys(), ...aggregates.map((each) => `${each}_…`)]);
    else if (error) errors.addError(parameter, error);
  };
  for (const each of order) checkTerm('order', each);
  for (const each of having) {
    if (typeof each === 'string') errors.add('having', each);
    else checkTerm('having', each);
  }
  const error = found.get(request);
  if (error) errors.addError('by', error);

  const grouped = { source, where, ...resolved };
  const cursor = lastValue(query, 'cursor');
  const after = cursor ? keysetOf(cursors, grouped).open(cursor) : undefined;
  if (cursor && !after) errors.add('cursor', 'The cursor is not valid for these groups');
  errors.throwIfAny();
  refuseHidden(grouped, tables, validationMessage);
  const missing = missingFilters(query, table);
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  return { plan: { ...grouped, columns: [...columns.values()], after, offset: 0, limit, joinedRows: [] }, names: [...columns.keys()] };
};
