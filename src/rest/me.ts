/** `GET /me`: the rights and expiry of a key, its remaining quota and the age of its data (contract: me). */
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
      const { customer, tier, groups, scope, expiresAt } = caller;
      const { quota } = request;
      const tables = listReadable(catalogue, await directories.of(customer), caller);
      const states = await versions.of(customer.id);
      const failures = await visibleFailures(database, { catalogue, caller, tables });
      return reply.send({
        tier,
        groups: [...groups],
        expires_at: expiresAt,
        quota: quota
          ? { limit: quota.limit, remaining: quota.remaining, resets_at: new Date(Date.now() + quota.resetSeconds * 1_000) }
          : null,
        ...(scope && { scope: scope.definition }),
        tables: freshnessOf(tables, (kind, name) => states.get(kind, name), scope).map((table) => ({
          ...table,
          endpoint_url: request.server.publicUrl.to(table.endpoint_url),
          failed_checks: failures.get(table.table) ?? [],
        })),
      });
    },
  });
};
