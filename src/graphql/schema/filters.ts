/** Filters: the input types for each kind and each table, and the condition that a filter becomes (contract: GraphQL filters). */
import type { Column, Kind } from '../../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { fits64Bits, kinds } from '../../catalogue/kinds.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import { allOf, beyondRange, type Condition, isRestricted } from '../../plan/condition.ts';
import {
  isComparison,
  isSearch,
  type Operator,
  operators,
  operatorsOn,
  type QuantifierName,
  quantifierNames,
  quantifiers,
} from '../../plan/vocabulary/operators.ts';
import type { InputEnum, InputRef, SchemaBuilder } from './builder.ts';
import { codeFilterName } from './codes.ts';
import { camelCase, rowTypeName } from './names.ts';

/** The input type of conditions on values of a kind, such as `IntFilter`. */
export const kindFilter = (builder: SchemaBuilder, kind: Kind): InputRef => {
  const { scalar } = kinds[kind];
  return builder.inputType(`${scalar}Filter`, {
    description: `Conditions on a ${scalar}; all that are given must hold.`,
    fields: (t) =>
      Object.fromEntries(
        operatorsOn(kind).map((name) => {
          const { takes, meaning: description } = operators[name];
          const type = takes === 'nothing' ? 'Boolean' : scalar;
          return [name, takes === 'values' ? t.field({ type: [type], description }) : t.field({ type, description })];
        }),
      ),
  });
};

/** The input types of conditions on rows of a table: `one` for a single row, `many` for a list of rows. */
export interface RowFilters {
  readonly one: InputRef;
  readonly many: InputRef;
}

export const filterRefs = (builder: SchemaBuilder, { name }: Table): RowFilters => ({
  one: builder.inputRef(`${rowTypeName(name)}Filter`),
  many: builder.inputRef(`${rowTypeName(name)}ListFilter`),
});

/** The parts of a table's filter: the filters of kinds, and the filters of related tables. */
export interface FilterParts {
  readonly byKind: Readonly<Record<Kind, InputRef>>;
  readonly relations: readonly ResolvedRelation[];
  readonly filtersOf: (table: string) => RowFilters;
  readonly codesOf: (lookup: LookupName) => InputEnum;
}

/** Makes the filters of a table, such as `OrderFilter` and `OrderListFilter`. */
export const addTableFilters = (builder: SchemaBuilder, table: Table, { byKind, relations, filtersOf, codesOf }: FilterParts): void => {
  const { one: filter, many } = filtersOf(table.name);
  builder.inputType(many, {
    description: `Conditions on the ${table.name} that a row leads to; all that are given must hold.`,
    fields: (t) =>
      Object.fromEntries(
        quantifierNames
          .filter((name) => table.validity || !quantifiers[name].isValidOnDay)
          .map((name) => [name, t.field({ type: filter, description: quantifiers[name].meaning })]),
      ),
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
export const filterTextOf = (kind: Kind, value: unknown): string | undefined => {
  const text = String(value);
  if (kind !== 'bigint') return text.includes('\0') ? undefined : text;
  const number = BigInt(text);
  return fits64Bits(number) ? String(number) : undefined;
};

/** The condition of one operator on a column. No row equals a value that the column cannot hold (contract: filters). */
export const comparison = (column: string, kind: Kind, operator: string, value: unknown): Condition => {
  if (value === null) return unknown;
  const by = operator as Operator;
  if (by === 'isNull') return { is: 'null', column, expected: value as boolean };
  if (by === 'in') {
    const values = (value as unknown[]).map((each) => filterTextOf(kind, each)).filter((text) => text !== undefined);
    return { is: 'among', column, kind, values };
  }
  const text = filterTextOf(kind, value);
  if (isSearch(by)) return text === undefined ? unknown : { is: 'found', column, by, value: text };
  if (!isComparison(by)) throw new Error(`No condition for the operator ${by}`);
  return text === undefined ? (beyondRange(column, kind, by, String(value)) ?? unknown) : { is: 'compared', column, kind, by, value: text };
};

/** The conditions of a filter on related rows. */
const related = (catalogue: Catalogue, relation: ResolvedRelation, filter: Input): readonly Condition[] => {
  const { kind, column, target, targetColumn } = relation;
  const table = catalogue.tables.get(target)!;
  const quantified = kind === 'to-one' ? { some: filter } : filter;
  return Object.entries(quantified).map(([name, inner]): Condition => {
    if (inner === null) return unknown;
    const parts = partsOf(catalogue, table, inner as Input);
    const { by, isValidOnDay } = quantifiers[name as QuantifierName];
    const [from = '', to = ''] = table.validity ?? [];
    const of = allOf(isValidOnDay ? [{ is: 'validOnDay', from, to }, ...parts] : parts);
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
    if (column === undefined) return related(catalogue, filterRelationOf(catalogue, table, name), value as Input);
    return Object.entries(value as Input).map(([operator, operand]) => comparison(column, table.columns[column]!.kind, operator, operand));
  });
};

/** The condition of a filter argument. Undefined if the filter is empty. */
export const filterConditionOf = (catalogue: Catalogue, table: Table, filter: unknown): Condition | undefined => {
  if (filter === undefined || filter === null) return undefined;
  const parts = partsOf(catalogue, table, filter as Input);
  return parts.length === 0 ? undefined : allOf(parts);
};

/** Required filters that a condition lacks: in catalogue order, with their names in the schema. */
export const missingFilters = (table: Table, condition: Condition | undefined): readonly string[] =>
  table.requiredFilters.filter((column) => !isRestricted(condition, column)).map(camelCase);

/** The relation of a table by name. The schema has already refused unknown names. */
export const filterRelationOf = (catalogue: Catalogue, table: Table, name: string): ResolvedRelation =>
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
