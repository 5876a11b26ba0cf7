/**
 * Cursors: the last row's key, signed with the scope in which it is valid.
 *
 * The scope contains customer, table and filters, but neither the limit nor the API key. A cursor survives restarts (contract: cursor
 * lifetime). It names a row by its key; the row itself may no longer exist.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

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
