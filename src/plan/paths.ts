/** Paths from a row over to-one relations. The target column is unique, so a path leads to at most one row. */
import type { ResolvedRelation } from '../catalogue/index.ts';

/** A step to the row whose `targetColumn` equals this row's `column`. */
export type RelationStep = Pick<ResolvedRelation, 'column' | 'target' | 'targetColumn'>;

export const relationStep = ({ column, target, targetColumn }: ResolvedRelation): RelationStep => ({ column, target, targetColumn });

/** A column of each row, or of the related row at the end of the steps. */
export interface Path {
  readonly via: readonly RelationStep[];
  readonly column: string;
}

/** The columns that a value of a row reads: its own column, or the operands of its function. */
export const pathsRead = <P extends Path>(value: P | { readonly of: readonly P[] }): readonly P[] => ('of' in value ? value.of : [value]);

/** Steps as text; equal steps have equal text. */
export const stepsKey = (via: readonly RelationStep[]): string =>
  via.map(({ column, target, targetColumn }) => `${column}>${target}.${targetColumn}`).join('/');

/** All distinct prefixes of the paths, shorter ones first. */
export const prefixesOf = (paths: readonly Path[]): ReadonlyMap<string, readonly RelationStep[]> => {
  const ways = new Map<string, readonly RelationStep[]>();
  for (const { via } of paths)
    for (const length of via.keys()) {
      const way = via.slice(0, length + 1);
      ways.set(stepsKey(way), way);
    }
  return ways;
};
