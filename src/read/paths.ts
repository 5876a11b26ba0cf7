/** Ways from a row over to-one relations: a column's target is unique, so that each leads to one row at most and none comes twice. */
import type { ResolvedRelation } from '../catalogue/index.ts';

/** From a row to the one row of another table whose `targetColumn` equals its `column`. */
export type Step = Pick<ResolvedRelation, 'column' | 'target' | 'targetColumn'>;

export const stepOf = ({ column, target, targetColumn }: ResolvedRelation): Step => ({ column, target, targetColumn });

/** A column of each row, or of the one row that to-one relations lead to from there. */
export interface Path {
  readonly via: readonly Step[];
  readonly column: string;
}

/** Steps as one string, the same for the same. */
export const stepsKey = (via: readonly Step[]): string =>
  via.map(({ column, target, targetColumn }) => `${column}>${target}.${targetColumn}`).join('/');

/** Each way that paths go, once, a way before those that go on from it. */
export const waysOf = (paths: readonly Path[]): ReadonlyMap<string, readonly Step[]> => {
  const ways = new Map<string, readonly Step[]>();
  for (const { via } of paths)
    for (const length of via.keys()) {
      const way = via.slice(0, length + 1);
      ways.set(stepsKey(way), way);
    }
  return ways;
};

/** The tables that paths lead to, each once. */
export const targetsOf = (paths: readonly Path[]): readonly string[] =>
  [...new Set(paths.flatMap(({ via }) => via.map(({ target }) => target)))].sort();
