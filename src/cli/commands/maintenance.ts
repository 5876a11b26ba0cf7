/** `estate migrate` and `estate restored` */
import { commandLine, recordAction } from '../../access/audit.ts';
import { catalogue } from '../../catalogue/index.ts';
import { readConfig } from '../../config.ts';
import { citusOf } from '../../database/cluster/citus.ts';
import { withClient } from '../../database/connections/transaction.ts';
import { ensureEpoch } from '../../database/control/epoch.ts';
import { findAllDifferences } from '../../database/inspect.ts';
import { prepareDatabase } from '../../database/prepare.ts';
import { openDatabase } from '../../service.ts';
import { report, withSession } from '../session.ts';

export const migrateDatabase = async (options: { json?: boolean }) => {
  const database = await openDatabase(readConfig());
  try {
    const applied = await prepareDatabase(database);
    if (applied.length > 0) await recordAction(database.control, commandLine, 'migrated the control schema', applied.join(', '));
    const distributed = await citusOf(database).distributeCustomers();
    const differences = await findAllDifferences(database, catalogue);
    const done = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to do.';
    const moved = distributed.map((slug) => `Distributed customer ${slug}.`);
    report({ applied, ...(distributed.length > 0 && { distributed }), differences }, options, () =>
      [done, ...moved, ...differences].join('\n'),
    );
  } finally {
    await database.close();
  }
};

/** Declares that the data was restored from a copy of the database's files, which cannot be detected. */
export const declareRestored = (options: { json?: boolean }) =>
  withSession(async ({ database }) => {
    await withClient(database.pool, (client) => ensureEpoch(client, 'in any case'));
    await recordAction(database.control, commandLine, 'declared the data restored', 'all customers');
    report({ restored: true }, options, () => 'Every table has a new version: no earlier ETag holds, and copies are downloaded again.');
  });
