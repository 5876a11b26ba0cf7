/** Values in conditions that the code list of their column does not have (contract: unknown values). */
import type { Kind } from '../catalogue/column.ts';
import { type LookupName, lookups } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import type { Condition } from './condition.ts';

export interface UnlistedValue {
  readonly table: string;
  readonly column: string;
  readonly kind: Kind;
  readonly lookup: LookupName;
  readonly value: string;
}

type Tables = ReadonlyMap<string, Pick<Table, 'columns'>>;

/** The values that conditions on rows of `table` compare coded columns with and that the catalogue does not list, each once. */
export const unlistedValues = (table: string, condition: Condition | undefined, tables: Tables): readonly UnlistedValue[] => {
  const found = new Map<string, UnlistedValue>();
  const walk = (at: string, part: Condition): void => {
    if (part.is === 'and' || part.is === 'or') for (const each of part.of) walk(at, each);
    else if (part.is === 'not') walk(at, part.of);
    else if (part.is === 'related') walk(part.target, part.of);
    else if (part.is === 'among') for (const value of part.values) add(at, part, value);
    else if (part.is === 'compared' && (part.by === 'eq' || part.by === 'ne')) add(at, part, part.value);
  };
  const add = (at: string, { column, kind }: Pick<UnlistedValue, 'column' | 'kind'>, value: string): void => {
    const lookup = tables.get(at)?.columns[column]?.lookup;
    if (lookup && !lookups[lookup].some(([code]) => code === value))
      found.set(JSON.stringify([at, column, value]), { table: at, column, kind, lookup, value });
  };
  if (condition) walk(table, condition);
  return [...found.values()];
};
