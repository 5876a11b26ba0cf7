/** Health checks for balancers and supervisors: whether the process is alive, and whether it is ready for requests (contract: health). */
import type { FastifyInstance } from 'fastify';
import type { liveness, readiness } from '../answers/health.ts';
import type { AnswerBody } from '../answers/values.ts';

export interface HealthOptions {
  /** The reasons why the database is not usable, as public texts; empty if it is usable. */
  readonly databaseProblems: () => Promise<readonly string[]>;
  /** How much of a cluster answers; undefined without one. */
  readonly nodeShare: () => Promise<AnswerBody<typeof readiness>['nodes']>;
  readonly isStopping: () => boolean;
}

export const healthRoutes = (app: FastifyInstance, { databaseProblems, isStopping, nodeShare }: HealthOptions): void => {
  const config = { isUncounted: true } as const;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health/live',
    config,
    handler: (_request, reply) => reply.send({ live: true } satisfies AnswerBody<typeof liveness>),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health/ready',
    config,
    handler: async (_request, reply) => {
      const problems = isStopping() ? ['the service is being stopped'] : await databaseProblems();
      // With a part of the nodes, the service works for the customers on them.
      const nodes = problems.length === 0 ? await nodeShare() : undefined;
      const reasons = nodes && nodes.total > 0 && nodes.reachable === 0 ? ['no node with customers answers'] : problems;
      const ready = reasons.length === 0;
      const answer: AnswerBody<typeof readiness> = { ready, reasons, ...(nodes && { nodes }) };
      return reply.code(ready ? 200 : 503).send(answer);
    },
  });
};
