/** Parses the query string of groups: `by`, values, `having`, `order` (contract: groups in REST). */
import type { ResolvedRelation } from '../catalogue/index.ts';
import { measuresOf } from '../catalogue/measures.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import type { Cursors } from './cursor.ts';
import {
  type Aggregate,
  aggregatableColumns,
  aggregateOf,
  aggregates,
  type Bucket,
  buckets,
  countName,
  countTerm,
  type GroupExpression,
  type GroupKey,
  type Groups,
  type GroupValue,
  groupBounds,
  groupOrder,
  hasBuckets,
  keyTerm,
  maxJoins,
  measureOf,
  nameOf,
  pathsOf,
  type Term,
  valueTerm,
} from './groups.ts';
import { conditionOn, parseComparison, splitHaving } from './having.ts';
import { keysetOf } from './keyset.ts';
import { formatParameter, integerParameter, lastValue, limits, missingFilters, parseFilters } from './parameters.ts';
import { prefixesOf, type RelationStep, relationStep } from './paths.ts';
import type { Plan, Source } from './plan.ts';
import { firstNames, namesThere, ParameterErrors, quoted, validationMessage } from './validation-errors.ts';

export const groupLimit = { standard: limits.limit.standard, ...groupBounds } as const;

/** A table whose rows can be grouped, as the caller sees it. */
export interface GroupableTable {
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

/** An unknown name, and the names that would be valid. */
interface Unknown {
  readonly name: string;
  /** The set that lacks the name: a table, or a kind of name. */
  readonly among: string;
  readonly there: () => readonly string[];
}

/** Collects unknown names, so that the message lists the valid names once for all of them. */
class Unknowns {
  readonly #found = new Map<string, Omit<Unknown, 'name'> & { readonly parameter: string; readonly names: string[] }>();

  add(parameter: string, { name, among, there }: Unknown): void {
    const key = `${parameter} ${among}`;
    const found = this.#found.get(key);
    if (found) found.names.push(name);
    else this.#found.set(key, { parameter, among, there, names: [name] });
  }

  tell(faults: ParameterErrors): void {
    for (const { parameter, there, names } of this.#found.values())
      faults.add(parameter, `${firstNames(names)} unknown; there is: ${namesThere(there())}`);
  }
}

const tooFar = `At most ${maxJoins} relations can be followed`;

const toOneOf = ({ relationsOf }: GroupableTable, table: Table) => relationsOf(table.name).filter(({ kind }) => kind === 'to-one');

/** The names that are valid at a step of a path. */
const keysOf = (groupable: GroupableTable, table: Table): readonly string[] => [
  ...Object.keys(table.columns),
  ...toOneOf(groupable, table).map(({ name }) => `${snakeCase(name)}.…`),
];

const unknownKey = (groupable: GroupableTable, table: Table, name: string): Unknown => ({
  name,
  among: table.name,
  there: () => keysOf(groupable, table),
});

/** Parses a key such as `property.federal_state` or `order_date:quarter`. For an invalid key, returns the reason. */
const parseKey = (groupable: GroupableTable, text: string, name: string): (GroupKey & { readonly shown: string }) | Unknown | string => {
  const [path = '', bucket, ...more] = text.split(':');
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  if (segments.length > maxJoins) return tooFar;
  const via: RelationStep[] = [];
  let { table } = groupable;
  for (const segment of segments) {
    const relation = toOneOf(groupable, table).find((each) => snakeCase(each.name) === segment);
    if (!relation) return unknownKey(groupable, table, segment);
    via.push(relationStep(relation));
    table = groupable.tables.get(relation.target)!;
  }
  const column = Object.hasOwn(table.columns, last) ? table.columns[last] : undefined;
  if (!column) return unknownKey(groupable, table, last);
  if (bucket !== undefined && (more.length > 0 || !buckets.includes(bucket as Bucket)))
    return { name: [bucket, ...more].join(':'), among: 'buckets', there: () => buckets };
  if (bucket !== undefined && !hasBuckets(column)) return `${last} is neither a date nor a point in time and has no buckets`;
  const shown = [...segments, last, ...(bucket === undefined ? [] : [bucket])].join('_');
  const isNullable = via.length > 0 || !column.required;
  return { name, via, column: last, kind: column.kind, isNullable, ...(bucket !== undefined && { bucket: bucket as Bucket }), shown };
};

/** The parameters of groups, without the table's filters. */
export const groupParameters = ['by', countName, ...aggregates, 'measure', 'having', 'order', 'limit', 'cursor', 'format'] as const;

/** Limits of the message about unknown parameters: their number, and the characters of each. */
const maxNamed = 20;
const longestName = 80;

/** Collects parameters that are neither filters nor parameters of groups. A response without regard to a filter would be wrong. */
const refuseUnknown = (query: URLSearchParams, { filters }: Table, faults: ParameterErrors): void => {
  const known: readonly string[] = [...groupParameters, ...filters];
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  if (unknown.includes('offset')) faults.add('offset', 'Groups have no offset; continue with cursor');
  const named = unknown.filter((name) => name !== 'offset').map((name) => name.slice(0, longestName));
  if (named.length === 0) return;
  const shown = [...named.slice(0, maxNamed), ...(named.length > maxNamed ? [`… (${named.length} in all)`] : [])];
  faults.add(shown.join(', '), `unknown; there is: ${known.join(', ')}`);
};

/** Parses a query string as a plan for groups. Throws 422 with all faults, then 400 for missing required filters. */
export const parseGroups = (query: URLSearchParams, cursors: Cursors, groupable: GroupableTable): NamedPlan => {
  checkNames(query);
  const { source, table } = groupable;
  const faults = new ParameterErrors();
  const unknowns = new Unknowns();
  refuseUnknown(query, table, faults);
  formatParameter(query, faults);
  const limit = integerParameter(query, 'limit', faults, groupLimit);
  const where = parseFilters(query, table);
  const measures = measuresOf(table.name, groupable.relationsOf(table.name));
  const values: GroupValue[] = [];
  /** The columns of the response: terms by their names. */
  const shown = new Map<string, Term>();
  const show = (parameter: string, name: string, term: Term) => {
    if (shown.has(name)) faults.add(parameter, `${quoted(name)} is there already`);
    shown.set(name, term);
  };

  const keys = listOf(query, 'by').flatMap((text, index) => {
    const key = parseKey(groupable, text, `k${index}`);
    if (typeof key === 'string') faults.add('by', key);
    else if ('there' in key) unknowns.add('by', key);
    if (typeof key === 'string' || 'there' in key) return [];
    const { shown: name, ...own } = key;
    show('by', name, keyTerm(own));
    return [own];
  });

  const termOf = (figure: GroupExpression): Term => {
    const name = nameOf(values, figure);
    return valueTerm(values.find((value) => value.name === name)!);
  };
  const figureAt = (fold: Aggregate, column: string): GroupExpression | undefined =>
    aggregatableColumns(table, fold).includes(column) ? aggregateOf(table, fold, column) : undefined;
  const measureAt = (name: string): GroupExpression | undefined => {
    const measure = measures.find((each) => each.name === name);
    return measure && measureOf(measure.formula);
  };
  if (query.has(countName)) show(countName, countName, countTerm);
  for (const fold of aggregates)
    for (const column of listOf(query, fold)) {
      const figure = figureAt(fold, column);
      if (figure) show(fold, `${fold}_${column}`, termOf(figure));
      else unknowns.add(fold, { name: column, among: fold, there: () => aggregatableColumns(table, fold) });
    }
  for (const name of listOf(query, 'measure')) {
    const figure = measureAt(name);
    if (figure) show('measure', name, termOf(figure));
    else unknowns.add('measure', { name, among: 'measures', there: () => measures.map((each) => each.name) });
  }
  if (shown.size === 0) show(countName, countName, countTerm);

  /** Finds a term by name: a key of the request, or any value, even if the response does not contain it. */
  const named = (parameter: string, name: string): Term | undefined => {
    const known = shown.get(name);
    if (known) return known;
    if (name === countName) return countTerm;
    const [, fold, column = ''] = /^([a-z]+)_(.*)$/.exec(name) ?? [];
    const figure = measureAt(name) ?? (aggregates.includes(fold as Aggregate) ? figureAt(fold as Aggregate, column) : undefined);
    if (figure) return termOf(figure);
    unknowns.add(parameter, { name, among: 'shown', there: () => [...shown.keys(), ...aggregates.map((each) => `${each}_…`)] });
    return undefined;
  };
  const order = listOf(query, 'order').flatMap((text) => {
    const isDescending = text.startsWith('-');
    const term = named('order', isDescending ? text.slice(1) : text);
    return term ? [{ ...term, isDescending }] : [];
  });
  const conditions = query
    .getAll('having')
    .flatMap(splitHaving)
    .flatMap((text): Condition[] => {
      const comparing = parseComparison(text);
      if (typeof comparing === 'string') {
        faults.add('having', `${quoted(text)} ${comparing}`);
        return [];
      }
      const term = named('having', comparing.name);
      if (!term) return [];
      const condition = conditionOn(term, comparing);
      if (!condition) faults.add('having', `${quoted(comparing.value)} is no ${term.kind}`);
      return condition ? [condition] : [];
    });
  const having: Condition | undefined = conditions.length > 1 ? { is: 'and', of: conditions } : conditions[0];

  const groups: Groups = { keys, values, having, top: undefined, isCounted: true };
  if (prefixesOf(pathsOf(groups)).size > maxJoins) faults.add('by', tooFar);
  const asked = { source, where, order: groupOrder(keys, order), groups };
  const cursor = lastValue(query, 'cursor');
  const after = cursor ? keysetOf(cursors, asked).open(cursor) : undefined;
  if (cursor && !after) faults.add('cursor', 'The cursor is not valid for these groups');
  unknowns.tell(faults);
  faults.throwIfAny();
  const missing = missingFilters(query, table);
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const columns = [...shown.values()].map(({ column }) => column);
  return { plan: { ...asked, columns, after, offset: 0, limit, joinedRows: [] }, names: [...shown.keys()] };
};
