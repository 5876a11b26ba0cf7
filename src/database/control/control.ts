/** The migrations of the control schema. */
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import type pg from 'pg';
import { OperatorError } from '../../errors.ts';
import { type ControlTables, controlSchema, createsPlainSchemas } from '../control-tables.ts';
import { qualify } from '../identifier.ts';
import { customers } from '../migrations/001-customers.ts';
import { syncMigration } from '../migrations/002-sync.ts';
import { portal } from '../migrations/003-portal.ts';
import { epoch } from '../migrations/004-epoch.ts';
import { deliveries } from '../migrations/005-deliveries.ts';
import { manyKeys } from '../migrations/006-many-keys.ts';
import { operatorsMigration } from '../migrations/007-operators.ts';
import { changeLog } from '../migrations/008-change-log.ts';
import { keyScope } from '../migrations/009-key-scope.ts';
import { customerState } from '../migrations/010-customer-state.ts';
import { addQuestions } from '../migrations/011-questions.ts';
import { keyHash } from '../migrations/012-key-hash.ts';
import { tableLoads } from '../migrations/013-table-loads.ts';
import { webhooks } from '../migrations/014-webhooks.ts';
import { outdatedCustomers } from '../migrations/015-outdated-customers.ts';
import { questionsOfKeys } from '../migrations/016-questions-of-keys.ts';
import { outcomesOfQuestions } from '../migrations/017-outcomes-of-questions.ts';
import { uploads } from '../migrations/018-uploads.ts';
import { keptSources } from '../migrations/019-kept-sources.ts';
import { addWaitingUploads } from '../migrations/020-waiting-uploads.ts';
import { drafts } from '../migrations/021-drafts.ts';

/** Ordered by name. A released migration never changes. */
const migrations: Record<string, Migration> = {
  '001_customers_keys_datasets': customers,
  '002_sync': syncMigration,
  '003_portal': portal,
  '004_epoch': epoch,
  '005_deliveries': deliveries,
  '006_many_keys': manyKeys,
  '007_operators': operatorsMigration,
  '008_change_log': changeLog,
  '009_key_scope': keyScope,
  '010_customer_state': customerState,
  '011_questions': addQuestions,
  '012_key_hash': keyHash,
  '013_table_loads': tableLoads,
  '014_webhooks': webhooks,
  '015_outdated_customers': outdatedCustomers,
  '016_questions_of_keys': questionsOfKeys,
  '017_outcomes_of_questions': outcomesOfQuestions,
  '018_uploads': uploads,
  '019_kept_sources': keptSources,
  '020_waiting_uploads': addWaitingUploads,
  '021_drafts': drafts,
};

const undefinedTable = '42P01';
const applied = qualify(controlSchema, 'kysely_migration');

/**
 * The reason why this program cannot use the control schema, or undefined. A newer schema is accepted, because a rolling upgrade has one.
 * Throws if the database fails or does not answer within `withinMs`.
 */
export const controlProblem = async (pool: pg.Pool, withinMs?: number): Promise<string | undefined> => {
  const text = `select max(name) as newest from ${applied}`;
  try {
    const { rows } = await pool.query<{ newest: string | null }>({ text, query_timeout: withinMs } as pg.QueryConfig);
    const isThere = (rows[0]?.newest ?? '') >= (Object.keys(migrations).at(-1) ?? '');
    return isThere ? undefined : 'the control schema is older than this program';
  } catch (error) {
    if ((error as { code?: string }).code === undefinedTable) return 'the control schema is not there';
    throw error;
  }
};

/** Throws an `OperatorError` if a newer program migrated the schema. A downgrade needs the backup from before the upgrade. */
export const refuseNewer = async (db: Kysely<ControlTables>): Promise<void> => {
  const { rows: there } = await sql<{ table: string | null }>`select to_regclass(${applied}) as table`.execute(db);
  if (!there[0]?.table) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.raw(applied)} order by name`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length > 0)
    throw new OperatorError(
      `The control schema is newer than this program: it has ${unknown.join(', ')}. Run the newer program, or restore the backup from before the upgrade.`,
    );
};

/**
 * Migrates the control schema to the newest version. Several processes may call it at once. Throws an `OperatorError` if the schema is
 * newer.
 */
export const migrate = async (db: Kysely<ControlTables>): Promise<readonly string[]> => {
  await refuseNewer(db);
  return db.connection().execute(async (connection) => {
    // `estate` stays on the coordinator.
    await sql.raw(createsPlainSchemas).execute(connection);
    return migrateOn(connection);
  });
};

const migrateOn = async (db: Kysely<ControlTables>): Promise<readonly string[]> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, migrationTableSchema: controlSchema });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
};
