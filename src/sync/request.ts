/** What is asked of a load and what it answers. */
import type { Catalogue } from '../catalogue/index.ts';
import type { DatasetKind } from '../database/control.ts';
import type { Counts } from './differences.ts';
import type { LoadSession } from './load-session.ts';
import type { Mode, SourceFile } from './source-files.ts';
import type { NewTables } from './target.ts';

/** When a changed table is written anew, beside the old one. */
export interface Replacing {
  /** The share of its rows, and the number of rows, that has to change. */
  readonly share: number;
  readonly fewest: number;
  /** How often its place is asked for before the old table is changed instead. */
  readonly attempts: number;
}

export interface SyncRequest {
  readonly files: readonly SourceFile[];
  readonly mode: Mode;
  /** Find out what would change in the raw tables and leave everything as it is. */
  readonly dryRun?: boolean;
  /** What tables that the customer does not have are to become; absent: they are refused. */
  readonly newTables?: NewTables | undefined;
  /** How long deltas are kept. */
  readonly retentionHours: number;
  /** Stops the load; its reason is a `Cancelled`. */
  readonly signal?: AbortSignal;
  /** Send files to the database even if they are those of the last load. */
  readonly reread?: boolean;
  /** Other than usual only in tests. */
  readonly replacing?: Partial<Replacing>;
  /** Shorter than the instances' leases only where there are none, as in tests. */
  readonly announceMs?: number;
}

export interface TableResult extends Counts {
  readonly kind: DatasetKind;
  readonly table: string;
  /** The version that the load left the table at. */
  readonly version: number;
}

export interface SyncResult {
  readonly customer: string;
  readonly mode: Mode;
  readonly dry_run: boolean;
  /** Rows and keys that the files held. */
  readonly read: number;
  readonly seconds: number;
  readonly synced_at: Date | null;
  /** Every raw table of the load, and every category table that reads one. */
  readonly tables: readonly TableResult[];
}

/** A load under way. */
export interface Load {
  readonly session: LoadSession;
  readonly catalogue: Catalogue;
  readonly request: SyncRequest;
  readonly progress: Progress;
}

/** What a load is doing, for people who wait for it. */
export type Phase =
  /** Another load of the customer is under way. */
  | 'wait'
  /** Rows go from a file, or from a generator, to the database. */
  | 'read'
  | 'load'
  | 'check'
  | 'compare'
  | 'apply'
  | 'publish';

/** `subject` is a file or a table; `rows` counts those since the last call. */
export type Progress = (phase: Phase, subject: string, rows?: number) => void;
