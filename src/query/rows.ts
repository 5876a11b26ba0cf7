/** Translates `where`, `order` and `columns` of category pages into a plan (contract: conditions, order and columns of rows). */
import type { Table } from '../catalogue/table.ts';
import { needsDay } from '../plan/condition.ts';
import { costOfCondition, stepTerms } from '../plan/cost.ts';
import type { Cursors } from '../plan/cursor.ts';
import { maxJoins } from '../plan/groups/groups.ts';
import type { Fail, GroupableTable } from '../plan/groups/request.ts';
import { resolveColumn } from '../plan/groups/resolving.ts';
import { type Path, prefixesOf, stepsKey } from '../plan/paths.ts';
import { isPlainFilter, type OrderTerm, orderBy, type RelatedColumn, relatedName } from '../plan/plan.ts';
import { refuseHidden, relatedInOrder } from '../plan/references.ts';
import { quoted, validationMessage } from '../plan/validation-errors.ts';
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
import { formatParameter, pagePosition, refuseMissing } from './parameters.ts';

/** The lists of a category page. A page without them is planned by `parsePlan`. */
export const rowLists = ['where', 'order', 'columns'] as const;

export const hasRowLists = (query: URLSearchParams): boolean => rowLists.some((name) => query.has(name));

/** The columns of related rows that a request names, each once. */
class RelatedColumns {
  readonly #byPath = new Map<string, RelatedColumn>();

  /** The name of the column in the plan. */
  nameOf(path: Path): string {
    if (path.via.length === 0) return path.column;
    const key = `${stepsKey(path.via)} ${path.column}`;
    const known = this.#byPath.get(key) ?? { name: relatedName(this.#byPath.size), ...path };
    this.#byPath.set(key, known);
    return known.name;
  }

  get all(): readonly RelatedColumn[] {
    return [...this.#byPath.values()];
  }
}

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
    const found = pathOf(isDescending ? text.slice(1) : text, groupable, (error) => void errors.addError('order', error));
    if (!found) return [];
    const { path, column } = found;
    const isNullable = path.via.length > 0 || !column.required;
    return [{ column: related.nameOf(path), kind: column.kind, isDescending, isNullable }];
  });

/** The columns of the answer in the order of the request, by their names; all columns of the table if none is named. */
const columnsOf = (query: URLSearchParams, groupable: GroupableTable, related: RelatedColumns, errors: ListErrors) => {
  const columns = new Map<string, string>();
  for (const name of listOf(query, 'columns')) {
    const found = pathOf(name, groupable, (error) => void errors.addError('columns', error));
    if (columns.has(name)) errors.add('columns', `${quoted(name)} is there already`);
    if (found) columns.set(name, related.nameOf(found.path));
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
  const requested = orderOf(query, groupable, related, errors);
  const columns = columnsOf(query, groupable, related, errors);
  const relatedColumns = related.all.length > 0 ? related.all : undefined;
  const order = orderBy(table, requested);
  const rows = { source, where, order, relatedColumns, isUnindexed: !isIndexed(table, where, requested) };
  if (prefixesOf(related.all).size > maxJoins) errors.addError('order, columns', { is: 'tooManyRelations' });
  const steps = relatedInOrder(rows).reduce((sum, { via }) => sum + via.length, 0);
  const cost = costOfCondition(where);
  addCostErrors({ ...cost, terms: cost.terms + steps * stepTerms }, 'where, order', errors);
  const position = pagePosition(query, { rows, cursors, errors, hasOffset: true });
  errors.throwIfAny();
  refuseHidden(rows, tables, validationMessage);
  refuseMissing(query, table, where);
  return { plan: { ...rows, ...position, columns: [...columns.values()], joinedRows: [] }, names: [...columns.keys()] };
};
