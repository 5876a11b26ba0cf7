/** The fields behind the names in an answer. Which columns have a sum depends on fields, not on aliases. */
import type { SelectionSetNode } from 'graphql';
import { fieldsIn, type Operation, parseOperation } from '../operations/operation.ts';

/** The field of each name. Undefined for a name that several fields have as their alias. */
export type FieldNames = ReadonlyMap<string, string | undefined>;

export const noFieldNames: FieldNames = new Map();

/** The fields of an operation by their names in its answer. */
export const fieldNamesOf = (operation: Operation): FieldNames => {
  const names = new Map<string, string | undefined>();
  const parsed = parseOperation(operation);
  const add = (set: SelectionSetNode | undefined): void => {
    for (const { alias, name, selectionSet } of fieldsIn(parsed, set)) {
      const shown = alias?.value ?? name.value;
      names.set(shown, names.has(shown) && names.get(shown) !== name.value ? undefined : name.value);
      add(selectionSet);
    }
  };
  add(parsed.definition.selectionSet);
  return names;
};
