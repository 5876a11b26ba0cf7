/** `GET /me`: what a key is for whoever holds it: its rights, its end, what is left of its quota, how fresh its data is (contract: me). */
import { callerOf } from '../http/gate.ts';
import { freshnessOf, presentTables, readableTables } from '../read/visible.ts';
import type { Routes } from './context.ts';

export const meRoutes: Routes = (app, { catalogue, directories, versions }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/me',
    handler: async (request, reply) => {
      const { customer, tier, groups, expiresAt } = callerOf(request);
      const { quota } = request;
      const tables = readableTables(presentTables(catalogue, await directories.of(customer)), tier);
      const states = await versions.of(customer.id);
      return reply.send({
        tier,
        groups: [...groups],
        expires_at: expiresAt,
        quota: quota
          ? { limit: quota.limit, remaining: quota.remaining, resets_at: new Date(Date.now() + quota.resetSeconds * 1_000) }
          : null,
        tables: freshnessOf(tables, (name) => states.get('category', name)),
      });
    },
  });
};
