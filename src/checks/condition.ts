/** Conditions of checks, in the grammar of `where` (contract: conditions on groups). */
import type { Catalogue } from '../catalogue/index.ts';
import { OperatorError } from '../errors.ts';
import { allOf, type Condition, columnsOf } from '../plan/condition.ts';
import { type Fail, groupableTable } from '../plan/groups/request.ts';
import { listOfNames, quotedValue } from '../plan/validation-errors.ts';
import { rowConditionsOf } from '../query/conditions.ts';
import { parseList } from '../query/grammar.ts';

/** The tables of a condition's related rows. */
const tablesOfCondition = (condition: Condition): readonly string[] => {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.of.flatMap(tablesOfCondition);
    case 'not':
      return tablesOfCondition(condition.of);
    case 'related':
    case 'counted':
      return [condition.target, ...tablesOfCondition(condition.of)];
    case 'applied':
      return condition.of.flatMap(({ via }) => via.map(({ target }) => target));
    default:
      return [];
  }
};

/** The columns that a condition reads; those of related rows as `table.column`. */
const columnsIn = (condition: Condition, table?: string): readonly string[] => {
  const named = (column: string, of = table) => (of === undefined ? column : `${of}.${column}`);
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.of.flatMap((part) => columnsIn(part, table));
    case 'not':
      return columnsIn(condition.of, table);
    case 'related':
    case 'counted':
      return [named(condition.column), ...columnsIn(condition.of, condition.target)];
    case 'applied':
      return condition.of.flatMap(({ via, column }) => [
        ...via.map((step, index) => named(step.column, via[index - 1]?.target)),
        named(column, via.at(-1)?.target),
      ]);
    default:
      return columnsOf(condition).map((column) => named(column));
  }
};

export interface CheckCondition {
  readonly condition: Condition;
  /** The columns that it reads; those of related rows as `table.column`. */
  readonly columns: readonly string[];
  /** The other tables. */
  readonly tables: readonly string[];
}

/** Reads the condition of a check. Throws an `OperatorError` that begins with `place`. */
export const parseCheckCondition = (catalogue: Catalogue, table: string, text: string, place: string): CheckCondition => {
  const found = catalogue.tables.get(table);
  if (!found) throw new OperatorError(`${place}: there is no category table ${quotedValue(table)}`);
  const groupable = groupableTable(found, catalogue.tables, (name) => catalogue.relations.get(name) ?? []);
  const fail: Fail = (error) => {
    if (error.is === 'unknown')
      throw new OperatorError(`${place}: ${quotedValue(error.name)} unknown; there is: ${listOfNames(error.names())}`);
    throw new OperatorError(`${place}: ${error.is === 'invalid' ? error.reason : 'too many relations'}`);
  };
  const conditions = rowConditionsOf(parseList(text), groupable, fail) ?? [];
  if (conditions.length === 0) throw new OperatorError(`${place}: where is empty`);
  const condition = allOf(conditions);
  return { condition, columns: columnsIn(condition), tables: [...new Set(tablesOfCondition(condition))] };
};
