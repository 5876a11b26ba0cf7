/** Tells about every answer: the usage of its key, and the metrics of the process. */
import type { UsageCounter } from '../access/usage.ts';
import { answers } from '../metrics.ts';
import type { Listener } from './answered.ts';

export const meterUsage =
  (usage: UsageCounter): Listener =>
  ({ request: { caller, rowsSent }, status, bytes }) => {
    if (caller) usage.count({ keyId: caller.keyId, status, rows: rowsSent?.() ?? 0, bytes });
  };

/** What asks for no route of the service, however it is spelt. */
const noRoute = 'none';

export const meterAnswer: Listener = ({ request, status, bytes, milliseconds, isWhole }) => {
  const route = request.routeOptions?.url ?? noRoute;
  answers.count.inc({ route, status, class: request.caller?.tier ?? 'none' });
  answers.seconds.observe({ route }, milliseconds / 1_000);
  answers.bytes.inc({ route }, bytes);
  const rows = request.rowsSent?.() ?? 0;
  if (rows > 0) answers.rows.inc({ route }, rows);
  if (!isWhole) answers.brokenOff.inc({ route });
};

/** What never became a request. */
export const meterRefusal = (status: number): void => answers.count.inc({ route: noRoute, status, class: 'none' });
