/** The types of groups that all tables share. */
import type { Kind } from '../../../catalogue/column.ts';
import type { Table } from '../../../catalogue/table.ts';
import { buckets, periods, seriesPeriods } from '../../../plan/vocabulary/keys.ts';
import type { InputEnum, InputRef, ObjectRef, SchemaBuilder, Shaped } from '../builder.ts';
import { rowTypeName } from '../names.ts';

export interface GroupsSchema {
  readonly builder: SchemaBuilder;
  readonly bucket: InputEnum;
  readonly asOf: InputRef;
  readonly direction: InputEnum;
  readonly language: InputEnum;
  readonly pageInfo: ObjectRef;
  readonly filters: Readonly<Record<Kind, InputRef>>;
  /** The types of each visible table that those of other tables refer to. */
  readonly types: Map<string, AnnouncedTypes>;
}

/** The types of a table's keys and of its aggregates, by the columns that these apply to. */
export interface AnnouncedTypes {
  readonly key: ObjectRef;
  readonly input: InputRef;
  readonly quantities: ObjectRef;
  readonly ordered: ObjectRef;
  readonly all: ObjectRef;
}

/** Makes references to the types of a table. The types of other tables refer to them before they are defined. */
export const announceTypes = ({ builder, types }: GroupsSchema, { name }: Table): void => {
  const ref = (suffix: string): ObjectRef => builder.objectRef<Shaped>(`${rowTypeName(name)}${suffix}`);
  const aggregated = { quantities: ref('Quantities'), ordered: ref('Values'), all: ref('Counts') };
  types.set(name, { key: ref('GroupKey'), input: builder.inputRef(`${rowTypeName(name)}GroupKeyInput`), ...aggregated });
};

export const createGroups = (
  builder: SchemaBuilder,
  shared: Pick<GroupsSchema, 'direction' | 'language' | 'pageInfo' | 'filters'>,
): GroupsSchema => ({
  builder,
  ...shared,
  types: new Map(),
  asOf: builder.inputType('AsOf', {
    description: 'The last days of periods. A row belongs to the group of each day on which it is valid.',
    fields: (t) => ({
      every: t.field({
        type: builder.enumType('SeriesPeriod', {
          description: 'Periods whose last days are the days of a series.',
          values: Object.fromEntries(seriesPeriods.map((value) => [value.toUpperCase(), { value, description: periods[value].meaning }])),
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
    values: Object.fromEntries(buckets.map((value) => [value.toUpperCase(), { value, description: periods[value].meaning }])),
  }),
});

export const groupEnumName = (column: string): string => column.toUpperCase();

/** Adds an enum of columns of a table. */
export const enumOfColumns = (
  { builder }: GroupsSchema,
  table: Table,
  { name, description, names }: { readonly name: string; readonly description: string; readonly names: readonly string[] },
): InputEnum =>
  builder.enumType(`${rowTypeName(table.name)}${name}`, {
    description,
    values: Object.fromEntries(
      names.map((column) => [groupEnumName(column), { value: column, description: table.columns[column]!.meaning }]),
    ),
  });
