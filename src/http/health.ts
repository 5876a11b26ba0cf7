/** Health checks for balancers and supervisors: whether the process is alive, and whether it is ready for requests (contract: health). */
import type { FastifyInstance } from 'fastify';

export interface HealthOptions {
  /** The reasons why the database is not usable, as public texts; empty if it is usable. */
  readonly databaseFaults: () => Promise<readonly string[]>;
  readonly isStopping: () => boolean;
}

export const healthRoutes = (app: FastifyInstance, { databaseFaults, isStopping }: HealthOptions): void => {
  const config = { isUncounted: true } as const;
  app.route({ method: ['GET', 'HEAD'], url: '/health/live', config, handler: (_request, reply) => reply.send({ live: true }) });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health/ready',
    config,
    handler: async (_request, reply) => {
      const reasons = isStopping() ? ['the service is being stopped'] : await databaseFaults();
      const ready = reasons.length === 0;
      return reply.code(ready ? 200 : 503).send({ ready, reasons });
    },
  });
};
