/** `GET /changes`: which tables' data changed since a point in time (contract: changes; since). */
import { readStates } from '../database/datasets.ts';
import { readPresent } from '../database/publications.ts';
import { callerOf } from '../http/gate.ts';
import { parseSince } from '../read/parameters.ts';
import { changedSince, presentTables, readableTables } from '../read/visible.ts';
import { askerOf, queryOf, type Routes } from './context.ts';
import { setCaching } from './headers.ts';

export const changesRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/changes',
    handler: async (request, reply) => {
      const { customer, tier } = callerOf(request);
      const since = parseSince(queryOf(request));
      const tables = presentTables(context.catalogue, await context.directories.of(customer));
      const { generated_at, states } = await context.reading.connections.within('pages', askerOf(request, reply), async () => {
        // Notices data that was restored; then every table has changed.
        await context.versions.of(customer.id);
        const generated_at = await readPresent(context.database.pool, customer.id);
        return { generated_at, states: await readStates(context.database.pool, customer.id, 'category') };
      });
      const changes = changedSince(readableTables(tables, tier), states, since);
      return setCaching(reply).send({ since, generated_at, changes });
    },
  });
};
