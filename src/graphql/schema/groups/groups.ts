/**
 * Groups in the schema: one field for each list of rows, and the types of its keys, values, orders and conditions. All of them come from
 * the catalogue (contract: groups in GraphQL).
 */
import { groupBounds } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import { byWriter, type FieldMeaning, groupsExtension, type InputRef, type ObjectRef, type Shaped, writtenField } from '../builder.ts';
import { rowTypeName } from '../names.ts';
import { addArguments } from './arguments.ts';
import { addGroup } from './group.ts';
import { addKeys } from './keys.ts';
import type { GroupsSchema } from './shared.ts';
import { addValues } from './values.ts';

/** The bounds of `first` for groups. */
export const firstGroups = { defaultValue: 100, ...groupBounds } as const;

export interface GroupsTypes {
  readonly groups: ObjectRef;
  readonly having: InputRef;
  readonly orderBy: InputRef;
  readonly topPer: InputRef;
  readonly key: InputRef;
  /** Absent if the rows have no validity. */
  readonly asOf: InputRef | undefined;
}

/** Adds the types of a table's groups. `filter` is the filter of its rows. `announceTypes` must have run for the target of each relation. */
export const addGroups = (
  schema: GroupsSchema,
  { groupable, filter }: { readonly groupable: GroupableTable; readonly filter: InputRef },
): GroupsTypes => {
  const { builder } = schema;
  const { table } = groupable;
  const anyColumn = addKeys(schema, groupable);
  const types = addValues(schema, groupable, anyColumn);
  const group = addGroup(schema, groupable, { filter, types });
  const groups = builder.objectRef<Shaped>(`${rowTypeName(table.name)}Groups`).implement({
    description: `Groups of ${table.name}.`,
    extensions: groupsExtension(groupable),
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

  const key = schema.types.get(table.name)!.input;
  return { groups, ...addArguments(schema, groupable, { filter, types }), key, asOf: table.validity && schema.asOf };
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
    first: t.int({ defaultValue: firstGroups.defaultValue, description: `How many groups, ${firstGroups.min} to ${firstGroups.max}.` }),
    after: t.string({ description: 'Returns rows after this cursor.' }),
  })),
  description,
  ...writtenField(value),
});
