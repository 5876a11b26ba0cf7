/** The rows behind a figure of groups, as a view. Where conditions on rows cannot say them, there is none. */
import { aggregateNames, aggregates } from '../../../../plan/vocabulary/values.ts';
import type { JsonObject } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { itemOf, selectedValues, textsOfItems } from './conditions.ts';
import { conditionsOfKey, groupKeyOf, isYear, type ReadKey, valueBefore } from './group-keys.ts';
import { parameterItems, type View, valueNameOf, viewOfTable } from './view.ts';

/** What a figure is over, besides the keys of its group. */
interface Figure {
  readonly conditions: readonly string[];
  /** The group is that some periods earlier. */
  readonly back?: { readonly key: ReadKey; readonly periods: number };
}

/** The named values of a view, such as `open:count(status!=closed)`. */
export const namedValues = (view: View): readonly string[] => parameterItems(view, 'value');

/** Conditions that need the day of a series. Rows have none. */
const needsDay = (condition: string): boolean => /:(?:some|none)_valid\(/.test(condition);

const previousOf = (names: readonly string[], view: View, keys: readonly ReadKey[], table: DescribedTable): Figure | undefined => {
  const [of = '', ...more] = names;
  const figure = figureOf(of, view, keys, table);
  const periods = Number(more.find((each) => /^\d+$/.test(each)) ?? 1);
  const named = keys.find(({ name }) => more.includes(name));
  const [time, ...times] = keys.filter(({ period }) => period !== '');
  const [year, ...years] = keys.filter(isYear);
  const key = named ?? (time ? (times.length === 0 ? time : undefined) : years.length === 0 ? year : undefined);
  return figure && !figure.back && key ? { ...figure, back: { key, periods } } : undefined;
};

/** The figure of a name in the answer. Undefined for measures and for values that are computed from several. */
const figureOf = (name: string, view: View, keys: readonly ReadKey[], table: DescribedTable): Figure | undefined => {
  const item = namedValues(view)
    .map(itemOf)
    .find((each) => each?.is === 'called' && each.name === name);
  if (item?.is === 'called') {
    const { call, of = [] } = item;
    if (call === 'previous') return previousOf(textsOfItems(of), view, keys, table);
    const aggregate = aggregateNames.find((each) => each === call);
    if (call !== 'count' && !aggregate) return undefined;
    const operands = aggregate === undefined ? 0 : 'takesPercent' in aggregates[aggregate] ? 2 : 1;
    const conditions = of.slice(operands).map(({ text }) => text);
    return conditions.some(needsDay) ? undefined : { conditions };
  }
  const value = view.values.find((each) => valueNameOf(each) === name);
  if (value) return value.list === 'measure' ? undefined : { conditions: [] };
  const isMeasure = table.measures.some((measure) => measure.name === name);
  return name === 'count' || (!isMeasure && aggregateNames.some((each) => name.startsWith(`${each}_`))) ? { conditions: [] } : undefined;
};

interface Place {
  readonly view: View;
  readonly table: DescribedTable;
  readonly description: Description;
  /** The keys whose values the row has, as in `by`; those of the view by default. */
  readonly by?: readonly string[];
}

/** The view of the rows behind a figure of a group. Undefined if the address of rows cannot say exactly these. */
export const rowsBehind = ({ view, table, description, by = view.by }: Place, row: JsonObject, figure: string): View | undefined => {
  const keys = by.map((text) => groupKeyOf(text, table, description));
  const found = figureOf(figure, view, keys, table);
  if (!found || view.where.some(needsDay)) return undefined;
  const conditions = keys.map((key) => {
    const value = (row[key.name] ?? null) as Cell;
    const { back } = found;
    const place = back && key.name === back.key.name ? valueBefore(key, value, back.periods) : value;
    return place === undefined ? undefined : conditionsOfKey(key, place, table);
  });
  if (conditions.some((each) => each === undefined)) return undefined;
  const where = [...new Set([...view.where, ...found.conditions, ...conditions.flatMap((each) => each ?? [])])];
  // Rows of some tables are read by certain columns only.
  if (table.required.some((column) => selectedValues(where, column).length === 0)) return undefined;
  return viewOfTable(view.category, view.table, { where });
};
