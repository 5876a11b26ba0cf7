/** The order of groups: that of the view; else times from the newest, bands from the lowest, and the largest figure first. Keys are in the order of their shown labels. */
import type { JsonObject } from '../../../browser/exact.ts';
import type { DescribedTable, Description } from '../../described.ts';
import type { LanguageCode } from '../parts/texts.ts';
import { namedValues } from '../view/behind.ts';
import { itemOf } from '../view/conditions.ts';
import { groupKeyOf, ownOrderOf } from '../view/group-keys.ts';
import { type View, valueNameOf } from '../view/view.ts';
import { cellOf, type Field } from './fields.ts';

const leading = ['sum', 'sum_once', 'measure'];

/** The figure that decides: a sum or a measure before the count, and the count before other values. A computed value has no order of its own. */
export const leadingFigure = (view: View): string => {
  const value = view.values.find(({ list }) => leading.includes(list)) ?? (view.hasCount ? undefined : view.values[0]);
  if (value) return valueNameOf(value);
  const named = namedValues(view)
    .map(itemOf)
    .flatMap((item) => (item?.is === 'called' && item.call === 'sum' ? [item.name] : []));
  return named[0] ?? 'count';
};

/** The order that the page asks for. Ordered keys come before the figure. */
export const orderOf = (view: View, table: DescribedTable, description: Description): readonly string[] => {
  if (view.order.length > 0 || view.by.length === 0) return view.order;
  const keys = view.by.map((text) => groupKeyOf(text, table, description));
  const ordered = keys.flatMap((key) => {
    const own = ownOrderOf(key);
    return own === 'newest' ? [`-${key.name}`] : own === 'lowest' ? [key.name] : [];
  });
  return ordered.length === keys.length ? ordered : [...ordered, `-${leadingFigure(view)}`];
};

/** Groups in an order, with keys by their shown labels. Equal groups are in the order of their keys. No value comes last. */
export const sorted = (
  rows: readonly JsonObject[],
  order: readonly string[],
  fields: readonly Field[],
  language: LanguageCode,
): readonly JsonObject[] => {
  const named = new Map(fields.map((field) => [field.name, field]));
  const steps = order.map((text) => ({ field: named.get(text.replace(/^-/, '')), sign: text.startsWith('-') ? -1 : 1 }));
  // The page does not have the figure of the order.
  if (steps.some(({ field }) => field === undefined)) return rows;
  const all = [...steps, ...fields.filter(({ isKey }) => isKey).map((field) => ({ field, sign: 1 }))];
  return rows.toSorted((one, other) => {
    for (const { field, sign } of all) {
      if (!field) continue;
      const [a, b] = [cellOf(one, field), cellOf(other, field)];
      const difference = a === null || b === null ? Number(a === null) - Number(b === null) : sign * field.compare(a, b, language);
      if (difference !== 0) return difference;
    }
    return 0;
  });
};
