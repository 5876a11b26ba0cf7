/**
 * Cursors: the keyset of the last row, signed with the scope in which it is valid (contract: GraphQL cursors; cursor lifetime).
 *
 * The scope contains customer, table and filters, but neither the limit nor the API key. A cursor survives restarts. It names a row by its
 * keyset; the row itself may no longer exist.
 *
 * In the default order and with equality conditions only, a row has REST's cursor, which holds the key. Other orders and filters have their
 * own cursors, which hold the keyset.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { scopePart } from '../catalogue/readership.ts';
import { filterScope, hasRestCursor, type Plan, type PlanSource, type TextRow } from './plan.ts';
import type { DeltaPosition } from './plan-query.ts';
import { relatedInOrder } from './references.ts';

const macLength = 12;

export interface Cursors {
  /** The cursor after the row with this key, within `scope`. */
  sign(scope: string, key: string): string;
  /** The key of a cursor; undefined if the cursor is not valid in this scope. */
  open(scope: string, cursor: string): string | undefined;
}

/** Cursors signed with the service's secret, which all instances share. */
export const createCursors = (secret: string): Cursors => {
  const signingKey = createHmac('sha256', secret).update('estate cursor').digest();
  const mac = (scope: string, key: string) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify([scope, key]))
      .digest()
      .subarray(0, macLength);
  return {
    sign: (scope, key) => Buffer.concat([mac(scope, key), Buffer.from(key)]).toString('base64url'),
    open: (scope, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url');
      // Only canonical base64 is valid, because decoders skip unknown characters.
      if (bytes.length <= macLength || bytes.toString('base64url') !== cursor) return undefined;
      const key = bytes.subarray(macLength).toString();
      return timingSafeEqual(bytes.subarray(0, macLength), mac(scope, key)) ? key : undefined;
    },
  };
};

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
  // The names of related columns depend on the columns of the answer.
  const followed = relatedInOrder({ order, relatedColumns });
  const ordering = order.flatMap(({ column }) => followed.find(({ name }) => name === column) ?? []);
  const places = new Map(ordering.map(({ name }, at) => [name, at]));
  const terms = order.map(({ column, isDescending }) => [places.get(column) ?? column, isDescending]);
  const related = ordering.map(({ name: _, ...path }) => path);
  const more = [...(related.length > 0 ? [related] : []), ...(groups ? [groups] : [])];
  const scope = JSON.stringify([source.customerId, source.kind, source.name, 'rows', where ?? null, terms, ...more, ...scopePart(source)]);
  return {
    sign: (values) => cursors.sign(scope, JSON.stringify(values)),
    open: (cursor) => {
      const values = cursors.open(scope, cursor);
      return values === undefined ? undefined : (JSON.parse(values) as TextRow);
    },
  };
};

/** The cursors of a delta walk since a version. */
export const deltaCursorsOf = (cursors: Cursors, source: PlanSource, since: number) => {
  const scope = JSON.stringify(['deltas', source.customerId, source.kind, source.name, since, ...scopePart(source)]);
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
