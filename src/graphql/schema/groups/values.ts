/** The values of groups: aggregates and measures, as fields of a group, in the inputs that name one, and in conditions. */
import type { Column, Kind } from '../../../catalogue/column.ts';
import { kinds } from '../../../catalogue/kinds.ts';
import { aggregatableColumns } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import { type Aggregate, aggregateNames, aggregates, rowFunctionNames, rowFunctions } from '../../../plan/vocabulary/values.ts';
import type { FieldMeaning, InputEnum, InputFields, InputRef, Shaped } from '../builder.ts';
import { rowOf, writtenField } from '../builder.ts';
import { camelCase, rowTypeName } from '../names.ts';
import { enumOfColumns, type GroupsSchema, groupEnumName } from './shared.ts';

/** The aggregates of a kind of columns. */
export const aggregatesOver = (over: (typeof aggregates)[Aggregate]['over']): readonly Aggregate[] =>
  aggregateNames.filter((name) => aggregates[name].over === over);

/** The meaning of an aggregate, by its name. */
export const meaningOf = (name: Aggregate): string => aggregates[name].meaning;

export const meaningOfValuesOf =
  'The response key of a selected value: its filter and its percent apply to the values beside this. With `value`, all response keys that lead to a number: `median.days`.';

/** Adds the types of the values of a table's groups. */
export const addValues = (schema: GroupsSchema, groupable: GroupableTable, anyColumn: InputEnum) => {
  const { builder, filters } = schema;
  const { table } = groupable;
  const type = rowTypeName(table.name);
  const columns = (names: readonly string[]) => names.map((name): [string, Column] => [name, table.columns[name]!]);
  const own = Object.keys(table.columns);
  const quantities = aggregatableColumns(table, 'sum');
  const ordered = aggregatableColumns(table, 'min');
  const measures = [...groupable.measures.values()];

  const { input, ...announced } = schema.types.get(table.name)!;
  /** Aggregates of columns, of columns of related rows, and of row functions. */
  const valuesType = (
    over: 'quantities' | 'ordered' | 'all',
    description: string,
    names: readonly string[],
    of: (kind: Kind) => string,
  ) => {
    builder.objectType(announced[over], {
      description,
      extensions: rowOf(table),
      fields: (t) => {
        const field = (
          kind: Kind,
          options: { readonly description: string; readonly args?: Record<string, ReturnType<typeof t.arg>> },
          meaning: FieldMeaning,
        ) => t.field({ type: of(kind) as 'Float', nullable: over !== 'all', ...options, ...writtenField(meaning) });
        return {
          ...Object.fromEntries(
            columns(names).map(([column, { kind, meaning }]) => [
              camelCase(column),
              field(kind, { description: meaning }, { is: 'aggregate', column }),
            ]),
          ),
          ...Object.fromEntries(
            groupable.toOneOf(table).map((relation) => [
              relation.name,
              t.field({
                type: schema.types.get(relation.target)![over],
                nullable: false,
                description: `Of the row of ${relation.target} that each row leads to.${over === 'quantities' ? ' Instead of `sum`, use `sumOnce`.' : ''}`,
                ...writtenField({ is: 'relation', relation }),
              }),
            ]),
          ),
          ...Object.fromEntries(
            rowFunctionNames.map((call) => {
              const { operands, kind, meaning } = rowFunctions[call];
              const args = Object.entries(operands).map(([name, text]) => [
                name,
                t.arg({ type: input, required: true, description: text }),
              ]);
              return [call, field(kind, { description: meaning, args: Object.fromEntries(args) }, { is: 'applied', call })];
            }),
          ),
        };
      },
    });
    return announced[over];
  };
  const conditions = (name: string, description: string, names: readonly string[], of: (column: Column) => Kind): InputRef =>
    builder.inputType(`${type}${name}Having`, {
      description,
      fields: (t) =>
        Object.fromEntries(
          columns(names).map(([column, facts]) => [camelCase(column), t.field({ type: filters[of(facts)], description: facts.meaning })]),
        ),
    });

  const numbers = quantities.length > 0;
  const quantity = {
    type: valuesType('quantities', `Sums or averages of what ${table.name} count or measure.`, quantities, () => 'Float'),
    name:
      numbers && enumOfColumns(schema, table, { name: 'Quantity', description: `What ${table.name} count or measure.`, names: quantities }),
    having: numbers && conditions('Quantities', `Conditions on sums or averages.`, quantities, () => 'number'),
  };
  const values = valuesType('ordered', `Smallest or largest values of ${table.name}.`, ordered, (kind) => kinds[kind].scalar);
  const counts = {
    type: valuesType('all', `How many different values ${table.name} have.`, own, () => 'Int'),
    having: conditions('Counts', 'Conditions on numbers of different values.', own, () => 'integer'),
  };
  const measured = measures.length > 0 && {
    type: builder.objectRef<Shaped>(`${type}Measures`).implement({
      description: `Figures of the trade over ${table.name}, computed from sums over the rows of each group.`,
      extensions: rowOf(table),
      fields: (t) =>
        Object.fromEntries(
          measures.map(({ name, label, definition, unit }) => [
            camelCase(name),
            t.float({
              nullable: true,
              description: `${label.en} (${label.de}), ${unit}. ${definition}`,
              ...writtenField({ is: 'measure', measure: name }),
            }),
          ]),
        ),
    }),
    name: builder.enumType(`${type}Measure`, {
      description: `Figures of the trade over ${table.name}.`,
      values: Object.fromEntries(measures.map(({ name, label }) => [groupEnumName(name), { value: name, description: label.en }])),
    }),
    having: builder.inputType(`${type}MeasuresHaving`, {
      description: 'Conditions on measures.',
      fields: (t) =>
        Object.fromEntries(measures.map(({ name, label }) => [camelCase(name), t.field({ type: filters.number, description: label.en })])),
    }),
  };

  return { anyColumn, quantity, values, counts, measured, hasSumOnce: groupable.toOneOf(table).length > 0 };
};

export type ValueTypes = ReturnType<typeof addValues>;

/** A field for each aggregate of a kind of columns. */
export const groupFieldsOf = <Field>(over: Parameters<typeof aggregatesOver>[0], field: (description: string, name: Aggregate) => Field) =>
  Object.fromEntries(aggregatesOver(over).map((name) => [name, field(aggregates[name].meaning, name)]));

/** The fields of an input that name a value of groups. */
export const valueFields = (t: InputFields, { anyColumn, quantity, measured, hasSumOnce }: ValueTypes) => ({
  count: t.boolean({ description: 'The number of rows.' }),
  ...(quantity.name && groupFieldsOf('quantities', (description) => t.field({ type: quantity.name as InputEnum, description }))),
  ...groupFieldsOf('ordered', (description) => t.field({ type: anyColumn, description })),
  ...groupFieldsOf('all', (description) => t.field({ type: anyColumn, description })),
  ...(hasSumOnce && { sumOnce: t.string({ description: 'The response key of a sum over related rows.' }) }),
  value: t.string({ description: 'The response keys that lead to a selected value, joined by dots: `median.days`.' }),
  of: t.string({ description: meaningOfValuesOf }),
  ...(measured && { measure: t.field({ type: measured.name, description: 'A real-estate measure.' }) }),
});
