/** Values of each row: a column of it or of a related row, or a function of two of them (contract: row functions). */
import { type Expression, sql } from 'kysely';
import type { Kind } from '../catalogue/column.ts';
import { type KindMeaning, kinds } from '../catalogue/kinds.ts';
import type { OverColumn } from '../plan/groups/groups.ts';
import type { Path } from '../plan/paths.ts';
import type { FunctionColumn } from '../plan/plan.ts';
import type { Any } from './bindings.ts';

/** Finds the column that a path from each row leads to. */
export type Reach = (path: Path) => Expression<Any>;

/** A column of the row, or of the row that relations lead to. */
type Reached = Pick<OverColumn, 'via' | 'column'>;

/** A row function and its operands. */
type Applied = Pick<FunctionColumn, 'call' | 'of'>;

/** A value, or null if it is NaN or infinite (contract: values that are not finite). */
export const finiteOf = (value: Expression<Any>, kind: Kind): Expression<Any> => {
  const { finite }: KindMeaning = kinds[kind];
  const parts = (finite ?? []).flatMap((part, index) => [...(index > 0 ? [value] : []), sql.raw(part)]);
  return finite ? sql.join(parts, sql.raw('')) : value;
};

/** The day of a date or of a point in time in UTC. */
export const dayOfMoment = (value: Expression<Any>, kind: Kind) => (kind === 'date' ? value : sql`(${value} at time zone 'UTC')::date`);

/** Infinite dates have no distance. The product of two whole numbers can be beyond their type. */
const functionOf = (reach: Reach, { call, of }: Applied): Expression<Any> => {
  const day = (at: number) => dayOfMoment(finiteOf(reach(of[at]!), of[at]!.kind), of[at]!.kind);
  const factor = (at: number) => sql`${reach(of[at]!)}::numeric`;
  switch (call) {
    case 'days':
      return sql`(${day(1)} - ${day(0)})`;
    case 'product':
      return sql`(${factor(0)} * ${factor(1)})`;
    case 'percentage':
      return sql`(${factor(0)} * ${factor(1)} * 0.01)`;
  }
};

/** The value of a row. A number can be NaN. */
export const rowValueOf = (reach: Reach, value: Reached | Applied): Expression<Any> =>
  'call' in value ? functionOf(reach, value) : reach({ via: value.via ?? [], column: value.column });
