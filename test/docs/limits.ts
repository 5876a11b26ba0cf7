/** The limits that the documentation states in tests without a service. */
import type { ServiceLimits } from '../../src/web/docs/guide.ts';

export const limits: ServiceLimits = {
  requestsPerHour: 500,
  requestTimeoutMs: 30_000,
  documentTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
  queueWaitMs: 10_000,
  deltaRetentionHours: 72,
};
