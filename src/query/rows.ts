/** Translates `where`, `order` and `columns` of category pages into a plan (contract: conditions, order and columns of rows). */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import { needsDay } from '../plan/condition.ts';
import { costOfCondition, stepTerms } from '../plan/cost.ts';
import type { Cursors } from '../plan/cursor.ts';
import { maxJoins, type OverFunction } from '../plan/groups/groups.ts';
import type { Fail, GroupableTable } from '../plan/groups/request.ts';
import { resolveColumn, resolveFunction } from '../plan/groups/resolving.ts';
import { type Path, pathsRead, prefixesOf, stepsKey } from '../plan/paths.ts';
import { type FunctionColumn, isPlainFilter, type OrderTerm, orderBy, type RelatedColumn, relatedName } from '../plan/plan.ts';
import { refuseHidden, relatedInOrder } from '../plan/references.ts';
import { quoted, validationMessage } from '../plan/validation-errors.ts';
import { isRowFunction, rowFunctionNames } from '../plan/vocabulary/values.ts';
import { type Item, parseList } from './grammar.ts';
import {
  addCostErrors,
  ListErrors,
  listedTable,
  listOf,
  type NamedPlan,
  refuseManyNames,
  rowConditions,
  type TableWithRelations,
} from './lists.ts';
import { columnNamed } from './named-values.ts';
import { formatParameter, identifierPattern, pagePosition, refuseMissing } from './parameters.ts';

/** The lists of a category page. A page without them is planned by `parsePlan`. */
export const rowLists = ['where', 'order', 'columns'] as const;

export const hasRowLists = (query: URLSearchParams): boolean => rowLists.some((name) => query.has(name));

/** The columns of related rows and the functions that a request names. A related column occurs once. */
class RelatedColumns {
  readonly #byPath = new Map<string, RelatedColumn>();
  readonly #functions = new Map<string, FunctionColumn & { readonly kind: Kind }>();

  /** The name of the column in the plan. */
  nameOf(path: Path): string {
    if (path.via.length === 0) return path.column;
    const key = `${stepsKey(path.via)} ${path.column}`;
    const known = this.#byPath.get(key) ?? { name: this.#nextName(), ...path };
    this.#byPath.set(key, known);
    return known.name;
  }

  /** Adds a function under a name of the request. Returns its name in the plan. */
  add(name: string, { call, of, kind }: Pick<OverFunction, 'call' | 'of' | 'kind'>): string {
    const added = { name: this.#nextName(), call, of, kind };
    this.#functions.set(name, added);
    return added.name;
  }

  /** The function with a name of the request, as a term of an order. */
  functionNamed(name: string): Pick<OrderTerm, 'column' | 'kind'> | undefined {
    const found = this.#functions.get(name);
    return found && { column: found.name, kind: found.kind };
  }

  #nextName(): string {
    return relatedName(this.#byPath.size + this.#functions.size);
  }

  get all(): readonly (RelatedColumn | FunctionColumn)[] {
    const functions = [...this.#functions.values()].map(({ kind: _, ...column }) => column);
    return [...this.#byPath.values(), ...functions];
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
  listOf(query, 'order').flatMap((text): readonly OrderTerm[] => {
    const isDescending = text.startsWith('-');
    const name = isDescending ? text.slice(1) : text;
    const term = related.functionNamed(name);
    if (term) return [{ ...term, isDescending, isNullable: true }];
    const found = pathOf(name, groupable, (error) => void errors.addError('order', error));
    if (!found) return [];
    const { path, column } = found;
    const isNullable = path.via.length > 0 || !column.required;
    return [{ column: related.nameOf(path), kind: column.kind, isDescending, isNullable }];
  });

/** The name in the plan of a named function such as `days:days(order_date,closed_date)`. Otherwise calls `fail`. */
const functionOf = (
  { name, call, of = [] }: Called,
  groupable: GroupableTable,
  related: RelatedColumns,
  fail: Fail,
): string | undefined => {
  if (!isRowFunction(call)) return fail({ is: 'unknown', name: call, among: 'functions', names: () => rowFunctionNames });
  if (!identifierPattern.test(name)) return fail({ is: 'invalid', reason: `${quoted(name)} is no name of a value` });
  if (Object.hasOwn(groupable.table.columns, name))
    return fail({ is: 'invalid', reason: `${quoted(name)} is a column; choose another name` });
  const found = resolveFunction(groupable, { call, of: of.map(({ text }) => columnNamed(text)) }, undefined, fail);
  return found && related.add(name, found);
};

/** The columns of the answer in the order of the request, by their names; all columns of the table if none is named. */
const columnsOf = (query: URLSearchParams, groupable: GroupableTable, related: RelatedColumns, errors: ListErrors) => {
  const columns = new Map<string, string>();
  const fail: Fail = (error) => void errors.addError('columns', error);
  for (const item of query.getAll('columns').flatMap(parseList)) {
    const isCall = item.is === 'called' && item.of !== undefined;
    const name = isCall ? item.name : item.text;
    if (columns.has(name)) {
      errors.add('columns', `${quoted(name)} is there already`);
      continue;
    }
    const path = isCall ? undefined : pathOf(name, groupable, fail)?.path;
    const column = isCall ? functionOf(item, groupable, related, fail) : path && related.nameOf(path);
    if (column !== undefined) columns.set(name, column);
  }
  return columns.size > 0 ? columns : new Map(Object.keys(groupable.table.columns).map((name) => [name, name]));
};

/** Whether an index serves every page: the plain filters and the order of the sort key. */
const isIndexed = (table: Table, where: Parameters<typeof isPlainFilter>[0], requested: readonly OrderTerm[]): boolean =>
  isPlainFilter(where, table) && requested.length === 0;

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
  // An order can name a function of the columns.
  const columns = columnsOf(query, groupable, related, errors);
  const requested = orderOf(query, groupable, related, errors);
  const relatedColumns = related.all.length > 0 ? related.all : undefined;
  const order = orderBy(table, requested);
  const rows = { source, where, order, relatedColumns, isUnindexed: !isIndexed(table, where, requested) };
  if (prefixesOf(related.all.flatMap((each) => pathsRead<Path>(each))).size > maxJoins)
    errors.addError('order, columns', { is: 'tooManyRelations' });
  const followed = relatedInOrder(rows).flatMap((each) => pathsRead<Path>(each));
  const steps = followed.reduce((sum, { via }) => sum + via.length, 0);
  const cost = costOfCondition(where);
  addCostErrors({ ...cost, terms: cost.terms + steps * stepTerms }, 'where, order', errors);
  const position = pagePosition(query, { rows, cursors, errors, hasOffset: true });
  errors.throwIfAny();
  refuseHidden(rows, tables, validationMessage);
  refuseMissing(query, table, where);
  return { plan: { ...rows, ...position, columns: [...columns.values()], joinedRows: [] }, names: [...columns.keys()] };
};
