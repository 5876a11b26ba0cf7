/**
 * Groups in the schema: one field for each list of rows, and the types of its keys, values, orders and conditions. All of them come from
 * the catalogue (contract: groups in GraphQL).
 */
import type { EnumRef } from '@pothos/core';
import type { Column, Kind } from '../../catalogue/column.ts';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { buckets } from '../../plan/groups/buckets.ts';
import { type Computation, periodBounds } from '../../plan/groups/computed.ts';
import { type Aggregate, aggregatableColumns, groupBounds, hasBuckets, percentBounds } from '../../plan/groups/groups.ts';
import type { GroupableTable } from '../../plan/groups/request.ts';
import { seriesPeriods } from '../../plan/groups/series.ts';
import { byWriter, type InputFields, type InputRef, type ObjectRef, type SchemaBuilder, type Shaped } from './builder.ts';
import { type FieldMeaning, groupsOf, rowOf, written } from './field-meaning.ts';
import { camelCase, labelName, typeName, upperFirst } from './names.ts';

// biome-ignore lint/suspicious/noExplicitAny: Pothos infers an enum's values only where it is made
type Enum = EnumRef<any, any>;

/** The bounds of `first` for groups. */
export const firstGroups = { standard: 100, ...groupBounds } as const;

/** Types that all tables share. */
export interface GroupsSchema {
  readonly builder: SchemaBuilder;
  readonly bucket: Enum;
  readonly asOf: InputRef;
  readonly direction: Enum;
  readonly pageInfo: ObjectRef;
  readonly filters: Readonly<Record<Kind, InputRef>>;
  /** The key types of each visible table. */
  readonly keys: Map<string, { readonly key: ObjectRef; readonly input: InputRef }>;
}

export interface GroupsTypes {
  readonly groups: ObjectRef;
  readonly having: InputRef;
  readonly orderBy: InputRef;
  readonly topPer: InputRef;
  readonly key: InputRef;
  /** Absent if the rows have no validity. */
  readonly asOf: InputRef | undefined;
}

export const createGroups = (builder: SchemaBuilder, shared: Pick<GroupsSchema, 'direction' | 'pageInfo' | 'filters'>): GroupsSchema => ({
  builder,
  ...shared,
  keys: new Map(),
  asOf: builder.inputType('AsOf', {
    description: 'The last days of periods. A row belongs to the group of each day on which it is valid.',
    fields: (t) => ({
      every: t.field({
        type: builder.enumType('SeriesPeriod', {
          description: 'Periods whose last days are the days of a series.',
          values: Object.fromEntries(seriesPeriods.map((value) => [value.toUpperCase(), { value, description: `By ${value}.` }])),
        }),
        required: true,
        description: 'The period.',
      }),
      from: t.field({ type: 'Date', required: true, description: 'A day in the first period.' }),
      to: t.field({ type: 'Date', required: true, description: 'A day in the last period.' }),
    }),
  }),
  bucket: builder.enumType('Bucket', {
    description: 'Periods, named by their start. Timestamps use UTC.',
    values: Object.fromEntries(
      buckets.map((value) => [value.toUpperCase(), { value, description: value === 'week' ? 'Weeks from Monday on.' : `By ${value}.` }]),
    ),
  }),
});

const enumName = (column: string): string => column.toUpperCase();
const meanings: Record<Aggregate, string> = {
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

const computationMeanings: Record<Computation, string> = {
  ratio: 'A value divided by another one, with six decimal places; null if the divisor is 0.',
  difference: 'A value minus another one.',
  share: 'A value in percent of its sum over all groups, or over those with the same keys, with four decimal places.',
  previous: 'The value of the group one period earlier, or some periods, with the same other keys; null without such a group.',
  change: 'A value minus that of the group one period earlier, or some periods, with the same other keys.',
  rank: 'The rank by a value, 1 for the largest, among all groups or those with the same keys; equal values have the same rank.',
  running_total: 'The sum of a value over this group and all before it in the order, among all groups or those with the same keys.',
};

const statistics = ['median', 'stddev', 'percentile'] as const;
const valuesOf = 'The response key of a selected value: its filter and its percent apply to the values beside this.';

/** Adds the types of a table's groups. `filter` is the filter of its rows. `announceKeys` must have run for the target of each relation. */
export const addGroups = (
  schema: GroupsSchema,
  { groupable, filter }: { readonly groupable: GroupableTable; readonly filter: InputRef },
): GroupsTypes => {
  const { builder, filters } = schema;
  const { table } = groupable;
  const type = typeName(table.name);
  const toOne = groupable.toOneOf(table);
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
  const enumOf = (name: string, description: string, names: readonly string[]): Enum =>
    builder.enumType(`${type}${name}`, {
      description,
      values: Object.fromEntries(
        columns(names).map(([column, facts]) => [enumName(column), { value: column, description: facts.meaning }]),
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

  const { key, input } = schema.keys.get(table.name)!;
  const anyColumn = enumOf('Column', `Columns of ${table.name}.`, own);
  addKey(schema, table, toOne, anyColumn);
  builder.inputType(input, {
    description: `One key of groups of ${table.name}: a column, or one of the row that a relation leads to.`,
    fields: (t) => ({
      column: t.field({ type: anyColumn, description: 'The column.' }),
      bucket: t.field({
        type: schema.bucket,
        description: 'The bucket of the column. If absent, the plain column if it is selected, otherwise its only bucket.',
      }),
      band: t.string({ description: 'The response key of selected bands, instead of a column.' }),
      ...(table.validity && { asOf: t.boolean({ description: 'The day of the series, instead of a column.' }) }),
      ...Object.fromEntries(
        toOne.map(({ name, target }) => [name, t.field({ type: schema.keys.get(target)!.input, description: `A key of ${target}.` })]),
      ),
    }),
  });

  const numbers = quantities.length > 0;
  const hasSumOnce = toOne.length > 0;
  const quantity = numbers && {
    type: valuesType('Quantities', `Sums or averages of what ${table.name} count or measure.`, quantities, ['sum', 'avg'], () => 'Float'),
    name: enumOf('Quantity', `What ${table.name} count or measure.`, quantities),
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

  /** The fields that name a value of groups. */
  const valueFields = (t: InputFields) => ({
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
  const value = builder.inputType(`${type}ValueInput`, {
    description: `Exactly one value of groups of ${table.name}. Values are computed from it.`,
    fields: (t) => ({
      ...valueFields(t),
      computed: t.string({ description: 'The response key of a computed value before this one.' }),
    }),
  });
  const group = builder.objectRef<Shaped>(`${type}Group`).implement({
    description: `${upperFirst(table.name)} that share the values of all keys, null being one.`,
    extensions: rowOf(table),
    fields: (t) => {
      const part = (of: ObjectRef, name: string, description: string, args = {}) => ({
        [name]: t.field({ type: of, nullable: false, description, args, ...written({ is: 'part' }) }),
      });
      const only = { filter: t.arg({ type: filter, description: 'The rows of the group to aggregate. The default is all rows.' }) };
      const { min: minimum, max: maximum } = percentBounds;
      const percent = t.arg.int({ required: true, description: `Percent, ${minimum} to ${maximum}.` });
      const operand = (description: string) => t.arg({ type: value, required: true, description });
      const of = { of: operand('The value.') };
      const within = { within: t.arg({ type: [input], description: 'Limits the value to groups with the same values of these keys.' }) };
      const back = {
        along: t.arg({ type: input, description: 'The key with periods. The default is the only one.' }),
        periods: t.arg.int({ defaultValue: 1, description: `How many periods, ${periodBounds.min} to ${periodBounds.max}.` }),
      };
      const computed = (call: Computation, args: NonNullable<Parameters<typeof part>[3]>) => ({
        [camelCase(call)]: t.field({
          type: call === 'rank' ? 'Int' : 'Float',
          nullable: true,
          description: computationMeanings[call],
          args,
          ...written({ is: 'computed', call }),
        }),
      });
      return {
        ...part(key, 'key', 'The selected fields are the keys of the groups.'),
        ...(table.validity && {
          asOf: t.field({ type: 'Date', nullable: true, description: 'The day of the series.', ...written({ is: 'asOf' }) }),
        }),
        count: t.int({ nullable: false, description: 'The number of rows in the group.', args: only, resolve: byWriter }),
        ...(quantity && { ...part(quantity.type, 'sum', meanings.sum, only), ...part(quantity.type, 'avg', meanings.avg, only) }),
        ...(hasSumOnce && {
          sumOnce: t.field({
            type: 'Float',
            nullable: true,
            description: meanings.sum_once,
            args: { of: t.arg({ type: input, required: true, description: 'The column, behind at least one relation.' }), ...only },
            ...written({ is: 'sumOnce' }),
          }),
        }),
        ...part(values, 'min', meanings.min, only),
        ...part(values, 'max', meanings.max, only),
        ...part(counts.type, 'distinct', meanings.distinct, only),
        ...(quantity && {
          ...part(quantity.type, 'median', meanings.median, only),
          ...part(quantity.type, 'stddev', meanings.stddev, only),
          ...part(quantity.type, 'percentile', meanings.percentile, { percent, ...only }),
        }),
        ...(measured && part(measured.type, 'measures', 'Figures of the trade.')),
        ...computed('ratio', { ...of, to: operand('The divisor.') }),
        ...computed('difference', { ...of, minus: operand('The value to subtract.') }),
        ...computed('share', { ...of, ...within }),
        ...computed('previous', { ...of, ...back }),
        ...computed('change', { ...of, ...back }),
        ...computed('rank', { ...of, ...within }),
        ...computed('running_total', { ...of, ...within }),
      };
    },
  });
  const groups = builder.objectRef<Shaped>(`${type}Groups`).implement({
    description: `Groups of ${table.name}.`,
    extensions: groupsOf(groupable),
    fields: (t) => ({
      groups: t.field({
        type: [group],
        nullable: false,
        description: 'The groups. Without keys, one group of all rows.',
        resolve: byWriter,
      }),
      pageInfo: t.field({ type: schema.pageInfo, nullable: false, description: 'The position of these groups.', resolve: byWriter }),
      totalCount: t.int({
        nullable: false,
        description: 'The number of groups. Counted only if the field is selected.',
        resolve: byWriter,
      }),
    }),
  });

  const having: InputRef = builder.inputRef(`${type}Having`);
  builder.inputType(having, {
    description: `Conditions on groups of ${table.name}; all that are given must hold.`,
    fields: (t) => ({
      and: t.field({ type: [having], description: 'All of these conditions are true.' }),
      or: t.field({ type: [having], description: 'At least one of these conditions is true.' }),
      not: t.field({ type: having, description: 'This condition is false.' }),
      key: t.field({ type: filter, description: 'Conditions on selected keys.' }),
      count: t.field({ type: filters.integer, description: 'A condition on the number of rows.' }),
      ...(quantity && {
        sum: t.field({ type: quantity.having, description: meanings.sum }),
        avg: t.field({ type: quantity.having, description: meanings.avg }),
      }),
      min: t.field({ type: filter, description: meanings.min }),
      max: t.field({ type: filter, description: meanings.max }),
      distinct: t.field({ type: counts.having, description: meanings.distinct }),
      ...(quantity && Object.fromEntries(statistics.map((is) => [is, t.field({ type: quantity.having, description: meanings[is] })]))),
      ...(hasSumOnce && {
        sumOnce: t.field({ type: filters.number, description: 'Conditions on the sum over related rows that `of` names.' }),
      }),
      of: t.string({ description: valuesOf }),
      ...(measured && { measures: t.field({ type: measured.having, description: 'Conditions on real-estate measures.' }) }),
      computed: t.field({ type: filters.number, description: 'Conditions on the computed value that `of` names.' }),
    }),
  });
  const orderBy = builder.inputType(`${type}GroupOrderBy`, {
    description: `One step of an order of groups of ${table.name}: exactly one key or value, and its direction.`,
    fields: (t) => ({
      key: t.field({ type: input, description: 'A key that is selected.' }),
      ...valueFields(t),
      computed: t.string({ description: 'The response key of a computed value.' }),
      direction: t.field({ type: schema.direction, description: 'Smallest first if absent.' }),
    }),
  });
  const topPer = builder.inputType(`${type}TopPer`, {
    description: 'The first groups in the requested order, for each value of coarser keys.',
    fields: (t) => ({
      by: t.field({ type: [input], required: true, description: 'The coarser keys. They must be selected.' }),
      first: t.int({ required: true, description: `How many groups of each, ${groupBounds.min} to ${groupBounds.max}.` }),
    }),
  });
  return { groups, having, orderBy, topPer, key: input, asOf: table.validity && schema.asOf };
};

/** Makes references to the key types of a table. The key types of other tables refer to them before they are defined. */
export const announceKeys = ({ builder, keys }: GroupsSchema, { name }: Table): void => {
  const type = typeName(name);
  const key: ObjectRef = builder.objectRef<Shaped>(`${type}GroupKey`);
  keys.set(name, { key, input: builder.inputRef(`${type}GroupKeyInput`) });
};

const addKey = ({ builder, bucket, keys }: GroupsSchema, table: Table, toOne: readonly ResolvedRelation[], anyColumn: Enum): void => {
  const { key } = keys.get(table.name)!;
  const columns = Object.entries(table.columns);
  builder.objectType(key, {
    description: `What groups are made by: columns of ${table.name}, and of the rows that they lead to.`,
    extensions: rowOf(table),
    fields: (t) => ({
      ...Object.fromEntries(
        columns.map(([name, column]) => [
          camelCase(name),
          t.field({
            type: kinds[column.kind].scalar,
            nullable: true,
            description: column.meaning,
            args: hasBuckets(column) ? { bucket: t.arg({ type: bucket, description: 'The period instead of the value.' }) } : {},
            ...written({ is: 'column', column: name }),
          }),
        ]),
      ),
      ...Object.fromEntries(
        columns.flatMap(([name, { lookup }]) => {
          if (!lookup) return [];
          const description = `Label of \`${camelCase(name)}\`.`;
          return [[labelName(name), t.string({ nullable: true, description, ...written({ is: 'label', column: name, lookup }) })]];
        }),
      ),
      ...Object.fromEntries(
        toOne.map((relation) => [
          relation.name,
          t.field({
            type: keys.get(relation.target)!.key,
            nullable: false,
            description: `Of ${relation.target}; all null where no row is led to.`,
            ...written({ is: 'relation', relation }),
          }),
        ]),
      ),
      band: t.string({
        nullable: true,
        description: 'The band of a number, or of the age of a date: exactly one of `ranges`, `width` and `age`.',
        args: {
          of: t.arg({ type: anyColumn, required: true, description: 'A number for ranges and a width, a date or time for an age.' }),
          ranges: t.arg({ type: ['Float'], description: 'Ascending bounds; each is the first value of its band.' }),
          width: t.arg.float({ description: 'The width of bands that begin at its multiples.' }),
          age: t.arg({ type: ['Int'], description: 'Ascending ages in days; each is the last one of its band.' }),
          on: t.arg({ type: 'Date', description: 'The day on which ages are computed; by default today in UTC.' }),
        },
        ...written({ is: 'band' }),
      }),
    }),
  });
};

/** The field of a table's groups. `filter` is the filter of its rows. */
export const groupsField = (
  { builder }: GroupsSchema,
  { groups, having, orderBy, topPer, key, asOf }: GroupsTypes,
  filter: InputRef,
  { description, value }: { readonly description: string; readonly value: FieldMeaning },
) => ({
  type: groups,
  nullable: false as const,
  args: builder.args((t) => ({
    filter: t.field({ type: filter, description: 'The rows to count. The default is all rows.' }),
    having: t.field({ type: having, description: 'Conditions on groups. The default is all groups.' }),
    orderBy: t.field({ type: [orderBy], description: 'The sort order. The default is by the keys.' }),
    topPer: t.field({ type: topPer, description: 'Returns only the first groups for each value of coarser keys.' }),
    fill: t.field({ type: [key], description: 'Keys whose empty buckets are returned too: periods, bands and the days of a series.' }),
    ...(asOf && { asOf: t.field({ type: asOf, description: 'The state at the end of each period. Needs the field `asOf` of a group.' }) }),
    first: t.int({ defaultValue: firstGroups.standard, description: `How many groups, ${firstGroups.min} to ${firstGroups.max}.` }),
    after: t.string({ description: 'Returns rows after this cursor.' }),
  })),
  description,
  ...written(value),
});
