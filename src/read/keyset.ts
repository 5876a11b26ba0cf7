/**
 * What each kind of cursor holds and is bound to: rows in any order (contract: GraphQL cursors; cursor lifetime), and changes.
 *
 * In default order, filtered by nothing but equality, a row has the cursor that REST gives it. Any other order or filter
 * has cursors of its own, which hold the values that the row is ordered by.
 */
import type { DeltaPosition } from './asked.ts';
import type { Cursors } from './cursor.ts';
import { filterScope, hasPlainCursor, type Plan, type Source, type TextRow } from './plan.ts';

type Ordered = Pick<Plan, 'source' | 'where' | 'order' | 'far' | 'groups'>;

export interface Keyset {
  /** The cursor of the row with these values of the order's columns. */
  sign(values: TextRow): string;
  /** The values that a cursor holds; undefined if it was not made for this order and filter. */
  open(cursor: string): TextRow | undefined;
}

/** The cursors of a plan. */
export const keysetOf = (cursors: Cursors, plan: Ordered): Keyset => {
  const { source, where, order, far, groups } = plan;
  if (hasPlainCursor(plan)) {
    const scope = filterScope(plan);
    const open = (cursor: string) => {
      const key = cursors.open(scope, cursor);
      return key === undefined ? undefined : [key];
    };
    return { sign: ([key]) => cursors.sign(scope, key ?? ''), open };
  }
  const terms = order.map(({ column, isDescending }) => [column, isDescending]);
  const more = [...(far ? [far] : []), ...(groups ? [groups] : [])];
  const scope = JSON.stringify([source.customerId, source.kind, source.name, 'rows', where ?? null, terms, ...more]);
  return {
    sign: (values) => cursors.sign(scope, JSON.stringify(values)),
    open: (cursor) => {
      const values = cursors.open(scope, cursor);
      return values === undefined ? undefined : (JSON.parse(values) as TextRow);
    },
  };
};

/** The cursors of a walk through the changes of a table since a version. */
export const deltaCursorsOf = (cursors: Cursors, { customerId, kind, name }: Source, since: number) => {
  const scope = JSON.stringify(['deltas', customerId, kind, name, since]);
  return {
    sign: ({ to, version, key }: DeltaPosition): string => cursors.sign(scope, JSON.stringify([to, version, key])),
    open: (cursor: string): DeltaPosition | undefined => {
      const text = cursors.open(scope, cursor);
      if (text === undefined) return undefined;
      const [to, version, key] = JSON.parse(text) as [number, number, string];
      return { to, version, key };
    },
  };
};
