/** Values in conditions that the code list of their column does not have, and texts that no value of it can be (contract: unknown values). */
import type { Kind } from '../catalogue/column.ts';
import { type LookupName, lookups } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import type { Condition } from './condition.ts';
import { isAggregateColumn, type Plan } from './plan.ts';

export interface UnlistedValue {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  /** The code list that does not have the value. Undefined if no value of the column's kind can be this text. */
  readonly code: { readonly kind: Kind; readonly lookup: LookupName } | undefined;
}

type Tables = ReadonlyMap<string, Pick<Table, 'columns'>>;

type Conditional = Pick<Plan, 'source' | 'where' | 'relatedColumns'>;

/** The conditions of a plan on rows, and those of its aggregates on related rows, with their tables. */
const conditionsOf = ({ source, where, relatedColumns = [] }: Conditional): readonly (readonly [table: string, Condition])[] => [
  ...(where ? [[source.name, where] as const] : []),
  ...relatedColumns
    .filter(isAggregateColumn)
    .flatMap(({ target, aggregate }) => (aggregate.where ? [[target, aggregate.where] as const] : [])),
];

/** The values that conditions of a plan compare coded columns with and that the catalogue does not list, each once. */
export const unlistedValues = (plan: Conditional, tables: Tables): readonly UnlistedValue[] => {
  const found = new Map<string, UnlistedValue>();
  const walk = (at: string, part: Condition): void => {
    if (part.is === 'and' || part.is === 'or') for (const each of part.of) walk(at, each);
    else if (part.is === 'not') walk(at, part.of);
    else if (part.is === 'related' || part.is === 'counted') walk(part.target, part.of);
    else if (part.is === 'among') for (const value of part.values) add(at, part, value);
    else if (part.is === 'unknown' && part.impossible)
      keep({ table: at, column: part.impossible.column, value: part.impossible.text, code: undefined });
    else if (part.is === 'compared' && (part.by === 'eq' || part.by === 'ne')) add(at, part, part.value);
  };
  const keep = (each: UnlistedValue): void => void found.set(JSON.stringify([each.table, each.column, each.value]), each);
  const add = (at: string, { column, kind }: { readonly column: string; readonly kind: Kind }, value: string): void => {
    const lookup = tables.get(at)?.columns[column]?.lookup;
    if (lookup && !lookups[lookup].some(([code]) => code === value)) keep({ table: at, column, value, code: { kind, lookup } });
  };
  for (const [table, condition] of conditionsOf(plan)) walk(table, condition);
  return [...found.values()];
};

const longestValue = 80;

/** A value as `status=opne`, or `orders.status=opne` if it is of related rows. `written` writes the value, which can hold any character. */
export const unlistedText = (own: string, { table, column, value }: UnlistedValue, written: (value: string) => string): string =>
  `${table === own ? '' : `${table}.`}${column}=${written([...value].slice(0, longestValue).join(''))}`;
