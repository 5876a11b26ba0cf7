/** One assignment of columns to targets: the pairs whose scores are the highest in sum, by the Hungarian method. */
import munkres from 'munkres-js';

export interface Pair<Column, Target> {
  readonly column: Column;
  readonly target: Target;
  readonly score: number;
}

/** Each column and each target is in one pair at most. Pairs below `least` are none. */
export const assign = <P extends Pair<unknown, unknown>>(candidates: readonly P[], least: number): readonly P[] => {
  const possible = candidates.filter(({ score }) => score >= least);
  const columns = [...new Set(possible.map(({ column }) => column))];
  const targets = [...new Set(possible.map(({ target }) => target))];
  if (columns.length === 0) return [];
  const byPlace = new Map<string, P>();
  for (const pair of possible) {
    const place = `${columns.indexOf(pair.column)} ${targets.indexOf(pair.target)}`;
    if ((byPlace.get(place)?.score ?? 0) < pair.score) byPlace.set(place, pair);
  }
  const most = Math.max(...possible.map(({ score }) => score));
  // The library needs a square, and a place without a pair costs as much as none.
  const size = Math.max(columns.length, targets.length);
  const costs = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_one, at) => most - (byPlace.get(`${row} ${at}`)?.score ?? 0)),
  );
  return munkres(costs).flatMap(([row, at]) => byPlace.get(`${row} ${at}`) ?? []);
};
