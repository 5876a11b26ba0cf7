/** `/health/*`, described (contract: health). */

import { auxiliaryTag } from './auxiliary.ts';
import type { Operation, Part, Response, Schema } from './document.ts';
import { ref } from './document.ts';

const answer = (description: string, properties: Record<string, Schema>, optional: Record<string, Schema> = {}): Response => ({
  description,
  headers: { 'X-Request-Id': ref('headers', 'X-Request-Id') },
  content: {
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } } },
  },
});

const malformed = ref('responses', 'Malformed');
const nodes: Schema = {
  type: 'object',
  description: 'Only on a cluster: nodes that can hold customers, those that answer, and the share of customers on them.',
  required: ['total', 'reachable', 'customers'],
  properties: { total: { type: 'integer' }, reachable: { type: 'integer' }, customers: { type: 'number', minimum: 0, maximum: 1 } },
};
const readiness = { ready: { type: 'boolean' }, reasons: { type: 'array', items: { type: 'string' } } };

/** They need no key and count nowhere. */
const operation = (described: Omit<Operation, 'tags' | 'security'>): Operation => ({
  tags: [auxiliaryTag.name],
  security: [{}],
  ...described,
});

export const healthPart: Part = {
  paths: {
    '/health/live': {
      get: operation({
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        description: 'For supervisors. A process that does not respond is restarted.',
        responses: { 200: answer('It answers.', { live: { type: 'boolean' } }), 400: malformed },
      }),
    },
    '/health/ready': {
      get: operation({
        operationId: 'getReadiness',
        summary: 'Whether requests can be answered',
        description: 'For load balancers. A process that is not ready gets no requests.',
        responses: {
          200: answer('It is ready.', readiness, { nodes }),
          400: malformed,
          503: answer('It is not ready; `reasons` say why.', readiness, { nodes }),
        },
      }),
    },
  },
};
