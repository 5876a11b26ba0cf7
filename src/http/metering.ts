/** Tells the usage counter about every answer to a request with a valid key. */
import type { UsageCounter } from '../access/usage.ts';
import type { Listener } from './answered.ts';

export const meterUsage =
  (usage: UsageCounter): Listener =>
  ({ request: { caller, rowsSent }, status, bytes }) => {
    if (caller) usage.count({ keyId: caller.keyId, status, rows: rowsSent?.() ?? 0, bytes });
  };
