/** One group: its keys, its aggregates and measures, and the values that are computed from them. */
import { type Computation, periodBounds } from '../../../plan/groups/computed.ts';
import { percentBounds } from '../../../plan/groups/groups.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import { byWriter, type InputRef, type ObjectRef, type Shaped } from '../builder.ts';
import { rowOf, written } from '../field-meaning.ts';
import { camelCase, typeName, upperFirst } from '../names.ts';
import type { GroupsSchema } from './shared.ts';
import { meanings, type ValueTypes, valueFields } from './values.ts';

const computationMeanings: Record<Computation, string> = {
  ratio: 'A value divided by another one, with six decimal places; null if the divisor is 0.',
  difference: 'A value minus another one.',
  share: 'A value in percent of its sum over all groups, or over those with the same keys, with four decimal places.',
  previous: 'The value of the group one period earlier, or some periods, with the same other keys; null without such a group.',
  change: 'A value minus that of the group one period earlier, or some periods, with the same other keys.',
  rank: 'The rank by a value, 1 for the largest, among all groups or those with the same keys; equal values have the same rank.',
  running_total: 'The sum of a value over this group and all before it in the order, among all groups or those with the same keys.',
};

/** Adds the type of a table's groups. `filter` is the filter of its rows. */
export const addGroup = (
  { builder, keys }: GroupsSchema,
  { table }: GroupableTable,
  { filter, types }: { readonly filter: InputRef; readonly types: ValueTypes },
): ObjectRef => {
  const type = typeName(table.name);
  const { key, input } = keys.get(table.name)!;
  const { quantity, values, counts, measured, hasSumOnce } = types;
  const value = builder.inputType(`${type}ValueInput`, {
    description: `Exactly one value of groups of ${table.name}. Values are computed from it.`,
    fields: (t) => ({
      ...valueFields(t, types),
      computed: t.string({ description: 'The response key of a computed value before this one.' }),
    }),
  });
  return builder.objectRef<Shaped>(`${type}Group`).implement({
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
};
