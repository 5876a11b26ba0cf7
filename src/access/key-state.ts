/** Whether a key is let in, said once: of a record, and as a condition in SQL. */
import { sql } from 'kysely';

/** What ends a key or lets it rest. */
export interface KeyTimes {
  readonly revoked_at: Date | null;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
}

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** Only an active key is let in; of several reasons why not it gives the most final one. */
export const stateOf = ({ revoked_at, disabled_at, expires_at }: KeyTimes): KeyState => {
  if (revoked_at) return 'revoked';
  if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
  return disabled_at ? 'disabled' : 'active';
};

/** Neither revoked nor expired; `k` is the key. */
export const hasNotEnded = sql<boolean>`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** `stateOf` is `active`; `k` is the key. */
export const isActive = sql<boolean>`${hasNotEnded} and k.disabled_at is null`;
