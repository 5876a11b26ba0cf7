/** `GET /changes`: which tables' data changed since a point in time (contract: changes; since). */

import { parseInstant } from '../catalogue/instant.ts';
import { callerOf } from '../http/gate.ts';
import { changedSince } from '../read/catalog.ts';
import { readDatasets, readPresent } from '../read/datasets.ts';
import { presentTables, readableTables } from '../read/directory.ts';
import { Faults, violations } from '../read/faults.ts';
import { lastOf } from '../read/parameters.ts';
import { askerOf, queryOf, type Routes } from './context.ts';
import { setCaching } from './headers.ts';

const sinceOf = (query: URLSearchParams): Date => {
  const faults = new Faults();
  const text = lastOf(query, 'since');
  const since = text === undefined ? undefined : parseInstant(text);
  if (text === undefined) faults.add('since', violations.missing);
  else if (!since) faults.add('since', violations.noInstant);
  faults.throwIfAny();
  return since as Date;
};

export const changesRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/changes',
    handler: async (request, reply) => {
      const { customer, tier } = callerOf(request);
      const since = sinceOf(queryOf(request));
      const tables = presentTables(context.catalogue, await context.directories.of(customer));
      const { generated_at, states } = await context.reading.connections.within('pages', askerOf(request, reply), async () => {
        // Notices data that was restored; then every table has changed.
        await context.versions.of(customer.id);
        const generated_at = await readPresent(context.database, customer.id);
        return { generated_at, states: await readDatasets(context.database, customer.id, 'category') };
      });
      const changes = changedSince(readableTables(tables, tier), states, since);
      return setCaching(reply).send({ since, generated_at, changes });
    },
  });
};
