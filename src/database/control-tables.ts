/**
 * The control schema `estate`: customers, keys, usage, and what else is not part of a customer's data.
 *
 * It holds what differs by customer or changes over time. Facts about a table are in the catalogue. The state of a customer's data is in
 * the customer's schema (`control/state-tables.ts`).
 */
import { type ColumnType, type DatabaseIntrospector, type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { ScopeDefinition } from '../catalogue/data-scope.ts';
import type { KeyGroup, Tier } from '../catalogue/tiers.ts';

/** The schema of the control data. Each customer's data has a schema of its own. */
export const controlSchema = 'estate';

/** Schemas that a session creates are not distributed by themselves. Without Citus, the setting means nothing. */
export const createsPlainSchemas = 'set citus.enable_schema_based_sharding = off';

/** What a schema made of the document of a question; null if it is not valid there. */
export type QuestionOutcome = {
  readonly variables: readonly { readonly name: string; readonly type: string }[];
  /** The number of lists in the answer. CSV is for one list. */
  readonly lists: number;
} | null;

/** The outcomes of one question, by the digest of the schema. */
export type QuestionOutcomes = Readonly<Record<string, QuestionOutcome>>;

/** A JSON column. It is written as text. */
type Json<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** The progress of an upload. */
export interface UploadProgress {
  readonly phase: string;
  readonly subject: string;
  readonly rows: number;
}

/** The losses that a person must allow before a delivery is loaded: raw tables. */
export interface HeldLosses {
  readonly deletes: readonly string[];
  readonly emptyColumns: readonly string[];
}

/** What a person decides about an upload whose files are kept. */
export interface HeldUpload extends HeldLosses {
  /** Whether the person can allow what stopped it. Otherwise it can be tried again, such as after a change of the source. */
  readonly canAllow: boolean;
  /** The source file of the upload, or the name of the kept source; null for files of raw tables. */
  readonly source: { readonly text: string; readonly name: string } | { readonly kept: string } | null;
}

type Mode = 'full' | 'upsert';

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
    groups: KeyGroup[];
    /** What the key reads of its tables; null: everything (contract: data scopes). */
    scope: Json<ScopeDefinition>;
    /** HMAC-SHA-256 of the whole key, 32 bytes (contract: key storage). */
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
    /** The names of the files, and the rows and keys in them. */
    files: Generated<string[]>;
    rows_read: Generated<number>;
    /** The checks of the data that failed after the load; null if they did not run. */
    failed_checks: number | null;
    /** The name of the source; null for files of raw tables. */
    source: Generated<string | null>;
    /** The version of the source that was kept with the customer; null for a source file of the load. */
    source_version: Generated<number | null>;
  };
  /** The versions of the sources that are kept with customers (contract: kept sources). It is append-only. */
  kept_sources: {
    customer_id: number;
    name: string;
    /** From 1 for each name. */
    version: number;
    /** The source file; null if this version ends the source. */
    text: string | null;
    kept_by: string;
    kept_at: Generated<Date>;
  };
  /** The last load of each table, for metrics. The state of the table is in the customer's schema. */
  table_loads: {
    customer_id: number;
    table_name: string;
    loaded_at: Date;
    rows: number;
    deleted: number;
    /** The duration of the whole load. */
    seconds: number;
    failed_checks: number;
  };
  /** Deliveries over HTTP that are checked or loaded. Any process of the service shows them. */
  uploads: {
    id: string;
    customer_id: number;
    actor: string;
    is_check: boolean;
    mode: Mode;
    /** The names of the files, and of the source file. */
    files: string[];
    source: string | null;
    /** The version of the source that was kept with the customer; null for a source file of the delivery. */
    source_version: Generated<number | null>;
    /** The machine and process that works on it. */
    place: string;
    started_at: Generated<Date>;
    /** The last sign of its process. */
    seen_at: Generated<Date>;
    /** What it does: a phase of the load, a file or table, and rows in it. */
    progress: Json<UploadProgress>;
    /** The run of the history; null until the load begins, and for checks. */
    run_id: number | null;
    cancelled_at: Date | null;
    ended_at: Date | null;
    result: Json<object>;
    error: string | null;
    /** Whether it proposes a source, and what it proposes. It is a check, too: it loads nothing. */
    is_draft: Generated<boolean>;
    draft: Json<object>;
    /** The public id of the key that delivered the files; null for uploads of the portal. */
    key_id: Generated<string | null>;
    /** Set while the files are kept and a person decides: what the person would allow. */
    held: Json<HeldUpload>;
    /** The draft whose files it reads, and the report of its check. */
    draft_id: Generated<string | null>;
    report: Json<object>;
    /** When a person discarded it. */
    discarded_at: Generated<Date | null>;
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
    /** The public id of the key that saved it; null if the operator did. */
    saved_by: string | null;
    /** What each schema made of the document, by the digest of the schema (`graphql/questions/outcomes.ts`). */
    outcomes: ColumnType<QuestionOutcomes, string | undefined, string>;
  };
  /** Where events of a customer are sent (contract: webhooks). */
  webhook_endpoints: {
    id: string;
    customer_id: number;
    url: string;
    events: string[];
    /** Encrypted under `KEY_SECRET` (`webhooks/secrets.ts`). */
    secret: Buffer;
    /** The secret before a rotation, which signs until `old_secret_until`. */
    old_secret: Buffer | null;
    old_secret_until: Date | null;
    created_at: Generated<Date>;
    /** When the next attempt may begin. A process that sends moves it into the future. */
    next_at: Generated<Date>;
    /** Failed attempts in succession, and the time of the first of them. */
    failures: Generated<number>;
    failing_since: Date | null;
    disabled_at: Date | null;
  };
  webhook_events: {
    /** The order of the events of a customer. */
    id: Generated<number>;
    /** Identifies the event for its receivers, also after a restore from a backup. */
    uid: Generated<string>;
    customer_id: number;
    type: string;
    /** Null, or what an event is about of which there is one. */
    subject: string | null;
    /** JSON. */
    data: string;
    created_at: Generated<Date>;
  };
  /** What became of an event at an endpoint. */
  webhook_deliveries: {
    endpoint_id: string;
    event_id: number;
    /** `waiting`, `delivered`, or `dropped` when the endpoint was disabled. */
    state: Generated<string>;
    attempts: Generated<number>;
    /** The last attempt: its time, the status of the answer, and why it failed. */
    last_at: Date | null;
    status: number | null;
    note: string | null;
  };
  /** Portal sessions that were signed out before they expired. */
  ended_sessions: {
    id: string;
    expires_at: Date;
  };
}

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
