/** `GET /me`: the rights and expiry of a key, its remaining quota and the age of its data (contract: me). */
import { keyAnswer, type me } from '../answers/me.ts';
import type { AnswerBody } from '../answers/values.ts';
import { visibleFailures } from '../checks/visible.ts';
import { freshnessOf } from '../execute/freshness.ts';
import { listReadable } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import type { Routes } from './context.ts';

export const meRoutes: Routes = (app, { catalogue, database, directories, versions }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/me',
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { customer, scope } = caller;
      const tables = listReadable(catalogue, await directories.of(customer), caller);
      const states = await versions.of(customer.id);
      const failures = await visibleFailures(database, { catalogue, caller, tables });
      const answer: AnswerBody<typeof me> = {
        ...keyAnswer(caller, request.quota),
        tables: freshnessOf(tables, (kind, name) => states.get(kind, name), scope).map((table) => ({
          ...table,
          endpoint_url: request.server.publicUrl.to(table.endpoint_url),
          failed_checks: failures.get(table.table) ?? [],
        })),
      };
      return reply.send(answer);
    },
  });
};
