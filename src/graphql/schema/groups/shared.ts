/** The types of groups that all tables share. */
import type { Kind } from '../../../catalogue/column.ts';
import type { Table } from '../../../catalogue/table.ts';
import { buckets } from '../../../plan/groups/buckets.ts';
import { seriesPeriods } from '../../../plan/groups/series.ts';
import type { InputEnum, InputRef, ObjectRef, SchemaBuilder } from '../builder.ts';
import { typeName } from '../names.ts';

export interface GroupsSchema {
  readonly builder: SchemaBuilder;
  readonly bucket: InputEnum;
  readonly asOf: InputRef;
  readonly direction: InputEnum;
  readonly pageInfo: ObjectRef;
  readonly filters: Readonly<Record<Kind, InputRef>>;
  /** The key types of each visible table. */
  readonly keys: Map<string, { readonly key: ObjectRef; readonly input: InputRef }>;
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

export const enumName = (column: string): string => column.toUpperCase();

/** Adds an enum of columns of a table. */
export const enumOfColumns = (
  { builder }: GroupsSchema,
  table: Table,
  { name, description, names }: { readonly name: string; readonly description: string; readonly names: readonly string[] },
): InputEnum =>
  builder.enumType(`${typeName(table.name)}${name}`, {
    description,
    values: Object.fromEntries(names.map((column) => [enumName(column), { value: column, description: table.columns[column]!.meaning }])),
  });
