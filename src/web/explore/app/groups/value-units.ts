/** The units of the values of a view of groups, by their names in the answer. */
import { type Unit, unitOfRatio } from '../../../../catalogue/texts/units.ts';
import { isComputation } from '../../../../plan/vocabulary/values.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { namedValues } from '../view/behind.ts';
import { itemOf, textsOfItems } from '../view/conditions.ts';
import { findColumn } from '../view/tables.ts';
import { type View, valueNameOf } from '../view/view.ts';

/** Values that count. */
const counting = new Set(['count', 'distinct', 'rank']);

/** The unit of a column, or of a function of two such as `product(area_sqm,market_rent_per_sqm)`. */
const unitOfArgument = (text: string, table: DescribedTable, description: Description): Unit | undefined => {
  const { call, first = '' } = /^(?<call>[a-z_]+)\((?<first>[^,]+),/.exec(text)?.groups ?? {};
  if (call === 'days') return 'days';
  if (call === 'product') return 'EUR';
  return findColumn(description, table, call === undefined ? text : first)?.column.unit;
};

export const unitsOf = (view: View, table: DescribedTable, description: Description): ReadonlyMap<string, Unit | undefined> => {
  const units = new Map<string, Unit | undefined>();
  for (const value of view.values) {
    const measure = value.list === 'measure' ? table.measures.find(({ name }) => name === value.of) : undefined;
    const unit = measure?.unit ?? (counting.has(value.list) ? undefined : findColumn(description, table, value.of)?.column.unit);
    units.set(valueNameOf(value), unit);
  }
  // A value is computed from those before it, or from later ones, so the units are looked up twice.
  for (const item of [...namedValues(view), ...namedValues(view)].map(itemOf)) {
    if (item?.is !== 'called' || !item.of) continue;
    const { name, call } = item;
    const [of = '', to = ''] = textsOfItems(item.of);
    if (counting.has(call)) units.set(name, undefined);
    else if (call === 'share') units.set(name, 'percent');
    else if (call === 'ratio') units.set(name, unitOfRatio(units.get(of), units.get(to)));
    else if (isComputation(call)) units.set(name, units.get(of));
    else units.set(name, unitOfArgument(of, table, description));
  }
  return units;
};
