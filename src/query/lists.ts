/** The lists in query strings of rows and groups: names, conditions on rows, and their errors (contract: conditions on groups). */
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { allOf, type Condition } from '../plan/condition.ts';
import { type ConditionCost, costLimits } from '../plan/cost.ts';
import { maxJoins } from '../plan/groups/groups.ts';
import { type Fail, type GroupableTable, type GroupsError, groupableTable } from '../plan/groups/request.ts';
import type { Plan, PlanSource } from '../plan/plan.ts';
import { firstNames, listOfNames, ParameterErrors, validationMessage } from '../plan/validation-errors.ts';
import { rowConditionsOf } from './conditions.ts';
import { type Item, parseList } from './grammar.ts';
import { parseFilters } from './parameters.ts';
import { type RelationsOf, snakeCase } from './relation-names.ts';

/** A table of a customer, with the relations that the caller may follow. */
export interface TableWithRelations {
  readonly source: PlanSource;
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
  /** Relations to tables that the caller may read. */
  readonly relationsOf: RelationsOf;
}

/** A plan, and the names of its columns in the same order. */
export interface NamedPlan {
  readonly plan: Plan;
  readonly names: readonly string[];
}

/** The table as the lists of its query strings see it. */
export const listedTable = ({ table, tables, relationsOf }: TableWithRelations): GroupableTable =>
  groupableTable(table, tables, relationsOf, snakeCase);

/** The values of a list. A repeated parameter extends the list. */
export const listInQuery = (query: URLSearchParams, name: string): readonly string[] =>
  query.getAll(name).flatMap((text) => text.split(',').flatMap((part) => part.trim() || []));

/** The maximum number of names in all lists of a request. */
const maxNames = 500;

const namesIn = (items: readonly Item[]): number => items.reduce((sum, item) => sum + (item.is === 'joined' ? namesIn(item.of) : 1), 0);

/** Throws 422 for too many names, before any of them is looked up. Listed values have a bound of their own. */
export const refuseManyNames = (query: URLSearchParams, lists: readonly string[]): void => {
  const names = lists.flatMap((list) => query.getAll(list)).reduce((sum, text) => sum + namesIn(parseList(text)), 0);
  if (names <= maxNames) return;
  throw new ApiError('invalidParameter', validationMessage(lists.join(', '), `${names} names; the maximum is ${maxNames}`));
};

const costNames = { terms: 'comparisons, each relation counting 40', listed: 'values in lists' } as const;

/** Adds an error for each limit that the cost of the conditions exceeds. */
export const addCostErrors = (cost: ConditionCost, parameters: string, errors: ParameterErrors): void => {
  for (const limit of ['terms', 'listed'] as const)
    if (cost[limit] > costLimits[limit])
      errors.add(parameters, `${cost[limit]} ${costNames[limit]}; at most ${costLimits[limit]} are possible`);
};

/** Errors of lists. Unknown names come last, and the message lists the valid names once for all of them. */
export class ListErrors extends ParameterErrors {
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

/** The condition on rows: the filters and the conditions in `where`. Undefined if there are none. */
export const rowConditions = (query: URLSearchParams, groupable: GroupableTable, errors: ListErrors): Condition | undefined => {
  const fail: Fail = (error) => void errors.addError('where', error);
  const filters = parseFilters(query, groupable.table);
  const listed = rowConditionsOf(query.getAll('where').flatMap(parseList), groupable, fail) ?? [];
  const conditions = [...(filters ? [filters] : []), ...listed];
  return conditions.length > 0 ? allOf(conditions) : undefined;
};
