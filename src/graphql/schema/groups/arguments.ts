/** The arguments of groups: conditions, order, and the first groups for each value of coarser keys. */
import { groupBounds } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import type { InputRef } from '../builder.ts';
import { rowTypeName } from '../names.ts';
import type { GroupsSchema } from './shared.ts';
import { groupFieldsOf, meaningOfValuesOf, type ValueTypes, valueFields } from './values.ts';

/** Adds the inputs of a table's groups. `filter` is the filter of its rows. */
export const addArguments = (
  { builder, filters, direction, types: announced }: GroupsSchema,
  { table }: GroupableTable,
  { filter, types }: { readonly filter: InputRef; readonly types: ValueTypes },
) => {
  const type = rowTypeName(table.name);
  const { input } = announced.get(table.name)!;
  const { quantity, counts, measured, hasSumOnce } = types;

  const having: InputRef = builder.inputRef(`${type}Having`);
  builder.inputType(having, {
    description: `Conditions on groups of ${table.name}; all that are given must hold.`,
    fields: (t) => ({
      and: t.field({ type: [having], description: 'All of these conditions are true.' }),
      or: t.field({ type: [having], description: 'At least one of these conditions is true.' }),
      not: t.field({ type: having, description: 'This condition is false.' }),
      key: t.field({ type: filter, description: 'Conditions on selected keys.' }),
      count: t.field({ type: filters.integer, description: 'A condition on the number of rows.' }),
      ...(quantity.having && groupFieldsOf('quantities', (description) => t.field({ type: quantity.having as InputRef, description }))),
      ...groupFieldsOf('ordered', (description) => t.field({ type: filter, description })),
      ...groupFieldsOf('all', (description) => t.field({ type: counts.having, description })),
      ...(hasSumOnce && {
        sumOnce: t.field({ type: filters.number, description: 'Conditions on the sum over related rows that `of` names.' }),
      }),
      value: t.field({ type: filters.number, description: 'Conditions on the number that `of` names by its response keys.' }),
      of: t.string({ description: meaningOfValuesOf }),
      ...(measured && { measures: t.field({ type: measured.having, description: 'Conditions on real-estate measures.' }) }),
      computed: t.field({ type: filters.number, description: 'Conditions on the computed value that `of` names.' }),
    }),
  });
  const orderBy = builder.inputType(`${type}GroupOrderBy`, {
    description: `One step of an order of groups of ${table.name}: exactly one key or value, and its direction.`,
    fields: (t) => ({
      key: t.field({ type: input, description: 'A key that is selected.' }),
      ...valueFields(t, types),
      computed: t.string({ description: 'The response key of a computed value.' }),
      direction: t.field({ type: direction, description: 'Smallest first if absent.' }),
    }),
  });
  const topPer = builder.inputType(`${type}TopPer`, {
    description: 'The first groups in the requested order, for each value of coarser keys.',
    fields: (t) => ({
      by: t.field({ type: [input], required: true, description: 'The coarser keys. They must be selected.' }),
      first: t.int({ required: true, description: `How many groups of each, ${groupBounds.min} to ${groupBounds.max}.` }),
    }),
  });
  return { having, orderBy, topPer };
};
