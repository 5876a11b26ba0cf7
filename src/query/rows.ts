/** Translates `where`, `order` and `columns` of category pages into a plan (contract: conditions, order and columns of rows). */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import { needsDay } from '../plan/condition.ts';
import { costOfAggregates, costOfCondition, costSum, stepTerms } from '../plan/cost.ts';
import type { Cursors } from '../plan/cursor.ts';
import { kindOfExpression, maxJoins } from '../plan/groups/groups.ts';
import type { Fail, GroupableTable } from '../plan/groups/request.ts';
import { resolveColumn, resolveFunction } from '../plan/groups/resolving.ts';
import { type Path, pathsRead, prefixesOf, stepsKey } from '../plan/paths.ts';
import {
  type AggregateColumn,
  type FunctionColumn,
  isAggregateColumn,
  isPlainFilter,
  type OrderTerm,
  type OtherColumn,
  orderBy,
  type RelatedColumn,
  relatedName,
} from '../plan/plan.ts';
import { refuseHidden, relatedInOrder } from '../plan/references.ts';
import { quotedValue, validationMessage } from '../plan/validation-errors.ts';
import { isRelatedAggregate, isRowFunction, relatedAggregateNames, rowFunctionNames } from '../plan/vocabulary/values.ts';
import { columnNamed } from './conditions.ts';
import { type Item, parseList } from './grammar.ts';
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
import { formatParameter, identifierPattern, pagePosition, parsePlan, refuseMissing } from './parameters.ts';
import { relatedAggregateOf } from './related-aggregates.ts';

/** The lists of a category page. A page without them is planned by `parsePlan`. */
export const rowLists = ['where', 'order', 'columns'] as const;

export const hasRowLists = (query: URLSearchParams): boolean => rowLists.some((name) => query.has(name));

/** The columns of related rows, the functions and the aggregates that a request names. A related column occurs once. */
class RelatedColumns {
  readonly #byPath = new Map<string, RelatedColumn>();
  /** Functions and aggregates by their names in the request. */
  readonly #named = new Map<string, Pick<OrderTerm, 'column' | 'kind'> & { readonly value: FunctionColumn | AggregateColumn }>();

  /** The name of the column in the plan. */
  nameOf(path: Path): string {
    if (path.via.length === 0) return path.column;
    const key = `${stepsKey(path.via)} ${path.column}`;
    const known = this.#byPath.get(key) ?? { name: this.#nextName(), ...path };
    this.#byPath.set(key, known);
    return known.name;
  }

  /** Adds a function or an aggregate under a name of the request. Returns its name in the plan. */
  add(name: string, kind: Kind, value: Omit<FunctionColumn, 'name'> | Omit<AggregateColumn, 'name'>): string {
    const column = this.#nextName();
    this.#named.set(name, { column, kind, value: { name: column, ...value } });
    return column;
  }

  /** The function or aggregate with a name of the request, as a term of an order. */
  termNamed(name: string): Pick<OrderTerm, 'column' | 'kind'> | undefined {
    const found = this.#named.get(name);
    return found && { column: found.column, kind: found.kind };
  }

  #nextName(): string {
    return relatedName(this.#byPath.size + this.#named.size);
  }

  get all(): readonly OtherColumn[] {
    return [...this.#byPath.values(), ...[...this.#named.values()].map(({ value }) => value)];
  }
}

type Called = Extract<Item, { is: 'called' }>;

/** The path of a name such as `offer.creditor.name`, and its column. Otherwise calls `fail`. */
const pathOf = (name: string, groupable: GroupableTable, fail: Fail) => {
  const via = name.split('.');
  const column = via.pop()!;
  const found = resolveColumn(groupable, { via, column }, fail);
  return found && { path: { via: found.steps, column }, column: found.column };
};

const orderOf = (query: URLSearchParams, groupable: GroupableTable, related: RelatedColumns, errors: ListErrors): readonly OrderTerm[] =>
  listInQuery(query, 'order').flatMap((text): readonly OrderTerm[] => {
    const isDescending = text.startsWith('-');
    const name = isDescending ? text.slice(1) : text;
    const term = related.termNamed(name);
    if (term) return [{ ...term, isDescending, isNullable: true }];
    const found = pathOf(name, groupable, (error) => void errors.addError('order', error));
    if (!found) return [];
    const { path, column } = found;
    const isNullable = path.via.length > 0 || !column.required;
    return [{ column: related.nameOf(path), kind: column.kind, isDescending, isNullable }];
  });

/** The name in the plan of a named function or aggregate such as `days:days(order_date,closed_date)`. Otherwise calls `fail`. */
const namedColumnOf = (item: Called, groupable: GroupableTable, related: RelatedColumns, fail: Fail): string | undefined => {
  const { name, call, of = [] } = item;
  if (!isRowFunction(call) && !isRelatedAggregate(call))
    return fail({ is: 'unknown', name: call, among: 'functions', names: () => [...rowFunctionNames, 'count', ...relatedAggregateNames] });
  if (!identifierPattern.test(name)) return fail({ is: 'invalid', reason: `${quotedValue(name)} is no name of a value` });
  if (Object.hasOwn(groupable.table.columns, name))
    return fail({ is: 'invalid', reason: `${quotedValue(name)} is a column; choose another name` });
  if (!isRowFunction(call)) {
    const found = relatedAggregateOf(item, groupable, fail);
    return found && related.add(name, kindOfExpression(found.aggregate), found);
  }
  const found = resolveFunction(groupable, { call, of: of.map(({ text }) => columnNamed(text)) }, undefined, fail);
  return found && related.add(name, found.kind, { call: found.call, of: found.of });
};

/** The columns of the answer in the order of the request, by their names; all columns of the table if none is named. */
const columnsOf = (query: URLSearchParams, groupable: GroupableTable, related: RelatedColumns, errors: ListErrors) => {
  const columns = new Map<string, string>();
  const fail: Fail = (error) => void errors.addError('columns', error);
  for (const item of query.getAll('columns').flatMap(parseList)) {
    const isCall = item.is === 'called' && item.of !== undefined;
    const name = isCall ? item.name : item.text;
    if (columns.has(name)) {
      errors.add('columns', `${quotedValue(name)} is there already`);
      continue;
    }
    const path = isCall ? undefined : pathOf(name, groupable, fail)?.path;
    const column = isCall ? namedColumnOf(item, groupable, related, fail) : path && related.nameOf(path);
    if (column !== undefined) columns.set(name, column);
  }
  return columns.size > 0 ? columns : new Map(Object.keys(groupable.table.columns).map((name) => [name, name]));
};

/** Whether an index serves every page: the plain filters and the order of the sort key, without values of other rows. */
const isIndexed = (
  table: Table,
  where: Parameters<typeof isPlainFilter>[0],
  requested: readonly OrderTerm[],
  others: readonly OtherColumn[],
): boolean => isPlainFilter(where, table) && requested.length === 0 && !others.some(isAggregateColumn);

/** Parses a query string as a plan for rows. Throws 422 with all errors, then 400 for missing required filters. */
export const parseRows = (query: URLSearchParams, cursors: Cursors, within: TableWithRelations): NamedPlan => {
  const { source, table, tables } = within;
  refuseManyNames(query, rowLists);
  const errors = new ListErrors();
  formatParameter(query, errors);
  const groupable = listedTable(within);
  const where = rowConditions(query, groupable, errors);
  if (needsDay(where)) errors.add('where', 'some_valid and none_valid need groups with a series');
  const related = new RelatedColumns();
  // An order can name a function or an aggregate of the columns.
  const columns = columnsOf(query, groupable, related, errors);
  const requested = orderOf(query, groupable, related, errors);
  const relatedColumns = related.all.length > 0 ? related.all : undefined;
  const order = orderBy(table, requested);
  const rows = { source, where, order, relatedColumns, isUnindexed: !isIndexed(table, where, requested, related.all) };
  if (prefixesOf(related.all.flatMap((each) => pathsRead<Path>(each))).size > maxJoins)
    errors.addError('order, columns', { is: 'tooManyRelations' });
  const followed = relatedInOrder(rows).flatMap((each) => pathsRead<Path>(each));
  const steps = followed.reduce((sum, { via }) => sum + via.length, 0);
  const aggregates = costOfAggregates(related.all);
  const cost = costSum([costOfCondition(where), aggregates, { terms: steps * stepTerms, listed: 0, nesting: 0 }]);
  addCostErrors(cost, aggregates.terms > 0 ? 'where, order, columns' : 'where, order', errors);
  const position = pagePosition(query, { rows, cursors, errors, hasOffset: true });
  errors.throwIfAny();
  refuseHidden(rows, tables, validationMessage);
  refuseMissing(query, table, where);
  return { plan: { ...rows, ...position, columns: [...columns.values()], joinedRows: [] }, names: [...columns.keys()] };
};

/** Parses a query string as a plan for rows, with or without lists. Throws the errors of `parseRows` and `parsePlan`. */
export const parsePage = (query: URLSearchParams, cursors: Cursors, within: TableWithRelations): NamedPlan => {
  if (hasRowLists(query)) return parseRows(query, cursors, within);
  const { source, table } = within;
  const names = Object.keys(table.columns);
  return { plan: parsePlan({ query, source, columns: names, table, cursors }), names };
};
