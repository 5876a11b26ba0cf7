/** The query string of groups, read strictly: `by`, values, `having`, `order` (contract: groups in REST). */
import type { Kind } from '../catalogue/column.ts';
import type { ResolvedRelation } from '../catalogue/index.ts';
import { kinds } from '../catalogue/kinds.ts';
import { measuresOf } from '../catalogue/measures.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { type Comparison, type Condition, comparisons } from './condition.ts';
import type { Cursors } from './cursor.ts';
import { ParameterFaults } from './faults.ts';
import {
  type Bucket,
  buckets,
  countName,
  countTerm,
  type Figure,
  type Fold,
  foldable,
  foldOf,
  folds,
  type GroupKey,
  type Groups,
  type GroupValue,
  groupBounds,
  groupOrder,
  hasBuckets,
  keyTerm,
  measureOf,
  mostJoins,
  nameOf,
  pathsOf,
  type Term,
  valueTerm,
} from './groups.ts';
import { keysetOf } from './keyset.ts';
import { integerParameter, lastOf, limits, missingFiltersOf, parseFilters } from './parameters.ts';
import { type Step, stepOf, waysOf } from './paths.ts';
import type { Plan, Source } from './plan.ts';

export const groupLimit = { standard: limits.limit.standard, ...groupBounds } as const;

/** A table whose rows can be grouped, as the caller sees it. */
export interface GroupableTable {
  readonly source: Source;
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
  /** Those that lead to tables that the caller may read. */
  readonly relationsOf: (table: string) => readonly ResolvedRelation[];
}

/** What is asked of groups, and what their columns are called, in the plan's order. */
export interface NamedPlan {
  readonly plan: Plan;
  readonly names: readonly string[];
}

/** Relations as REST spells them: `propertyManager` is `property_manager`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const listOf = (query: URLSearchParams, name: string): readonly string[] =>
  (lastOf(query, name) ?? '').split(',').flatMap((part) => part.trim() || []);

/** As much of what a client wrote as an answer repeats. */
const longestQuoted = 80;
const quoted = (text: string): string => `'${text.slice(0, longestQuoted)}'`;

/** A name that is not there, and what is. */
interface Unknown {
  readonly name: string;
  readonly there: readonly string[];
}

/** Collects names that are not there, so that what is there is listed once for all of them. */
class Unknowns {
  readonly #found = new Map<string, { readonly parameter: string; readonly there: readonly string[]; readonly names: string[] }>();

  add(parameter: string, { name, there }: Unknown): void {
    const key = `${parameter} ${there.join()}`;
    const found = this.#found.get(key) ?? { parameter, there, names: [] };
    found.names.push(quoted(name));
    this.#found.set(key, found);
  }

  tell(faults: ParameterFaults): void {
    for (const { parameter, there, names } of this.#found.values())
      faults.add(parameter, `${names.join(', ')} unknown; there is: ${there.length > 0 ? there.join(', ') : 'none'}`);
  }
}

const tooFar = `At most ${mostJoins} relations can be followed`;

const toOneOf = ({ relationsOf }: GroupableTable, table: Table) => relationsOf(table.name).filter(({ kind }) => kind === 'to-one');

/** What can stand at a step of a path. */
const keysOf = (groupable: GroupableTable, table: Table): readonly string[] => [
  ...Object.keys(table.columns),
  ...toOneOf(groupable, table).map(({ name }) => `${snakeCase(name)}.…`),
];

/** Reads `property.federal_state` or `order_date:quarter`; what is no key says what is wrong. */
const parseKey = (groupable: GroupableTable, text: string, name: string): (GroupKey & { readonly shown: string }) | Unknown | string => {
  const [path = '', bucket, ...more] = text.split(':');
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  if (segments.length > mostJoins) return tooFar;
  const via: Step[] = [];
  let { table } = groupable;
  for (const segment of segments) {
    const relation = toOneOf(groupable, table).find((each) => snakeCase(each.name) === segment);
    if (!relation) return { name: segment, there: keysOf(groupable, table) };
    via.push(stepOf(relation));
    table = groupable.tables.get(relation.target)!;
  }
  const column = Object.hasOwn(table.columns, last) ? table.columns[last] : undefined;
  if (!column) return { name: last, there: keysOf(groupable, table) };
  if (bucket !== undefined && (more.length > 0 || !buckets.includes(bucket as Bucket)))
    return { name: [bucket, ...more].join(':'), there: buckets };
  if (bucket !== undefined && !hasBuckets(column)) return `${last} is neither a date nor a point in time and has no buckets`;
  const shown = [...segments, last, ...(bucket === undefined ? [] : [bucket])].join('_');
  const isNullable = via.length > 0 || !column.required;
  return { name, via, column: last, kind: column.kind, isNullable, ...(bucket !== undefined && { bucket: bucket as Bucket }), shown };
};

/** What a comparison is called in `having`, longer ones first. */
const operators: readonly (readonly [sign: string, by: Comparison])[] = [
  ['!=', 'ne'],
  ...(Object.entries(comparisons) as [Comparison, string][])
    .filter(([by]) => by !== 'ne')
    .map(([by, sign]) => [sign, by] as const)
    .sort(([one], [other]) => other.length - one.length),
];
const havingPattern = new RegExp(`^(\\w+?)(${operators.map(([sign]) => sign).join('|')})(.*)$`, 's');

/** Reads what is asked of groups. Throws 422 that names everything that is wrong, then 400 for required filters that are missing. */
export const parseGroups = (query: URLSearchParams, cursors: Cursors, groupable: GroupableTable): NamedPlan => {
  const { source, table } = groupable;
  const faults = new ParameterFaults();
  const unknowns = new Unknowns();
  const limit = integerParameter(query, 'limit', faults, groupLimit);
  const where = parseFilters(query, table);
  const measures = measuresOf(table.name, groupable.relationsOf(table.name));
  const values: GroupValue[] = [];
  /** Terms by the names that are shown, which are the answer's columns. */
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

  const termOf = (figure: Figure): Term => {
    const name = nameOf(values, figure);
    return valueTerm(values.find((value) => value.name === name)!);
  };
  const figureAt = (fold: Fold, column: string): Figure | undefined =>
    foldable(table, fold).includes(column) ? foldOf(table, fold, column) : undefined;
  const measureAt = (name: string): Figure | undefined => {
    const measure = measures.find((each) => each.name === name);
    return measure && measureOf(measure.formula);
  };
  if (query.has(countName)) show(countName, countName, countTerm);
  for (const fold of folds)
    for (const column of listOf(query, fold)) {
      const figure = figureAt(fold, column);
      if (figure) show(fold, `${fold}_${column}`, termOf(figure));
      else unknowns.add(fold, { name: column, there: foldable(table, fold) });
    }
  for (const name of listOf(query, 'measure')) {
    const figure = measureAt(name);
    if (figure) show('measure', name, termOf(figure));
    else unknowns.add('measure', { name, there: measures.map((each) => each.name) });
  }
  if (shown.size === 0) show(countName, countName, countTerm);

  /** A key that is shown, or any value, which need not be. */
  const named = (parameter: string, name: string): Term | undefined => {
    const known = shown.get(name);
    if (known) return known;
    if (name === countName) return countTerm;
    const [, fold, column = ''] = /^([a-z]+)_(.*)$/.exec(name) ?? [];
    const figure = measureAt(name) ?? (folds.includes(fold as Fold) ? figureAt(fold as Fold, column) : undefined);
    if (figure) return termOf(figure);
    unknowns.add(parameter, { name, there: [...shown.keys(), ...folds.map((each) => `${each}_…`)] });
    return undefined;
  };
  const order = listOf(query, 'order').flatMap((text) => {
    const isDescending = text.startsWith('-');
    const term = named('order', isDescending ? text.slice(1) : text);
    return term ? [{ ...term, isDescending }] : [];
  });
  const conditions = listOf(query, 'having').flatMap((text): Condition[] => {
    const [, name, sign, value = ''] = havingPattern.exec(text) ?? [];
    if (name === undefined) {
      faults.add('having', `${quoted(text)} is no comparison such as count>=2`);
      return [];
    }
    const term = named('having', name);
    if (!term) return [];
    const by = operators.find(([each]) => each === sign)![1];
    const parsed = kinds[term.kind as Kind].parse(value);
    if (parsed === undefined) faults.add('having', `${quoted(value)} is no ${term.kind}`);
    return parsed === undefined ? [] : [{ is: 'compared', column: term.column, kind: term.kind, by, value: parsed }];
  });
  const having: Condition | undefined = conditions.length > 1 ? { is: 'and', of: conditions } : conditions[0];

  const groups: Groups = { keys, values, having, top: undefined, isCounted: true };
  if (waysOf(pathsOf(groups)).size > mostJoins) faults.add('by', tooFar);
  const asked = { source, where, order: groupOrder(keys, order), groups };
  const cursor = lastOf(query, 'cursor');
  const after = cursor ? keysetOf(cursors, asked).open(cursor) : undefined;
  if (cursor && !after) faults.add('cursor', 'The cursor is not valid for these groups');
  unknowns.tell(faults);
  faults.throwIfAny();
  const missing = missingFiltersOf(query, table);
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const columns = [...shown.values()].map(({ column }) => column);
  return { plan: { ...asked, columns, after, offset: 0, limit, along: [] }, names: [...shown.keys()] };
};
