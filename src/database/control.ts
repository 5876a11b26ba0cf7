/**
 * The control schema `estate`: who the customers are, which keys they have, which tables they have and at which version.
 *
 * Everything here varies by customer or by time; what is true of a table as such stands in the catalogue.
 */
import { type Generated, type Kysely, type Migration, Migrator } from 'kysely';
import type { EndpointGroup, Tier } from '../catalogue/tiers.ts';
import { controlSchema } from './control-schema.ts';
import { customers } from './migrations/001-customers.ts';
import { sync } from './migrations/002-sync.ts';
import { portal } from './migrations/003-portal.ts';
import { epoch } from './migrations/004-epoch.ts';

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
  /** What was done to customers and keys, and who signed in; never a key's text. */
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
};

/** Brings the control schema to the newest version; safe to run from several processes at once. */
export const migrate = async (db: Kysely<ControlTables>): Promise<readonly string[]> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, migrationTableSchema: controlSchema });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
};
