/**
 * Cursors: the last row's key, signed together with what it may continue.
 *
 * A cursor is bound to customer, table and filters, not to the limit or the API key, and survives restarts (contract: cursor
 * lifetime).
 * It names a row by its key; the row itself may be gone.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const macLength = 12;

export interface Cursors {
  /** The cursor behind the row with this key, within `scope`. */
  sign(scope: string, key: string): string;
  /** The key that a cursor names; undefined if it was not made for this scope. */
  open(scope: string, cursor: string): string | undefined;
}

/** Cursors under the service's secret; every instance has the same one. */
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
      // Only the canonical spelling counts: base64 decoders skip what they do not know.
      if (bytes.length <= macLength || bytes.toString('base64url') !== cursor) return undefined;
      const key = bytes.subarray(macLength).toString();
      return timingSafeEqual(bytes.subarray(0, macLength), mac(scope, key)) ? key : undefined;
    },
  };
};
