/** The state of a key, for a record and as a condition in SQL. */
import { sql } from 'kysely';

/** The times that end or disable a key. */
export interface KeyTimes {
  readonly revoked_at: Date | null;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
}

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** Only an active key is valid. Of several states, the most final one is returned. */
export const stateOf = ({ revoked_at, disabled_at, expires_at }: KeyTimes): KeyState => {
  if (revoked_at) return 'revoked';
  if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
  return disabled_at ? 'disabled' : 'active';
};

/** SQL: the key `k` is neither revoked nor expired. */
export const hasNotEnded = sql<boolean>`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** SQL: `stateOf` of the key `k` is `active`. */
export const isActive = sql<boolean>`${hasNotEnded} and k.disabled_at is null`;
