/** Figures that a click adds: the next aggregate of a column, and a figure beside its value of the year before. */
import { writtenCall } from '../../../../query/write/items.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { groupKeyOf, isYear } from '../view/group-keys.ts';
import type { FoundColumn } from '../view/tables.ts';
import { type GroupValue, parameterItems, type ValueList, type View, valueNameOf, withParameter } from '../view/view.ts';
import { leadingFigure } from './order.ts';

/** The aggregates of a column, in the order in which they are offered. */
export const columnAggregates: readonly ValueList[] = ['sum', 'avg', 'median', 'min', 'max', 'distinct'];

export const hasValue = ({ values }: View, { list, of }: GroupValue): boolean =>
  values.some((value) => value.list === list && value.of === of);

/** The first aggregate of a column that the view does not have, because an answer has each name once. A rate has no sum at first. */
export const newValue = (view: View, { path, column }: Pick<FoundColumn, 'path' | 'column'>): GroupValue | undefined =>
  columnAggregates
    .filter((list) => list !== 'sum' || !column.isRate)
    .map((list) => ({ list, of: path }))
    .find((value) => !hasValue(view, value));

const periodsInYear: Readonly<Record<string, number>> = { month: 12, quarter: 4, year: 1 };
const names = { previous: 'year_before', change: 'change' } as const;

/** The parameters of a view whose leading figure has its value of the year before and the change beside it. Undefined without a single key of months, quarters or years. */
export const withYearBefore = (view: View, table: DescribedTable, description: Description): View['others'] | undefined => {
  const keys = view.by.map((text) => groupKeyOf(text, table, description));
  const times = keys.filter(({ period }) => period !== '');
  const [key, ...others] = times.length > 0 ? times : keys.filter((each) => isYear(each) && each.name.endsWith('year'));
  const periods = key && others.length === 0 ? periodsInYear[key.period || 'year'] : undefined;
  const figure = leadingFigure(view);
  const items = parameterItems(view, 'value');
  const isShown = [...(view.hasCount ? ['count'] : []), ...view.values.map(valueNameOf), ...items.map((text) => text.split(':')[0])];
  if (!key || !periods || !isShown.includes(figure) || Object.values(names).some((name) => isShown.includes(name))) return undefined;
  const calls = (['previous', 'change'] as const).map((call) => writtenCall(names[call], call, [figure, key.name, String(periods)]));
  return withParameter(view, 'value', [...items, ...calls]);
};
