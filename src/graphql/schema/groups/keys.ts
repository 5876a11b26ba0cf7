/** The keys of groups: the fields of a group that select them, and the inputs that name them. */
import { kinds } from '../../../catalogue/kinds.ts';
import { hasBuckets } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import { bands } from '../../../plan/vocabulary/keys.ts';
import type { InputEnum } from '../builder.ts';
import { rowOf, writtenField } from '../builder.ts';
import { labelArguments } from '../codes.ts';
import { camelCase, labelName } from '../names.ts';
import { enumOfColumns, type GroupsSchema } from './shared.ts';

/**
 * Adds the key types of a table's groups, and returns the enum of the table's columns. `announceTypes` must have run for the target of each
 * relation.
 */
export const addKeys = (schema: GroupsSchema, groupable: GroupableTable): InputEnum => {
  const { builder, bucket, language, types } = schema;
  const { table } = groupable;
  const toOne = groupable.toOneOf(table);
  const args = labelArguments(builder, language);
  const anyColumn = enumOfColumns(schema, table, {
    name: 'Column',
    description: `Columns of ${table.name}.`,
    names: Object.keys(table.columns),
  });
  const { key, input } = types.get(table.name)!;
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
            ...writtenField({ is: 'column', column: name }),
          }),
        ]),
      ),
      ...Object.fromEntries(
        columns.flatMap(([name, { lookup }]) => {
          if (!lookup) return [];
          const description = `Label of \`${camelCase(name)}\`.`;
          return [
            [labelName(name), t.string({ nullable: true, description, args, ...writtenField({ is: 'label', column: name, lookup }) })],
          ];
        }),
      ),
      ...Object.fromEntries(
        toOne.map((relation) => [
          relation.name,
          t.field({
            type: types.get(relation.target)!.key,
            nullable: false,
            description: `Of ${relation.target}; all null where no row is led to.`,
            ...writtenField({ is: 'relation', relation }),
          }),
        ]),
      ),
      band: t.string({
        nullable: true,
        description: 'The band of a number, or of the age of a date: exactly one of `ranges`, `width` and `age`.',
        args: {
          of: t.arg({ type: anyColumn, required: true, description: 'A number for ranges and a width, a date or time for an age.' }),
          ranges: t.arg({ type: ['Float'], description: bands.ranges.meaning }),
          width: t.arg.float({ description: bands.width.meaning }),
          age: t.arg({ type: ['Int'], description: bands.age.meaning }),
          on: t.arg({ type: 'Date', description: 'The day on which ages are computed; by default today in UTC.' }),
        },
        ...writtenField({ is: 'band' }),
      }),
    }),
  });
  builder.inputType(input, {
    description: `One key of groups of ${table.name}: a column, or one of the row that a relation leads to.`,
    fields: (t) => ({
      column: t.field({ type: anyColumn, description: 'The column.' }),
      bucket: t.field({
        type: bucket,
        description: 'The bucket of the column. If absent, the plain column if it is selected, otherwise its only bucket.',
      }),
      band: t.string({ description: 'The response key of selected bands, instead of a column.' }),
      ...(table.validity && { asOf: t.boolean({ description: 'The day of the series, instead of a column.' }) }),
      ...Object.fromEntries(
        toOne.map(({ name, target }) => [name, t.field({ type: types.get(target)!.input, description: `A key of ${target}.` })]),
      ),
    }),
  });
  return anyColumn;
};
