/** Filters: the input types for each kind and each table, and the condition that a filter becomes (contract: GraphQL filters). */
import type { Column, Kind } from '../../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { fits64Bits, kinds } from '../../catalogue/kinds.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import {
  allOf,
  beyondRange,
  type Comparison,
  type Condition,
  comparisons,
  isRestricted,
  type Quantifier,
  quantifiers,
  type Search,
  searches,
  validQuantifiers,
} from '../../plan/condition.ts';
import type { InputEnum, InputRef, SchemaBuilder } from './builder.ts';
import { codeFilterName } from './codes.ts';
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

/** The input types of conditions on rows of a table: `one` for a single row, `many` for a list of rows. */
export interface RowFilters {
  readonly one: InputRef;
  readonly many: InputRef;
}

export const filterRefs = (builder: SchemaBuilder, { name }: Table): RowFilters => ({
  one: builder.inputRef(`${typeName(name)}Filter`),
  many: builder.inputRef(`${typeName(name)}ListFilter`),
});

const quantifierMeanings: Record<Quantifier, string> = {
  some: 'There is a row for which this holds.',
  none: 'There is no row for which this holds.',
  every: 'This holds for every row; so it does where there are none.',
};

/** The parts of a table's filter: the filters of kinds, and the filters of related tables. */
export interface FilterParts {
  readonly byKind: Readonly<Record<Kind, InputRef>>;
  readonly relations: readonly ResolvedRelation[];
  readonly filtersOf: (table: string) => RowFilters;
  readonly codesOf: (lookup: LookupName) => InputEnum;
}

const validMeanings: Record<keyof typeof validQuantifiers, string> = {
  someValid: 'There is a row that is valid on the day of the series, and this holds for it; only in groups with `asOf`.',
  noneValid: 'There is no row that is valid on the day of the series and for which this holds; only in groups with `asOf`.',
};

/** Makes the filters of a table, such as `OrderFilter` and `OrderListFilter`. */
export const addTableFilters = (builder: SchemaBuilder, table: Table, { byKind, relations, filtersOf, codesOf }: FilterParts): void => {
  const { one: filter, many } = filtersOf(table.name);
  builder.inputType(many, {
    description: `Conditions on the ${table.name} that a row leads to; all that are given must hold.`,
    fields: (t) => ({
      ...Object.fromEntries(quantifiers.map((name) => [name, t.field({ type: filter, description: quantifierMeanings[name] })])),
      ...(table.validity &&
        Object.fromEntries(Object.entries(validMeanings).map(([name, description]) => [name, t.field({ type: filter, description })]))),
    }),
  });
  builder.inputType(filter, {
    description: `Conditions on ${table.name}; all that are given must hold.`,
    fields: (t) => ({
      and: t.field({ type: [filter], description: 'All of these conditions are true.' }),
      or: t.field({ type: [filter], description: 'At least one of these conditions is true.' }),
      not: t.field({ type: filter, description: 'This condition is false.' }),
      ...Object.fromEntries(
        Object.entries(table.columns).map(([name, { kind, meaning }]) => [
          camelCase(name),
          t.field({ type: byKind[kind], description: meaning }),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(table.columns).flatMap(([name, { lookup }]) =>
          lookup
            ? [[codeFilterName(name), t.field({ type: [codesOf(lookup)], description: `\`${camelCase(name)}\` is one of these codes.` })]]
            : [],
        ),
      ),
      ...Object.fromEntries(
        relations.map(({ name, kind, target }) => [
          name,
          kind === 'to-one'
            ? t.field({ type: filtersOf(target).one, description: `There is such a row of ${target}, and this holds for it.` })
            : t.field({ type: filtersOf(target).many, description: `How many of its ${target} there are for which this holds.` }),
        ]),
      ),
    }),
  });
};

type Input = Readonly<Record<string, unknown>>;

const unknown: Condition = { is: 'unknown' };

/** The text of a value. Undefined if no column of the kind can hold the value. */
export const textOf = (kind: Kind, value: unknown): string | undefined => {
  const text = String(value);
  if (kind !== 'bigint') return text.includes('\0') ? undefined : text;
  const number = BigInt(text);
  return fits64Bits(number) ? String(number) : undefined;
};

/** The condition of one operator on a column. No row equals a value that the column cannot hold (contract: filters). */
export const comparison = (column: string, kind: Kind, operator: string, value: unknown): Condition => {
  if (value === null) return unknown;
  if (operator === 'isNull') return { is: 'null', column, expected: value as boolean };
  if (operator === 'in') {
    const values = (value as unknown[]).map((each) => textOf(kind, each)).filter((text) => text !== undefined);
    return { is: 'among', column, kind, values };
  }
  const text = textOf(kind, value);
  if (text === undefined) return beyondRange(column, kind, operator as Comparison, String(value)) ?? unknown;
  if (operator in searches) return { is: 'found', column, by: operator as Search, value: text };
  return { is: 'compared', column, kind, by: operator as Comparison, value: text };
};

/** The conditions of a filter on related rows. */
const related = (catalogue: Catalogue, relation: ResolvedRelation, filter: Input): readonly Condition[] => {
  const { kind, column, target, targetColumn } = relation;
  const table = catalogue.tables.get(target)!;
  const quantified = kind === 'to-one' ? { some: filter } : filter;
  return Object.entries(quantified).map(([name, inner]): Condition => {
    if (inner === null) return unknown;
    const parts = partsOf(catalogue, table, inner as Input);
    const isValid = name in validQuantifiers;
    const by = isValid ? validQuantifiers[name as keyof typeof validQuantifiers] : (name as Quantifier);
    const [from = '', to = ''] = table.validity ?? [];
    const of = allOf(isValid ? [{ is: 'validOnDay', from, to }, ...parts] : parts);
    return { is: 'related', by, column, target, targetColumn, of };
  });
};

const partsOf = (catalogue: Catalogue, table: Table, filter: Input): readonly Condition[] => {
  const columns = columnsByField(table);
  return Object.entries(filter).flatMap(([name, value]): readonly Condition[] => {
    if (value === null) return [unknown];
    if (name === 'not') return [{ is: 'not', of: allOf(partsOf(catalogue, table, value as Input)) }];
    if (name === 'and' || name === 'or')
      return [{ is: name, of: (value as Input[]).map((part) => allOf(partsOf(catalogue, table, part))) }];
    const coded = codedByField(table).get(name);
    if (coded !== undefined) return [comparison(coded, table.columns[coded]!.kind, 'in', value)];
    const column = columns.get(name);
    if (column === undefined) return related(catalogue, relationOf(catalogue, table, name), value as Input);
    return Object.entries(value as Input).map(([operator, operand]) => comparison(column, table.columns[column]!.kind, operator, operand));
  });
};

/** The condition of a filter argument. Undefined if the filter is empty. */
export const conditionOf = (catalogue: Catalogue, table: Table, filter: unknown): Condition | undefined => {
  if (filter === undefined || filter === null) return undefined;
  const parts = partsOf(catalogue, table, filter as Input);
  return parts.length === 0 ? undefined : allOf(parts);
};

/** Required filters that a condition lacks: in catalogue order, with their names in the schema. */
export const missingFilters = (table: Table, condition: Condition | undefined): readonly string[] =>
  table.requiredFilters.filter((column) => !isRestricted(condition, column)).map(camelCase);

/** The relation of a table by name. The schema has already refused unknown names. */
export const relationOf = (catalogue: Catalogue, table: Table, name: string): ResolvedRelation =>
  catalogue.relations.get(table.name)!.find((relation) => relation.name === name)!;

/** Columns by the field names that `nameOf` gives them. Columns without such a name are left out. */
const columnsBy = (nameOf: (name: string, column: Column) => string | undefined) => {
  const known = new WeakMap<Table, ReadonlyMap<string, string>>();
  return (table: Table): ReadonlyMap<string, string> => {
    const found = known.get(table);
    if (found) return found;
    const names = Object.entries(table.columns).flatMap(([name, column]) => {
      const field = nameOf(name, column);
      return field === undefined ? [] : [[field, name] as const];
    });
    const made = new Map(names);
    known.set(table, made);
    return made;
  };
};

export const columnsByField = columnsBy((name) => camelCase(name));
const codedByField = columnsBy((name, { lookup }) => (lookup ? codeFilterName(name) : undefined));
