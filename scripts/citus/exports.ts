/** A long read at the customer's node beside a load that replaces the table. The load gives way, and other readers are answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { citusOf } from '../../src/database/cluster/citus.ts';
import { readPlacement } from '../../src/database/cluster/placements.ts';
import { sessionOf } from '../../src/database/connections/pg-session.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { qualify } from '../../src/database/identifier.ts';
import { beginSnapshot } from '../../src/execute/connections.ts';
import { workerOf } from '../support/citus.ts';
import { createLoader } from './exactness.ts';
import { type Deployment, during } from './moves.ts';
import { report } from './report.ts';

const table = 'person';

/** Begins a snapshot of the table as the service does at the customer's node. Returns its rows as one text. */
const beginExport = async ({ nodes, database }: Deployment, slug: string) => {
  const { schema_name: schema } = await findCustomer(database, slug);
  const client = new pg.Client({ connectionString: (await workerOf(nodes, slug)).address('estate') });
  await client.connect();
  const { names } = (await readPlacement(database.pool, schema))!;
  sessionOf(client).tableNames = names;
  await beginSnapshot(client, [{ schema, name: table }], await citusOf(database).keepsLocksHere(client));
  const name = names.of(qualify(schema, table));
  const read = async () =>
    (await client.query(`select md5(string_agg(t::text, '' order by person_id)) as rows from ${name} t`)).rows[0].rows;
  return { read, end: () => client.end() };
};

export const checkExports = async (deployment: Deployment): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-exports-'));
  const load = await createLoader(deployment.database, 'nord', folder);
  await load(0);
  const long = await beginExport(deployment, 'nord');
  try {
    const before = await long.read();
    // An odd number replaces the table.
    const { answers, failed } = await during(deployment.send, `/raw/${table}?limit=100`, () => load(1));
    const isSame = (await long.read()) === before;
    return report(
      isSame && failed.length === 0,
      `a load beside a long read at the node: it has ${isSame ? 'the same' : 'other'} rows; ${answers} answers, ${failed.length} failed`,
    );
  } finally {
    await long.end();
    rmSync(folder, { recursive: true, force: true });
  }
};
