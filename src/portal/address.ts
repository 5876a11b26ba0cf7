/** The address that the visitor sees the service at. */
import type { FastifyRequest } from 'fastify';

/** It goes into commands for a shell, so nothing odd from a Host header may. */
export const addressOf = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string =>
  `${protocol}://${/^[\w.:[\]-]+$/.test(host ?? '') ? host : 'localhost'}`;
