/** Values and equality filters of a REST request, and notes on what REST cannot express. */
import type { RestTable } from '../../rest-facts.ts';
import { Figure, isObject, type Json } from '../response/exact.ts';

export interface RestRequest {
  /** The response key of the root field. */
  readonly field: string;
  /** Path and query; undefined if REST has no such request. */
  readonly path: string | undefined;
  /** The differences, one sentence each. */
  readonly notes: readonly string[];
}

export type Translated = Omit<RestRequest, 'field'>;

/** A single value as a parameter; undefined for null, for a missing value, and for lists and objects. */
export const parameterOf = (value: Json | undefined): string | undefined => {
  if (value instanceof Figure) return value.text;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
};

/** A value in GraphQL syntax. */
const literal = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value) : (parameterOf(value) ?? 'null');
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${entries.join(', ')} }`;
};

interface Comparison {
  readonly field: string;
  readonly operator: string;
  readonly value: Json;
}

/** The conditions at the top level of a filter, including those in `and`. */
const comparisonsOf = (filter: Json | undefined): readonly Comparison[] =>
  Object.entries(isObject(filter) ? filter : {}).flatMap(([field, value]): readonly Comparison[] => {
    if (field === 'and') return (Array.isArray(value) ? value : [value]).flatMap(comparisonsOf);
    if (field === 'or' || field === 'not' || !isObject(value)) return [{ field, operator: '', value }];
    return Object.entries(value).map(([operator, operand]) => ({ field, operator, value: operand }));
  });

const written = ({ field, operator, value }: Comparison): string =>
  `${field}: ${operator ? `{ ${operator}: ${literal(value)} }` : literal(value)}`;

/** Filters of REST by column, and the remaining comparisons: as text, and as a filter. */
export const filtersOf = (table: RestTable, filter: Json | undefined) => {
  const filters = new Map<string, string>();
  const left: string[] = [];
  const others: Json[] = [];
  for (const comparison of comparisonsOf(filter)) {
    const column = table.columns[comparison.field] ?? '';
    const value = comparison.operator === 'eq' ? parameterOf(comparison.value) : undefined;
    if (value !== undefined && table.filters.includes(column) && !filters.has(column)) filters.set(column, value);
    else {
      left.push(written(comparison));
      const { field, operator, value: operand } = comparison;
      others.push({ [field]: operator ? { [operator]: operand } : operand });
    }
  }
  return { filters, left, rest: { and: others } };
};

export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export const filterNotes = (table: RestTable, filters: ReadonlyMap<string, string>, left: readonly string[]): readonly string[] => {
  return [
    ...(left.length > 0
      ? [`REST does not filter by ${quoted(left)}: choose among the rows. It filters by equality alone, of ${quoted(table.filters)}.`]
      : []),
    ...requiredNotes(table, filters),
  ];
};

const requiredNotes = (table: RestTable, filters: ReadonlyMap<string, string>): readonly string[] => {
  const missing = table.requiredFilters.filter((column) => !filters.has(column));
  return missing.length > 0 ? [`REST asks for ${quoted(missing)} here: one request for each value.`] : [];
};
