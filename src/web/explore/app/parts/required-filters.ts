/**
 * Some tables refuse rows without certain filters. A view of such a table begins with the newest values, which groups tell: they have no
 * required filters.
 */
import { useEffect } from 'react';
import { isObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { compared, isNotEmpty, selectedValues } from '../view/conditions.ts';
import { addressOf, fragmentOf, type View } from '../view/view.ts';
import { type Failure, useAnswer } from './api.ts';

export const useRequiredFilters = (
  view: View,
  { category, name, required }: DescribedTable,
): { readonly isReady: boolean; readonly failure: Failure | undefined } => {
  const missing = required.filter((column) => selectedValues(view.where, column).length === 0);
  const path = addressOf(`/${category}/${name}/groups`, [
    ['by', missing.join()],
    ['where', [...missing.map(isNotEmpty), ...view.where].join()],
    [
      'order',
      [...missing]
        .reverse()
        .map((column) => `-${column}`)
        .join(),
    ],
    ['limit', '1'],
  ]);
  const { answer, failure } = useAnswer(missing.length > 0 ? path : undefined);
  const [first] = answer?.rows ?? [];
  useEffect(() => {
    if (missing.length === 0 || !isObject(first)) return;
    const conditions = missing.map((column) => compared(column, 'eq', textOf((first[column] ?? null) as Cell)));
    const complete = { ...view, where: [...conditions, ...view.where] };
    history.replaceState(null, '', fragmentOf(complete));
    dispatchEvent(new PopStateEvent('popstate'));
  }, [first, missing, view]);
  return { isReady: missing.length === 0, failure };
};
