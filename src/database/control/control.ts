/**
 * The control schema `estate`: customers, keys, usage, and what else is not part of a customer's data.
 *
 * It holds what differs by customer or changes over time. Facts about a table are in the catalogue. The state of a customer's data is in
 * the customer's schema (`state-tables.ts`).
 */
import { type ColumnType, type DatabaseIntrospector, type Generated, Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { ScopeDefinition } from '../../catalogue/data-scope.ts';
import type { EndpointGroup, Tier } from '../../catalogue/tiers.ts';
import { OperatorError } from '../../errors.ts';
import { qualify } from '../identifier.ts';
import { customers } from '../migrations/001-customers.ts';
import { sync } from '../migrations/002-sync.ts';
import { portal } from '../migrations/003-portal.ts';
import { epoch } from '../migrations/004-epoch.ts';
import { deliveries } from '../migrations/005-deliveries.ts';
import { manyKeys } from '../migrations/006-many-keys.ts';
import { operators } from '../migrations/007-operators.ts';
import { changeLog } from '../migrations/008-change-log.ts';
import { keyScope } from '../migrations/009-key-scope.ts';
import { customerState } from '../migrations/010-customer-state.ts';
import { questions } from '../migrations/011-questions.ts';
import { controlSchema, createsPlainSchemas } from './control-schema.ts';

export { controlSchema };

/** A JSON column. It is written as text. */
type Json<T> = ColumnType<T | null, string | null, never>;

export interface ControlTables {
  customers: {
    id: Generated<number>;
    slug: string;
    name: string;
    tier: Tier;
    /** The schema that holds the customer's raw and category tables. */
    schema_name: string;
    created_at: Generated<Date>;
    /** When the customer was suspended; null if it is not. */
    suspended_at: Generated<Date | null>;
  };
  api_keys: {
    /** The public id of the key. */
    id: string;
    customer_id: number;
    /** The first key of the key family, to which the quota belongs (contract: quota owner). */
    lineage: string;
    name: string;
    tier: Tier;
    groups: EndpointGroup[];
    /** What the key reads of its tables; null: everything (contract: data scopes). */
    scope: Json<ScopeDefinition>;
    /** HMAC-SHA-256 of the whole key (contract: key storage). */
    hash: Buffer;
    created_at: Generated<Date>;
    expires_at: Date | null;
    disabled_at: Date | null;
    revoked_at: Date | null;
  };
  /** The current epoch, in one row (`epoch.ts`). */
  epoch: {
    id: string;
    /** The lowest version of this epoch; 0 until the first restore. */
    base: number;
    begun_at: Generated<Date>;
  };
  /**
   * Announcements of loads (`publications.ts`), and a summary of each customer's state for lists. The state itself is in the customer's
   * schema (`state-tables.ts`). Data versions never come from here.
   */
  publications: {
    customer_id: number;
    revision: number;
    /** Null while no load is announced. */
    announced_at: Date | null;
    /** The number of loads. The customer's schema has it, too; a difference shows that one of the two was restored. */
    loads: Generated<number>;
    /** Rows of category tables. */
    total_rows: Generated<number>;
    last_synced_at: Date | null;
    last_changed_at: Date | null;
  };
  /** The history of loads. Row counts are those of raw tables. */
  sync_runs: {
    id: Generated<number>;
    customer_id: number;
    mode: string;
    tables: string[];
    started_at: Generated<Date>;
    /** Null while the load runs. */
    ended_at: Date | null;
    inserted: Generated<number>;
    updated: Generated<number>;
    deleted: Generated<number>;
    error: string | null;
  };
  /** The usage of a key in one hour. After 30 days, only the newest hour of each key remains. */
  usage: {
    key_id: string;
    hour: Date;
    requests: number;
    /** Sent rows and bytes. */
    rows: number;
    bytes: number;
    /** Responses with status 400 and above, except 429, which counts as `limited`. */
    errors: number;
    limited: number;
    last_at: Date;
  };
  /** The usage of all keys together, for the whole period of the charts. */
  usage_totals: { hour: Date; requests: number; rows: number; bytes: number; errors: number; limited: number };
  /** The audit log: changes to customers and keys, and sign-ins. It holds no key and is append-only. */
  audit_log: {
    id: Generated<number>;
    at: Generated<Date>;
    actor: string;
    address: string | null;
    action: string;
    subject: string;
  };
  /** Saved questions (contract: saved questions). */
  questions: {
    id: Generated<number>;
    name: string;
    /** Null: for all customers. */
    customer_id: number | null;
    /** The GraphQL document. */
    document: string;
    added_at: Generated<Date>;
  };
  /** Portal sessions that were signed out before they expired. */
  ended_sessions: {
    id: string;
    expires_at: Date;
  };
}

/** Ordered by name. A released migration never changes. */
const migrations: Record<string, Migration> = {
  '001_customers_keys_datasets': customers,
  '002_sync': sync,
  '003_portal': portal,
  '004_epoch': epoch,
  '005_deliveries': deliveries,
  '006_many_keys': manyKeys,
  '007_operators': operators,
  '008_change_log': changeLog,
  '009_key_scope': keyScope,
  '010_customer_state': customerState,
  '011_questions': questions,
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

/** Limits the migrator's introspection to the control schema. Customers may have millions of columns. */
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
