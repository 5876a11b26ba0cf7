/**
 * Filters: an input type for each kind of value and for each table, and the condition that an argument asks for
 * (contract: GraphQL filters).
 */
import type { Kind } from '../catalogue/column.ts';
import { fits64Bits, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { type Comparison, type Condition, comparisons, type Search, searches } from '../read/condition.ts';
import type { InputRef, SchemaBuilder } from './builder.ts';
import { camelCase, typeName } from './names.ts';

const meanings: Record<Comparison | Search | 'in' | 'isNull', string> = {
  eq: 'Equals; null matches nothing.',
  ne: 'Differs; a null never matches.',
  gt: 'Is greater.',
  gte: 'Is greater or equal.',
  lt: 'Is less.',
  lte: 'Is less or equal.',
  in: 'Equals one of these.',
  isNull: 'Is null (true), or is not (false).',
  contains: 'Contains this text, case respected; no wildcards.',
  startsWith: 'Starts with this text, case respected; no wildcards.',
  iContains: 'Contains this text in any case; no wildcards.',
  iStartsWith: 'Starts with this text in any case; no wildcards.',
};

const operatorsOf = (kind: Kind): readonly (Comparison | Search)[] => {
  const { isOrdered, isText } = kinds[kind];
  const compared = isOrdered ? (Object.keys(comparisons) as Comparison[]) : (['eq', 'ne'] as const);
  return isText ? [...compared, ...(Object.keys(searches) as Search[])] : compared;
};

/** The input type of conditions on values of a kind, such as `IntFilter`. */
export const kindFilter = (builder: SchemaBuilder, kind: Kind): InputRef => {
  const { scalar } = kinds[kind];
  return builder.inputType(`${scalar}Filter`, {
    description: `Conditions on a ${scalar}; all that are given must hold.`,
    fields: (t) => ({
      ...Object.fromEntries(operatorsOf(kind).map((name) => [name, t.field({ type: scalar, description: meanings[name] })])),
      in: t.field({ type: [scalar], description: meanings.in }),
      isNull: t.boolean({ description: meanings.isNull }),
    }),
  });
};

/** The input type of conditions on a table's rows, such as `OrderFilter`. */
export const tableFilter = (builder: SchemaBuilder, table: Table, byKind: Readonly<Record<Kind, InputRef>>): InputRef => {
  const filter: InputRef = builder.inputRef(`${typeName(table.name)}Filter`);
  return builder.inputType(filter, {
    description: `Conditions on ${table.name}; all that are given must hold.`,
    fields: (t) => ({
      and: t.field({ type: [filter], description: 'All of these hold.' }),
      or: t.field({ type: [filter], description: 'At least one of these holds.' }),
      not: t.field({ type: filter, description: 'This does not hold.' }),
      ...Object.fromEntries(
        Object.entries(table.columns).map(([name, { kind, meaning }]) => [
          camelCase(name),
          t.field({ type: byKind[kind], description: meaning }),
        ]),
      ),
    }),
  });
};

type Input = Readonly<Record<string, unknown>>;

const unknown: Condition = { is: 'unknown' };

/** A value as text of its kind; undefined where no column can hold it. */
const textOf = (kind: Kind, value: unknown): string | undefined => {
  const text = String(value);
  if (kind !== 'bigint') return text.includes('\0') ? undefined : text;
  const number = BigInt(text);
  return fits64Bits(number) ? String(number) : undefined;
};

/** What one operator asks of a column; a value that the column cannot hold matches nothing (contract: filters). */
export const comparison = (column: string, kind: Kind, operator: string, value: unknown): Condition => {
  if (value === null) return unknown;
  if (operator === 'isNull') return { is: 'null', column, expected: value as boolean };
  if (operator === 'in') {
    const values = (value as unknown[]).map((each) => textOf(kind, each)).filter((text) => text !== undefined);
    return { is: 'among', column, kind, values };
  }
  const text = textOf(kind, value);
  if (text === undefined) return unknown;
  if (operator in searches) return { is: 'found', column, by: operator as Search, value: text };
  return { is: 'compared', column, kind, by: operator as Comparison, value: text };
};

const allOf = (conditions: readonly Condition[]): Condition => (conditions.length === 1 ? conditions[0]! : { is: 'and', of: conditions });

const partsOf = (table: Table, filter: Input): readonly Condition[] => {
  const columns = columnsByField(table);
  return Object.entries(filter).flatMap(([name, value]): readonly Condition[] => {
    if (value === null) return [unknown];
    if (name === 'not') return [{ is: 'not', of: allOf(partsOf(table, value as Input)) }];
    if (name === 'and' || name === 'or') return [{ is: name, of: (value as Input[]).map((part) => allOf(partsOf(table, part))) }];
    const column = columns.get(name)!;
    return Object.entries(value as Input).map(([operator, operand]) => comparison(column, table.columns[column]!.kind, operator, operand));
  });
};

/** The condition that a filter argument asks for; undefined if it asks for nothing. */
export const conditionOf = (table: Table, filter: unknown): Condition | undefined => {
  if (filter === undefined || filter === null) return undefined;
  const parts = partsOf(table, filter as Input);
  return parts.length === 0 ? undefined : allOf(parts);
};

/** Required filters that a condition does not meet, in catalogue order, as the schema names them. */
export const missingFilters = (table: Table, condition: Condition | undefined): readonly string[] => {
  const met = (part: Condition | undefined, column: string): boolean => {
    if (part?.is === 'and') return part.of.some((inner) => met(inner, column));
    return (part?.is === 'compared' && part.by === 'eq' && part.column === column) || (part?.is === 'among' && part.column === column);
  };
  return table.requiredFilters.filter((column) => !met(condition, column)).map(camelCase);
};

const fieldMaps = new WeakMap<Table, ReadonlyMap<string, string>>();

/** Columns by the names that the schema gives them. */
export const columnsByField = (table: Table): ReadonlyMap<string, string> => {
  const known = fieldMaps.get(table);
  if (known) return known;
  const made = new Map(Object.keys(table.columns).map((name) => [camelCase(name), name]));
  fieldMaps.set(table, made);
  return made;
};
