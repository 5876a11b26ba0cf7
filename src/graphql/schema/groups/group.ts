/** One group: its keys, its aggregates and measures, and the values that are computed from them. */
import { kinds } from '../../../catalogue/kinds.ts';
import type { GroupableTable } from '../../../plan/groups/request.ts';
import { aggregates, computation, computationNames, percentBounds, periodBounds } from '../../../plan/vocabulary/values.ts';
import { byWriter, type InputRef, type ObjectRef, rowOf, type Shaped, writtenField } from '../builder.ts';
import { camelCase, rowTypeName, upperFirst } from '../names.ts';
import type { GroupsSchema } from './shared.ts';
import { aggregatesOver, type ValueTypes, valueFields } from './values.ts';

/** Adds the type of a table's groups. `filter` is the filter of its rows. */
export const addGroup = (
  { builder, types: announced }: GroupsSchema,
  { table }: GroupableTable,
  { filter, types }: { readonly filter: InputRef; readonly types: ValueTypes },
): ObjectRef => {
  const type = rowTypeName(table.name);
  const { key, input } = announced.get(table.name)!;
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
        [name]: t.field({ type: of, nullable: false, description, args, ...writtenField({ is: 'part' }) }),
      });
      const only = { filter: t.arg({ type: filter, description: 'The rows of the group to aggregate. The default is all rows.' }) };
      const { min: minimum, max: maximum } = percentBounds;
      const percent = t.arg.int({ required: true, description: `Percent, ${minimum} to ${maximum}.` });
      const keysOf = {
        within: { within: t.arg({ type: [input], description: 'Limits the value to groups with the same values of these keys.' }) },
        along: {
          along: t.arg({ type: input, description: 'The key with periods or whole numbers. The default is the only one.' }),
          periods: t.arg.int({ defaultValue: 1, description: `How many periods, ${periodBounds.min} to ${periodBounds.max}.` }),
        },
      };
      const computed = computationNames.map((call) => {
        const { operands, keys, kind, meaning } = computation(call);
        const given = Object.entries(operands).map(([name, description]) => [name, t.arg({ type: value, required: true, description })]);
        const field = t.field({
          type: kinds[kind].scalar === 'BigInt' ? 'Int' : 'Float',
          nullable: true,
          description: meaning,
          args: { ...Object.fromEntries(given), ...(keys && keysOf[keys]) },
          ...writtenField({ is: 'computed', call }),
        });
        return [camelCase(call), field];
      });
      const aggregated = (over: 'all' | 'ordered' | 'quantities', type: ObjectRef) =>
        Object.assign(
          {},
          ...aggregatesOver(over).map((name) =>
            part(type, name, aggregates[name].meaning, { ...('takesPercent' in aggregates[name] && { percent }), ...only }),
          ),
        );
      return {
        ...part(key, 'key', 'The selected fields are the keys of the groups.'),
        ...(table.validity && {
          asOf: t.field({ type: 'Date', nullable: true, description: 'The day of the series.', ...writtenField({ is: 'asOf' }) }),
        }),
        count: t.int({ nullable: false, description: 'The number of rows in the group.', args: only, resolve: byWriter }),
        ...aggregated('quantities', quantity.type),
        ...(hasSumOnce && {
          sumOnce: t.field({
            type: 'Float',
            nullable: true,
            description: aggregates.sum_once.meaning,
            args: { of: t.arg({ type: input, required: true, description: 'The column, behind at least one relation.' }), ...only },
            ...writtenField({ is: 'sumOnce' }),
          }),
        }),
        ...aggregated('ordered', values),
        ...aggregated('all', counts.type),
        ...(measured && part(measured.type, 'measures', 'Figures of the trade.')),
        ...Object.fromEntries(computed),
      };
    },
  });
};
