/** Figures over several groups. The service computes them, so they are exact for averages and measures, too. */
import { computationNames } from '../../../../plan/vocabulary/values.ts';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { useAnswer } from '../parts/api.ts';
import { namedValues } from '../view/behind.ts';
import { itemOf } from '../view/conditions.ts';
import { identityOf } from '../view/pivot.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';
import type { Field } from './fields.ts';

/** Named values that are aggregates. Values that are computed from groups have no total. */
const addable = (view: View): readonly string[] =>
  namedValues(view).filter((text) => {
    const item = itemOf(text);
    return item?.is === 'called' && !computationNames.some((name) => name === item.call);
  });

/** The address of the figures by some of the keys. Undefined if they have no meaning: over the days of a series, and with conditions on groups. */
const totalsAddress = (view: View, by: readonly string[] = []): string | undefined => {
  const named = addable(view);
  const isOverDays = view.by.some((key) => key.startsWith('as_of:') && !by.includes(key));
  if (view.by.length === 0 || isOverDays || view.others.some(([name]) => name === 'having')) return undefined;
  if (!view.hasCount && view.values.length === 0 && named.length === 0) return undefined;
  const others = named.length > 0 ? [['value', named.join()] as const] : [];
  return restAddress({ ...view, by, order: [], others }, [], [['limit', String(mostRows.groups)]]);
};

/** The figures over all groups. */
export const useTotal = (view: View): { readonly total: JsonObject | undefined; readonly isLoading: boolean } => {
  const { answer, isLoading } = useAnswer(totalsAddress(view));
  return { total: answer?.rows.find(isObject), isLoading };
};

export interface Totals {
  /** The figures of the row that has these values of the keys. */
  readonly of: (row: JsonObject) => JsonObject | undefined;
  readonly rows: readonly JsonObject[];
}

/** The figures by some of the keys. Undefined if there are none, or if the service does not give all of them. */
export const useTotals = (view: View, by: readonly string[], keys: readonly Field[]): Totals | undefined => {
  const { answer } = useAnswer(totalsAddress(view, by));
  if (!answer || answer.total > answer.rows.length) return undefined;
  const names = keys.map(({ name }) => name);
  const rows = answer.rows.filter(isObject);
  const found = new Map(rows.map((row) => [identityOf(row, names), row]));
  return { of: (row) => found.get(identityOf(row, names)), rows };
};
