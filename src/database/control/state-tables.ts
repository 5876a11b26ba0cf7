/**
 * The state of a customer's data, in the customer's schema (decision 050).
 *
 * A statement that reads rows with their version touches one schema, so it has one snapshot wherever the schema is. Names begin with `_`,
 * which no raw table or category table has. These tables are dumped, moved and dropped with the rows.
 */
import type { DatasetKind } from '../../catalogue/table.ts';
import type { Tier } from '../../catalogue/tiers.ts';
import { qualify } from '../identifier.ts';
import { queriesOver } from './queries.ts';

export interface StateTables {
  /** What all tables have in common, in one row. */
  _state: {
    /** The epoch to which the versions belong (`epoch.ts`). */
    epoch: string;
    /** New versions are above this one; 0 until the first restore. */
    base: number;
    /** The number of loads. `estate.publications` has it, too. */
    loads: number;
  };
  /** A raw or category table, as of its last load (contract: snapshot time; data versions). */
  _datasets: {
    id: number;
    kind: DatasetKind;
    name: string;
    /** The integer column of a raw table that orders pages, and the required tier. */
    key_column: string | null;
    tier: Tier | null;
    version: number;
    row_count: number;
    synced_at: Date | null;
    changed_at: Date | null;
    /** The oldest version for which deltas exist (contract: deltas). */
    kept_from: number;
  };
  /** When each version was created, for the period of delta retention. */
  _dataset_versions: { dataset_id: number; version: number; made_at: Date };
  /** The change log: for each key, the last version that changed its row. Entries before `kept_from` are deleted. */
  _changed_keys: { dataset_id: number; key: string; version: number; is_deleted: boolean };
  /** The file that each raw table was last fully loaded from. */
  _deliveries: { dataset_id: number; version: number; filenode: number; bytes: number; digest: string };
}

export interface CustomerSchema {
  readonly id: number;
  readonly schema: string;
}

const writer = queriesOver<StateTables>();

/** Kysely over the state of one customer. It only writes SQL text; the caller chooses the connection. */
export const stateQueries = (schema: string) => writer.withSchema(schema);

/** The qualified name of a state table. */
export const stateTable = (schema: string, table: keyof StateTables): string => qualify(schema, table);

/** Statements that create the state tables. A foreign key on the change log would look at its dataset for each entry. */
export const createStateTables = (schema: string): readonly string[] => {
  const [state, datasets, versions, log, deliveries] = (
    ['_state', '_datasets', '_dataset_versions', '_changed_keys', '_deliveries'] as const
  ).map((name) => stateTable(schema, name));
  return [
    `create table ${state} (is_only boolean primary key default true check (is_only), epoch uuid not null, base bigint not null default 0,
       loads bigint not null default 0)`,
    `create table ${datasets} (kind text not null, name text not null, id integer not null unique, key_column text, tier text,
       version bigint not null default 0, row_count bigint not null default 0, synced_at timestamptz, changed_at timestamptz,
       kept_from bigint not null default 0, primary key (kind, name))`,
    `create table ${versions} (dataset_id integer not null references ${datasets} (id) on delete cascade, version bigint not null,
       made_at timestamptz not null, primary key (dataset_id, version))`,
    `create table ${log} (dataset_id integer not null, key text collate "C" not null, version bigint not null, is_deleted boolean not null,
       primary key (dataset_id, key))`,
    `create index _changed_keys_by_version on ${log} (dataset_id, version, key)`,
    `create table ${deliveries} (dataset_id integer primary key references ${datasets} (id) on delete cascade, version bigint not null,
       filenode oid not null, bytes bigint not null, digest text not null)`,
  ];
};
