/** The input types of filters, for each kind and each table (contract: GraphQL filters). */
import type { Kind } from '../../catalogue/column.ts';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import { operators, operatorsOn, quantifierNames, quantifiers, relatedCount } from '../../plan/vocabulary/operators.ts';
import { type RowFunction, rowFunctionNames, rowFunctions } from '../../plan/vocabulary/values.ts';
import type { InputEnum, InputRef, SchemaBuilder } from './builder.ts';
import { codeFilterName } from './codes.ts';
import { camelCase, rowTypeName, upperFirst } from './names.ts';

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
  /** The input that names a column of a row of the table, or of a related row. */
  readonly operand: InputRef;
}

/** Makes the filters of a table, such as `OrderFilter` and `OrderListFilter`. */
export const addTableFilters = (
  builder: SchemaBuilder,
  table: Table,
  { byKind, relations, filtersOf, codesOf, operand }: FilterParts,
): void => {
  const { one: filter, many } = filtersOf(table.name);
  const count = builder.inputType(`${rowTypeName(table.name)}CountFilter`, {
    description: `A condition on the number of ${table.name} that a row leads to.`,
    fields: (t) => ({
      filter: t.field({ type: filter, description: 'Which of them count. The default is all.' }),
      is: t.field({ type: byKind[relatedCount.kind], required: true, description: 'The condition on their number.' }),
    }),
  });
  const functionFilter = (call: RowFunction) =>
    builder.inputType(`${rowTypeName(table.name)}${upperFirst(call)}Filter`, {
      description: `A condition on a value that is computed in each row. ${rowFunctions[call].meaning}`,
      fields: (t) => ({
        ...Object.fromEntries(
          Object.entries(rowFunctions[call].operands).map(([name, description]) => [
            name,
            t.field({ type: operand, required: true, description }),
          ]),
        ),
        is: t.field({ type: byKind[rowFunctions[call].kind], required: true, description: 'The condition on the value.' }),
      }),
    });
  builder.inputType(many, {
    description: `Conditions on the ${table.name} that a row leads to; all that are given must hold.`,
    fields: (t) => ({
      ...Object.fromEntries(
        quantifierNames
          .filter((name) => table.validity || !quantifiers[name].isValidOnDay)
          .map((name) => [name, t.field({ type: filter, description: quantifiers[name].meaning })]),
      ),
      [relatedCount.call]: t.field({ type: count, description: relatedCount.meaning }),
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
        rowFunctionNames.map((call) => [call, t.field({ type: functionFilter(call), description: rowFunctions[call].meaning })]),
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
