/** The values of groups: aggregates and measures, as fields of a group, in the inputs that name one, and in conditions. */
import type { Column, Kind } from '../../../catalogue/column.ts';
import { kinds } from '../../../catalogue/kinds.ts';
import { type Aggregate, aggregatableColumns } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import type { InputEnum, InputFields, InputRef, Shaped } from '../builder.ts';
import { rowOf, written } from '../field-meaning.ts';
import { camelCase, typeName } from '../names.ts';
import { enumName, enumOfColumns, type GroupsSchema } from './shared.ts';

export const meanings: Record<Aggregate, string> = {
  sum: 'Sums, exact.',
  sum_once: 'The sum of a column of the rows that a relation leads to. Each of these rows counts once in each group.',
  avg: 'Averages of values that are not null, with four more digits than they have.',
  min: 'The smallest values.',
  max: 'The largest values.',
  distinct: 'How many different values there are; null is none.',
  median: 'Medians, exact: the middle value, or the mean of the two in the middle.',
  stddev: 'Standard deviations of samples, with four more digits than the values; null for fewer than two values.',
  percentile: 'The smallest values that so many percent of the values do not exceed.',
};

export const statistics = ['median', 'stddev', 'percentile'] as const;
export const valuesOf = 'The response key of a selected value: its filter and its percent apply to the values beside this.';

/** Adds the types of the values of a table's groups. */
export const addValues = (schema: GroupsSchema, groupable: GroupableTable, anyColumn: InputEnum) => {
  const { builder, filters } = schema;
  const { table } = groupable;
  const type = typeName(table.name);
  const columns = (names: readonly string[]) => names.map((name): [string, Column] => [name, table.columns[name]!]);
  const own = Object.keys(table.columns);
  const quantities = aggregatableColumns(table, 'sum');
  const ordered = aggregatableColumns(table, 'min');
  const measures = [...groupable.measures.values()];

  const valuesType = (
    name: string,
    description: string,
    names: readonly string[],
    aggregates: readonly Aggregate[],
    of: (column: Column) => string,
  ) =>
    builder.objectRef<Shaped>(`${type}${name}`).implement({
      description,
      extensions: rowOf(table),
      fields: (t) =>
        Object.fromEntries(
          columns(names).map(([column, facts]) => [
            camelCase(column),
            t.field({
              type: of(facts) as 'Float',
              nullable: !aggregates.includes('distinct'),
              description: facts.meaning,
              ...written({ is: 'aggregate', column }),
            }),
          ]),
        ),
    });
  const conditions = (name: string, description: string, names: readonly string[], of: (column: Column) => Kind): InputRef =>
    builder.inputType(`${type}${name}Having`, {
      description,
      fields: (t) =>
        Object.fromEntries(
          columns(names).map(([column, facts]) => [camelCase(column), t.field({ type: filters[of(facts)], description: facts.meaning })]),
        ),
    });

  const numbers = quantities.length > 0;
  const quantity = numbers && {
    type: valuesType('Quantities', `Sums or averages of what ${table.name} count or measure.`, quantities, ['sum', 'avg'], () => 'Float'),
    name: enumOfColumns(schema, table, { name: 'Quantity', description: `What ${table.name} count or measure.`, names: quantities }),
    having: conditions('Quantities', `Conditions on sums or averages.`, quantities, () => 'number'),
  };
  const values = valuesType(
    'Values',
    `Smallest or largest values of ${table.name}.`,
    ordered,
    ['min', 'max'],
    ({ kind }) => kinds[kind].scalar,
  );
  const counts = {
    type: valuesType('Counts', `How many different values ${table.name} have.`, own, ['distinct'], () => 'Int'),
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
              ...written({ is: 'measure', measure: name }),
            }),
          ]),
        ),
    }),
    name: builder.enumType(`${type}Measure`, {
      description: `Figures of the trade over ${table.name}.`,
      values: Object.fromEntries(measures.map(({ name, label }) => [enumName(name), { value: name, description: label.en }])),
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

/** The fields of an input that name a value of groups. */
export const valueFields = (t: InputFields, { anyColumn, quantity, measured, hasSumOnce }: ValueTypes) => ({
  count: t.boolean({ description: 'The number of rows.' }),
  ...(quantity && {
    sum: t.field({ type: quantity.name, description: meanings.sum }),
    avg: t.field({ type: quantity.name, description: meanings.avg }),
  }),
  min: t.field({ type: anyColumn, description: meanings.min }),
  max: t.field({ type: anyColumn, description: meanings.max }),
  distinct: t.field({ type: anyColumn, description: meanings.distinct }),
  ...(quantity && Object.fromEntries(statistics.map((is) => [is, t.field({ type: quantity.name, description: meanings[is] })]))),
  ...(hasSumOnce && { sumOnce: t.string({ description: 'The response key of a sum over related rows.' }) }),
  of: t.string({ description: valuesOf }),
  ...(measured && { measure: t.field({ type: measured.name, description: 'A real-estate measure.' }) }),
});
