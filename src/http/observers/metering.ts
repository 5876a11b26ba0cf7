/** Records every response: the usage of its key, and the metrics of the process. */
import type { UsageCounter } from '../../access/usage.ts';
import { responses } from '../../metrics.ts';
import { noRoute, type ResponseSubscriber, routeOf, tierLabel } from './answered.ts';

export const meterUsage =
  (usage: UsageCounter): ResponseSubscriber =>
  ({ request: { caller, rowsSent }, status, bytes }) => {
    if (caller) usage.count({ keyId: caller.keyId, status, rows: rowsSent?.() ?? 0, bytes });
  };

export const meterAnswer: ResponseSubscriber = ({ request, status, bytes, milliseconds, isComplete }) => {
  const route = routeOf(request);
  responses.count.inc({ route, status, class: tierLabel(request) });
  responses.seconds.observe({ route }, milliseconds / 1_000);
  responses.bytes.inc({ route }, bytes);
  const rows = request.rowsSent?.() ?? 0;
  if (rows > 0) responses.rows.inc({ route }, rows);
  if (!isComplete) responses.incomplete.inc({ route });
};

/** Records a refusal that never became a request. */
export const meterRefusal = (status: number): void => responses.count.inc({ route: noRoute, status, class: noRoute });
