/** Tells about every answer: the usage of its key, and the metrics of the process. */
import type { UsageCounter } from '../access/usage.ts';
import { answers } from '../metrics.ts';
import { classOf, type Listener, none, routeOf } from './answered.ts';

export const meterUsage =
  (usage: UsageCounter): Listener =>
  ({ request: { caller, rowsSent }, status, bytes }) => {
    if (caller) usage.count({ keyId: caller.keyId, status, rows: rowsSent?.() ?? 0, bytes });
  };

export const meterAnswer: Listener = ({ request, status, bytes, milliseconds, isWhole }) => {
  const route = routeOf(request);
  answers.count.inc({ route, status, class: classOf(request) });
  answers.seconds.observe({ route }, milliseconds / 1_000);
  answers.bytes.inc({ route }, bytes);
  const rows = request.rowsSent?.() ?? 0;
  if (rows > 0) answers.rows.inc({ route }, rows);
  if (!isWhole) answers.brokenOff.inc({ route });
};

/** What never became a request. */
export const meterRefusal = (status: number): void => answers.count.inc({ route: none, status, class: none });
