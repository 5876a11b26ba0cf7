/** Figures over several groups. The service computes them, so they are exact for averages and measures, too. */
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { useAnswer } from '../parts/api.ts';
import { identityOf } from '../view/pivot.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';
import type { Field } from './fields.ts';

/** The totals are the same figures without keys. Computed values and conditions on groups have none. */
export const totalsAddress = (view: View): string | undefined =>
  view.by.length === 0 || view.by.some((key) => key.startsWith('as_of:')) || view.others.some(([name]) => name === 'having')
    ? undefined
    : view.hasCount || view.values.length > 0
      ? restAddress({ ...view, by: [], order: [], others: [] })
      : undefined;

/** The figures by some of the keys, found by the values of these keys. Without totals there is no request. */
export const useTotals = (view: View, by: readonly string[], keys: readonly Field[]): ((row: JsonObject) => JsonObject | undefined) => {
  const hasTotals = totalsAddress(view) !== undefined;
  const address = restAddress({ ...view, by, order: [], others: [] }, [], [['limit', String(mostRows.groups)]]);
  const { answer } = useAnswer(hasTotals ? address : undefined);
  const names = keys.map(({ name }) => name);
  const found = new Map((answer?.rows ?? []).filter(isObject).map((row) => [identityOf(row, names), row]));
  return (row) => found.get(identityOf(row, names));
};
