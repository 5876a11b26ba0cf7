/** The header `Prefer` (RFC 7240). */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The wait in seconds that the client prefers, at most `max`; undefined if it prefers none (RFC 7240, section 4.3). */
export const preferredWait = ({ headers: { prefer } }: FastifyRequest, max: number): number | undefined => {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[,;]|$)/i.exec(String(prefer ?? '')) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds), max);
};

/** Names the wait that applied. */
export const applyWait = (reply: FastifyReply, seconds: number): FastifyReply => reply.header('preference-applied', `wait=${seconds}`);
