/**
 * The content and the scope of each kind of cursor: for rows in any order (contract: GraphQL cursors; cursor lifetime), and for deltas.
 *
 * In the default order and with equality conditions only, a row has REST's cursor. Other orders and filters have their own cursors, which
 * hold the keyset.
 */

import type { Cursors } from './cursor.ts';
import { filterScope, hasRestCursor, type Plan, type Source, type TextRow } from './plan.ts';
import type { DeltaPosition } from './question.ts';

type Ordered = Pick<Plan, 'source' | 'where' | 'order' | 'relatedColumns' | 'groups'>;

export interface Keyset {
  /** The cursor of the row with this keyset. */
  sign(values: TextRow): string;
  /** The keyset of a cursor; undefined if the cursor belongs to another order or filter. */
  open(cursor: string): TextRow | undefined;
}

/** The cursors of a plan. */
export const keysetOf = (cursors: Cursors, plan: Ordered): Keyset => {
  const { source, where, order, relatedColumns, groups } = plan;
  if (hasRestCursor(plan)) {
    const scope = filterScope(plan);
    const open = (cursor: string) => {
      const key = cursors.open(scope, cursor);
      return key === undefined ? undefined : [key];
    };
    return { sign: ([key]) => cursors.sign(scope, key ?? ''), open };
  }
  const terms = order.map(({ column, isDescending }) => [column, isDescending]);
  const more = [...(relatedColumns ? [relatedColumns] : []), ...(groups ? [groups] : [])];
  const scope = JSON.stringify([source.customerId, source.kind, source.name, 'rows', where ?? null, terms, ...more]);
  return {
    sign: (values) => cursors.sign(scope, JSON.stringify(values)),
    open: (cursor) => {
      const values = cursors.open(scope, cursor);
      return values === undefined ? undefined : (JSON.parse(values) as TextRow);
    },
  };
};

/** The cursors of a delta walk since a version. */
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
