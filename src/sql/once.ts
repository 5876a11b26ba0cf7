/**
 * Sums over related rows: a part of the groups with the different related rows of each group, and their sums (contract: sums over
 * relations). The part is put side by side with the groups that have the other values, as the groups of another table are.
 */
import { type Expression, sql } from 'kysely';
import { onceOf, type SumOnce } from '../plan/groups/groups.ts';
import { type Path, stepsKey } from '../plan/paths.ts';
import { type Any, column } from './bindings.ts';
import { db, type RowsQuery } from './select.ts';

/** The sums of each part: sums over the same relation without a condition share one. */
export const onceParts = (values: Parameters<typeof onceOf>[0]): readonly (readonly SumOnce[])[] => {
  const parts = new Map<string, SumOnce[]>();
  for (const value of onceOf(values)) {
    const shared = value.where ? value.name : stepsKey(value.via);
    parts.set(shared, [...(parts.get(shared) ?? []), value]);
  }
  return [...parts.values()];
};

/** No column of a table has a blank in its name. */
const relatedColumn = 'related row';

/** Each related row of each group, once. The last relation leads to it by a unique column, so equal rows have equal values. */
export const relatedOnce = (
  rows: RowsQuery,
  keys: readonly (readonly [name: string, value: Expression<Any>])[],
  sums: readonly SumOnce[],
  reach: (path: Path) => Expression<Any>,
): RowsQuery => {
  const { via } = sums[0]!;
  const found = rows
    .distinct()
    .select([
      ...keys.map(([name, value]) => sql`${value}`.as(name)),
      sql`${reach({ via, column: via.at(-1)!.targetColumn })}`.as(relatedColumn),
      ...sums.map((value) => sql`${reach(value)}`.as(value.name)),
    ]);
  return db.selectFrom(found.as('t')) as RowsQuery;
};

export const sumOfRelated = ({ name }: SumOnce): Expression<Any> => sql`sum(${column(name)})`;
