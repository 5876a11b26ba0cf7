/** `GET /changes`: which tables' data changed since a point in time (contract: changes; since). */
import { readStates } from '../database/control/datasets.ts';
import { readPresent } from '../database/control/publications.ts';
import { changedSince, readStatesOf } from '../execute/freshness.ts';
import { listReadable } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';
import { parseSince } from '../query/parameters.ts';
import { queryOf, type Routes } from './context.ts';
import { setCaching } from './respond.ts';

export const changesRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/changes',
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { customer } = caller;
      const since = parseSince(queryOf(request));
      const tables = listReadable(context.catalogue, await context.directories.of(customer), caller);
      const { generated_at, stateOf } = await context.reading.connections.within('pages', requestContextOf(request, reply), async () => {
        // Detects restored data. In this case, every table has changed.
        await context.versions.of(customer.id);
        const generated_at = await readPresent(context.database.pool, customer.id);
        return { generated_at, stateOf: await readStatesOf(tables, (kind) => readStates(context.database, customer, kind)) };
      });
      const changes = changedSince(tables, stateOf, since, caller.scope);
      return setCaching(reply).send({ since, generated_at, changes });
    },
  });
};
