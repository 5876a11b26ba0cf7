/** `estate migrate` and `estate restored` */
import { commandLine, recordAction } from '../../access/audit.ts';
import { catalogue } from '../../catalogue/index.ts';
import { readConfig } from '../../config.ts';
import { citusOf } from '../../database/cluster/citus.ts';
import { listCustomers } from '../../database/control/customers.ts';
import { beginEpochForAll } from '../../database/control/epoch.ts';
import { findAllDifferences } from '../../database/inspect.ts';
import { openDatabase } from '../../service.ts';
import { addMissingColumns } from '../../sync/upgrade/new-columns.ts';
import { upgradeDatabase } from '../../sync/upgrade/upgrade.ts';
import { report, withSession } from '../session.ts';

export const migrateDatabase = async (options: { json?: boolean }) => {
  const database = await openDatabase(readConfig());
  try {
    const { applied, added } = await upgradeDatabase(database, catalogue);
    if (applied.length > 0) await recordAction(database.control, commandLine, 'migrated the control schema', applied.join(', '));
    const distributed = await citusOf(database).distributeCustomers();
    // A schema that was restored alone, from an earlier backup, lacks columns as well.
    const columns = [...added, ...(await addMissingColumns({ database, catalogue }, await listCustomers(database)))];
    const differences = await findAllDifferences(database, catalogue);
    const done = [...(applied.length > 0 ? [`Applied ${applied.join(', ')}.`] : []), ...columns];
    const moved = distributed.map((slug) => `Distributed customer ${slug}.`);
    const others = { ...(columns.length > 0 && { columns }), ...(distributed.length > 0 && { distributed }) };
    report({ applied, ...others, differences }, options, () =>
      [...(done.length > 0 ? done : ['Nothing to do.']), ...moved, ...differences].join('\n'),
    );
  } finally {
    await database.close();
  }
};

/** Declares that the data was restored from a copy of the database's files, which cannot be detected. */
export const declareRestored = (options: { json?: boolean }) =>
  withSession(async ({ database }) => {
    await beginEpochForAll(database);
    await recordAction(database.control, commandLine, 'declared the data restored', 'all customers');
    report({ restored: true }, options, () => 'Every table has a new version: no earlier ETag holds, and copies are downloaded again.');
  });
