/** Conditions of checks, in the grammar of `where` (contract: conditions on groups). */
import type { Catalogue } from '../catalogue/index.ts';
import { OperatorError } from '../errors.ts';
import { allOf, type Condition } from '../plan/condition.ts';
import { type Fail, groupableTable } from '../plan/groups/request.ts';
import { referencesOfCondition } from '../plan/references.ts';
import { listOfNames, quotedValue } from '../plan/validation-errors.ts';
import { rowConditionsOf } from '../query/conditions.ts';
import { parseList } from '../query/grammar.ts';

export interface CheckCondition {
  readonly condition: Condition;
  /** The columns that it names; those of other tables as `table.column`. */
  readonly columns: readonly string[];
  /** The other tables that it reads. */
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
  const references = referencesOfCondition(table, condition);
  const named = references.filter(({ isTarget }) => !isTarget);
  return {
    condition,
    columns: named.map((of) => (of.table === table ? of.column : `${of.table}.${of.column}`)),
    tables: [...new Set(references.map((of) => of.table))].filter((name) => name !== table),
  };
};
