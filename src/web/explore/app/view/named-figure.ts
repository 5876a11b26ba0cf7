/** Figures with names of their own, such as `open:count(status!=closed)`: read from the address, changed, and written (contract: named values). */
import {
  type Aggregate,
  aggregateNames,
  aggregates,
  type Computation,
  isComputation,
  isRowFunction,
  operandCount,
  type RowFunction,
} from '../../../../plan/vocabulary/values.ts';
import { writtenCall, writtenFunction } from '../../../../query/write/items.ts';
import { type Condition, entriesOf, itemsOfCondition } from './condition-tree.ts';
import { itemOf, textsOfItems } from './conditions.ts';
import type { FoundColumn } from './tables.ts';
import { parameterItems, type View } from './view.ts';

export interface AggregateFigure {
  readonly is: 'aggregate';
  readonly name: string;
  readonly call: Aggregate | 'count';
  /** The function of each row that the aggregate is over. Without one, it is over a column. */
  readonly applied: RowFunction | undefined;
  /** The columns: one, or two for a function; none for a number of rows. */
  readonly paths: readonly string[];
  readonly percent: string;
  readonly conditions: readonly Condition[];
}

export interface ComputedFigure {
  readonly is: 'computed';
  readonly name: string;
  readonly call: Computation;
  /** The names of figures. */
  readonly of: readonly string[];
  /** The names of keys. */
  readonly keys: readonly string[];
  /** The number of periods to look back; empty for one. */
  readonly periods: string;
}

export type NamedFigure = AggregateFigure | ComputedFigure;

export const takesPercent = (call: Aggregate | 'count'): boolean => call !== 'count' && 'takesPercent' in aggregates[call];

/** The figure of an item of `value`. Undefined if it is none. */
export const figureIn = (text: string): NamedFigure | undefined => {
  const item = itemOf(text);
  if (item?.is !== 'called') return undefined;
  const { name, call, of = [] } = item;
  if (isComputation(call)) {
    const names = textsOfItems(of);
    const count = operandCount(call);
    const more = names.slice(count);
    return {
      is: 'computed',
      name,
      call,
      of: names.slice(0, count),
      keys: more.filter((each) => !/^\d+$/.test(each)),
      periods: more.find((each) => /^\d+$/.test(each)) ?? '',
    };
  }
  const known = call === 'count' ? call : aggregateNames.find((each) => each === call);
  if (!known) return undefined;
  const [over] = known === 'count' ? [] : of;
  const rest = known === 'count' ? of : of.slice(1);
  const isPercent = takesPercent(known);
  const applied = over?.is === 'applied' && isRowFunction(over.call) ? over : undefined;
  return {
    is: 'aggregate',
    name,
    call: known,
    applied: applied?.call,
    paths: applied ? textsOfItems(applied.of) : over ? textsOfItems([over]) : [],
    percent: isPercent ? (textsOfItems(rest.slice(0, 1))[0] ?? '') : '',
    conditions: entriesOf(rest.slice(isPercent ? 1 : 0).map((each) => each.text)).map(({ condition }) => condition),
  };
};

export const writtenFigure = (figure: NamedFigure): string => {
  if (figure.is === 'computed') {
    const { name, call, of, keys, periods } = figure;
    return writtenCall(name, call, [...of, ...keys, ...(periods === '' ? [] : [periods])]);
  }
  const { name, call, applied, paths, percent, conditions } = figure;
  const over = call === 'count' ? [] : applied ? [writtenFunction(applied, paths)] : paths;
  return writtenCall(name, call, [...over, ...(takesPercent(call) ? [percent] : []), ...conditions.flatMap(itemsOfCondition)]);
};

/** Whether nothing is missing. */
export const isComplete = (figure: NamedFigure): boolean => {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(figure.name)) return false;
  if (figure.is === 'computed') return figure.of.length === operandCount(figure.call) && figure.of.every((name) => name !== '');
  const needed = figure.call === 'count' ? 0 : figure.applied ? 2 : 1;
  return (
    figure.paths.length === needed &&
    figure.paths.every((path) => path !== '') &&
    (!takesPercent(figure.call) || /^(?:[1-9]\d?|100)$/.test(figure.percent))
  );
};

/** Whether an aggregate applies to a column. */
export const isAggregated = (call: Aggregate | 'count', { via, column }: FoundColumn): boolean => {
  if (call === 'count') return false;
  const { over } = aggregates[call];
  if (call === 'sum' || call === 'sum_once') return column.isQuantity && via.length > 0 === (call === 'sum_once');
  return over === 'all' || (over === 'ordered' ? column.kind !== 'boolean' : column.isQuantity);
};

/** The names in a condition on groups. */
const namesIn = (condition: Condition): readonly string[] =>
  condition.is === 'joined' ? condition.of.flatMap(namesIn) : 'name' in condition ? [condition.name] : [];

/** The part of a view that a key or a named figure leaves behind when it is removed or has another name: whatever names it goes as well. */
export const withoutName = (view: View, name: string): Pick<View, 'others' | 'order'> => {
  const gone = new Set([name]);
  const value = parameterItems(view, 'value').filter((text) => {
    const figure = figureIn(text);
    const names = figure?.is === 'computed' ? [...figure.of, ...figure.keys] : [];
    const isGone = figure?.name === name || names.some((each) => gone.has(each));
    if (isGone && figure) gone.add(figure.name);
    return !isGone;
  });
  const having = entriesOf(parameterItems(view, 'having')).filter(({ condition }) => !namesIn(condition).some((each) => gone.has(each)));
  const fill = parameterItems(view, 'fill').filter((each) => !gone.has(each));
  const lists = { value, having: having.flatMap(({ items }) => items), fill };
  return {
    order: view.order.filter((each) => !gone.has(each.replace(/^-/, ''))),
    others: [
      ...view.others.filter(([each]) => !(each in lists)),
      ...Object.entries(lists).flatMap(([each, items]) => (items.length > 0 ? [[each, items.join()] as const] : [])),
    ],
  };
};
