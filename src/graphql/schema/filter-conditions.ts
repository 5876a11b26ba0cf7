/** The condition that a filter becomes (contract: GraphQL filters). */
import type { Column, Kind } from '../../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { fits64Bits } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import { allOf, beyondRange, type Condition, isRestricted, onValue, type RowValue, valueColumn } from '../../plan/condition.ts';
import { maxJoins } from '../../plan/groups/groups.ts';
import { type Fail, groupableTable, type RequestedColumn } from '../../plan/groups/request.ts';
import { resolveFunction } from '../../plan/groups/resolving.ts';
import { relationStep } from '../../plan/paths.ts';
import { isComparison, isSearch, type Operator, type QuantifierName, quantifiers, relatedCount } from '../../plan/vocabulary/operators.ts';
import { isRowFunction, type RowFunction, rowFunctions } from '../../plan/vocabulary/values.ts';
import { codeFilterName } from './codes.ts';
import { camelCase } from './names.ts';

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

/** The column that an input names, and the relations that lead to it. Throws `invalidParameter` unless it is exactly one; `place` has the input. */
export const namedColumn = (place: string, input: Input, via: readonly string[] = []): RequestedColumn => {
  const [only, ...others] = Object.entries(input).filter(([, value]) => (value ?? undefined) !== undefined);
  if (!only || others.length > 0) throw new ApiError('invalidParameter', `${place} names exactly one column`);
  const [name, value] = only;
  if (name === 'column') return { of: value as string, via };
  if (name === 'band' || name === 'asOf') throw new ApiError('invalidParameter', `${place} names a column`);
  return namedColumn(place, value as Input, [...via, name]);
};

/** The conditions of the operators on a value that is computed for each row. */
const onRowValue = (value: RowValue, kind: Kind, operators: unknown): Condition =>
  allOf(Object.entries(operators as Input).map(([operator, operand]) => onValue(value, comparison(valueColumn, kind, operator, operand))));

const applied = (catalogue: Catalogue, table: Table, call: RowFunction, { is, ...operands }: Input): Condition => {
  const fail: Fail = (error) => {
    const tooMany = `at most ${maxJoins} relations can be followed`;
    const reason = error.is === 'invalid' ? error.reason : error.is === 'unknown' ? `${call} does not apply to ${error.name}` : tooMany;
    throw new ApiError('invalidParameter', `filter: ${reason}`);
  };
  const groupable = groupableTable(table, catalogue.tables, (name) => catalogue.relations.get(name) ?? []);
  const of = Object.keys(rowFunctions[call].operands).map((name) => namedColumn(`filter: ${call}`, operands[name] as Input));
  const found = resolveFunction(groupable, { call, of }, undefined, fail)!;
  return onRowValue({ is: 'applied', call, of: found.of }, found.kind, is);
};

/** The conditions of a filter on related rows. */
const related = (catalogue: Catalogue, relation: ResolvedRelation, filter: Input): readonly Condition[] => {
  const { kind, column, target, targetColumn } = relation;
  const table = catalogue.tables.get(target)!;
  const quantified = kind === 'to-one' ? { some: filter } : filter;
  return Object.entries(quantified).map(([name, inner]): Condition => {
    if (inner === null) return unknown;
    if (name === relatedCount.call && kind === 'to-many') {
      const { filter: counted, is } = inner as Input;
      const of = filterConditionOf(catalogue, table, counted) ?? allOf([]);
      return onRowValue({ is: 'counted', ...relationStep(relation), of }, relatedCount.kind, is);
    }
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
    if (column === undefined && isRowFunction(name)) return [applied(catalogue, table, name, value as Input)];
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
