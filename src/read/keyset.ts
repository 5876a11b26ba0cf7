/**
 * Cursors of rows in any order (contract: GraphQL cursors).
 *
 * In default order, filtered by nothing but equality, a row has the cursor that REST gives it. Any other order or filter
 * has cursors of its own, which hold the values that the row is ordered by.
 */
import type { Cursors } from './cursor.ts';
import { hasPlainCursor, type Plan, scopeOf, type TextRow } from './plan.ts';

type Ordered = Pick<Plan, 'source' | 'where' | 'order'>;

export interface Keyset {
  /** The cursor of the row with these values of the order's columns. */
  sign(values: TextRow): string;
  /** The values that a cursor holds; undefined if it was not made for this order and filter. */
  open(cursor: string): TextRow | undefined;
}

/** The cursors of a plan. */
export const keysetOf = (cursors: Cursors, plan: Ordered): Keyset => {
  const { source, where, order } = plan;
  if (hasPlainCursor(plan)) {
    const scope = scopeOf(plan);
    const open = (cursor: string) => {
      const key = cursors.open(scope, cursor);
      return key === undefined ? undefined : [key];
    };
    return { sign: ([key]) => cursors.sign(scope, key ?? ''), open };
  }
  const terms = order.map(({ column, isDescending }) => [column, isDescending]);
  const scope = JSON.stringify([source.customerId, source.kind, source.name, 'rows', where ?? null, terms]);
  return {
    sign: (values) => cursors.sign(scope, JSON.stringify(values)),
    open: (cursor) => {
      const values = cursors.open(scope, cursor);
      return values === undefined ? undefined : (JSON.parse(values) as TextRow);
    },
  };
};
