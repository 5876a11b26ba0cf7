/**
 * Orders: by the columns that have an index, the filterable ones and the key; nulls last either way (contract: GraphQL order).
 */
import type { EnumRef } from '@pothos/core';
import type { Table } from '../catalogue/table.ts';
import { type OrderTerm, orderBy } from '../read/plan.ts';
import type { InputRef, SchemaBuilder } from './builder.ts';
import { columnsByField } from './filters.ts';
import { camelCase, typeName } from './names.ts';

// biome-ignore lint/suspicious/noExplicitAny: Pothos infers an enum's values only where it is made
type Direction = EnumRef<any, any>;

export const directionEnum = (builder: SchemaBuilder): Direction =>
  builder.enumType('Direction', {
    description: 'Which end comes first; nulls are last in either direction.',
    values: { ASC: { description: 'Smallest first.' }, DESC: { description: 'Largest first.' } },
  });

/** Columns that a table can be ordered by. */
export const orderable = (table: Table): readonly string[] => [...new Set([table.key, ...table.filters])];

/** The input type of one step of an order, such as `OrderOrderBy`: one column and its direction. */
export const tableOrder = (builder: SchemaBuilder, table: Table, direction: Direction): InputRef =>
  builder.inputType(`${typeName(table.name)}OrderBy`, {
    description: `One step of an order of ${table.name}: exactly one column.`,
    isOneOf: true,
    fields: (t) =>
      Object.fromEntries(
        orderable(table).map((column) => [camelCase(column), t.field({ type: direction, description: table.columns[column]!.meaning })]),
      ),
  });

/** The order that an argument asks for, made unique. */
export const orderOf = (table: Table, argument: unknown): readonly OrderTerm[] => {
  const steps = (argument ?? []) as readonly Readonly<Record<string, string>>[];
  const columns = columnsByField(table);
  const asked = steps.flatMap((step) =>
    Object.entries(step).map(([name, direction]) => ({ column: columns.get(name)!, isDescending: direction === 'DESC' })),
  );
  return orderBy(table, asked);
};
