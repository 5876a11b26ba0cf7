/**
 * The control schema `estate`: who the customers are, which keys they have, which tables they have and at which version.
 *
 * Everything here varies by customer or by time; what is true of a table as such stands in the catalogue.
 */
import { type DatabaseIntrospector, type Generated, Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { EndpointGroup, Tier } from '../catalogue/tiers.ts';
import { OperatorError } from '../errors.ts';
import { controlSchema } from './control-schema.ts';
import { qualify } from './identifier.ts';
import { customers } from './migrations/001-customers.ts';
import { sync } from './migrations/002-sync.ts';
import { portal } from './migrations/003-portal.ts';
import { epoch } from './migrations/004-epoch.ts';
import { deliveries } from './migrations/005-deliveries.ts';
import { manyKeys } from './migrations/006-many-keys.ts';
import { operators } from './migrations/007-operators.ts';
import { changeLog } from './migrations/008-change-log.ts';

export { controlSchema };

export interface ControlTables {
  customers: {
    id: Generated<number>;
    slug: string;
    name: string;
    tier: Tier;
    /** The schema that holds the customer's raw and category tables. */
    schema_name: string;
    created_at: Generated<Date>;
    /** Since when its keys are refused; null while they are not. */
    suspended_at: Generated<Date | null>;
  };
  api_keys: {
    /** The public part of the key. */
    id: string;
    customer_id: number;
    /** The id of the key that this one was first rotated from; the rate-limit quota belongs to it (contract: quota owner). */
    lineage: string;
    name: string;
    tier: Tier;
    groups: EndpointGroup[];
    /** HMAC-SHA-256 of the whole key (contract: key storage). */
    hash: Buffer;
    created_at: Generated<Date>;
    expires_at: Date | null;
    disabled_at: Date | null;
    revoked_at: Date | null;
  };
  /** A raw or category table of a customer, as of its last sync (contract: snapshot time; data versions). */
  datasets: {
    customer_id: number;
    kind: DatasetKind;
    name: string;
    /** Of raw tables: the integer column that they page by, and the tier that they need. */
    key_column: string | null;
    tier: Tier | null;
    version: Generated<number>;
    row_count: Generated<number>;
    synced_at: Date | null;
    changed_at: Date | null;
    id: Generated<number>;
    /** The oldest version since which deltas are kept (contract: deltas). */
    kept_from: Generated<number>;
  };
  /** When each version was made, as far back as deltas are kept. */
  dataset_versions: { dataset_id: number; version: number; made_at: Date };
  /** The last version that changed the row of a key; what was changed before `kept_from` is forgotten. */
  changed_keys: { dataset_id: number; key: string; version: number; is_deleted: boolean };
  /** Which life of the data this is, in one row (`epoch.ts`). */
  epoch: {
    id: string;
    /** Versions of this epoch begin here; 0 until the data is first restored. */
    base: number;
    begun_at: Generated<Date>;
  };
  /** What loads have announced (`publications.ts`); `announced_at` is null when nothing is under way. */
  publications: { customer_id: number; revision: number; announced_at: Date | null };
  /** History of loads; rows are counted over the raw tables. */
  sync_runs: {
    id: Generated<number>;
    customer_id: number;
    mode: string;
    tables: string[];
    started_at: Generated<Date>;
    /** Null while the load is under way. */
    ended_at: Date | null;
    inserted: Generated<number>;
    updated: Generated<number>;
    deleted: Generated<number>;
    error: string | null;
  };
  /** What a key was used for in one hour; of older hours than the last 30 days only the newest of each key is kept. */
  usage: {
    key_id: string;
    hour: Date;
    requests: number;
    /** Rows and bytes sent. */
    rows: number;
    bytes: number;
    /** Answers of 400 and above, but for the 429s, which are counted as `limited`. */
    errors: number;
    limited: number;
    last_at: Date;
  };
  /** The same of all keys together, for as long as series go back. */
  usage_totals: { hour: Date; requests: number; rows: number; bytes: number; errors: number; limited: number };
  /** What was done to customers and keys, and who signed in; never a key's text. Entries can only be added. */
  audit_log: {
    id: Generated<number>;
    at: Generated<Date>;
    actor: string;
    address: string | null;
    action: string;
    subject: string;
  };
  /** Portal sessions that were signed out before their time. */
  ended_sessions: {
    id: string;
    expires_at: Date;
  };
}

export type DatasetKind = 'raw' | 'category';

/** In the order of their names; a migration that has been released is never changed. */
const migrations: Record<string, Migration> = {
  '001_customers_keys_datasets': customers,
  '002_sync': sync,
  '003_portal': portal,
  '004_epoch': epoch,
  '005_deliveries': deliveries,
  '006_many_keys': manyKeys,
  '007_operators': operators,
  '008_change_log': changeLog,
};

const undefinedTable = '42P01';
const applied = qualify(controlSchema, 'kysely_migration');

/**
 * Why this program cannot work with the control schema that is there, if it cannot; one that is newer is right, as in a rolling
 * upgrade. Throws when the database fails, or does not answer within `withinMs`.
 */
export const controlFault = async (pool: pg.Pool, withinMs?: number): Promise<string | undefined> => {
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

/** Throws an `OperatorError` if a newer program has been here: going back takes the backup from before the upgrade. */
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

/** What the migrator asks of the database, told of the control schema alone: customers may have millions of columns. */
const introspectorOf = (db: Kysely<unknown>): DatabaseIntrospector => {
  const namesIn = async (query: ReturnType<typeof sql<{ name: string }>>) => (await query.execute(db)).rows;
  const getTables = async () => {
    const tables = await namesIn(sql`select tablename as name from pg_catalog.pg_tables where schemaname = ${controlSchema}`);
    return tables.map(({ name }) => ({ name, schema: controlSchema, isView: false, columns: [] }));
  };
  return {
    getSchemas: () => namesIn(sql`select nspname as name from pg_catalog.pg_namespace where nspname = ${controlSchema}`),
    getTables,
    getMetadata: async () => ({ tables: await getTables() }),
  };
};

class ControlDialect extends PostgresDialect {
  override createIntrospector = introspectorOf;
}

export const controlOver = (pool: pg.Pool): Kysely<ControlTables> =>
  new Kysely<ControlTables>({ dialect: new ControlDialect({ pool }) }).withSchema(controlSchema);

/** Brings the control schema to the newest version; safe to run from several processes at once. Throws an `OperatorError` if it is newer. */
export const migrate = async (db: Kysely<ControlTables>): Promise<readonly string[]> => {
  await refuseNewer(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, migrationTableSchema: controlSchema });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
};
