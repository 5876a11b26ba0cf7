/** What a read needs of a request: customer, data scope, abort signal and timing (`execute/connections.ts`). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './gate.ts';
import { disconnectSignalOf } from './observers/response-end.ts';

export const requestContextOf = (request: FastifyRequest, reply: FastifyReply) => {
  const { customer, scope } = callerOf(request);
  return { customerId: customer.id, scope, signal: disconnectSignalOf(reply), timing: request.timing };
};
