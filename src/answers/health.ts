/** Health checks (contract: health). */
import { z } from 'zod';
import { text } from './values.ts';

export const liveness = z.object({ live: z.boolean() });

export const readiness = z.object({
  ready: z.boolean(),
  reasons: z.array(text),
  nodes: z
    .object({ total: z.int(), reachable: z.int(), customers: z.number().min(0).max(1) })
    .optional()
    .describe('Only on a cluster: nodes that can hold customers, those that answer, and the share of customers on them.'),
});
