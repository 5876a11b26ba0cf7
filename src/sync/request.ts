/** The options of a load and its result. */
import type { Catalogue } from '../catalogue/index.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import type { Counts } from './changes/differences.ts';
import type { Mode, SourceFile } from './files/source-files.ts';
import type { NewTables } from './files/target.ts';
import type { LoadSession } from './load-session.ts';

/** When a changed table is replaced instead of updated. */
export interface Replacing {
  /** The minimum share and the minimum number of changed rows. */
  readonly share: number;
  readonly fewest: number;
  /** How often the lock is requested before the load updates the current table instead. */
  readonly attempts: number;
}

export interface SyncRequest {
  readonly files: readonly SourceFile[];
  readonly mode: Mode;
  /** Only computes the changes of raw tables. */
  readonly dryRun?: boolean;
  /** The definition of tables that the customer does not have; absent: such files are refused. */
  readonly newTables?: NewTables | undefined;
  /** The retention time of deltas. */
  readonly retentionHours: number;
  /** Cancels the load; its reason is a `Cancelled`. */
  readonly signal?: AbortSignal;
  /** Sends files to the database even if they equal those of the last load. */
  readonly reread?: boolean;
  /** Only tests change this. */
  readonly replacing?: Partial<Replacing>;
  /** Shorter than the version lease only in tests without other instances. */
  readonly announceMs?: number;
}

export interface TableResult extends Counts {
  readonly kind: DatasetKind;
  readonly table: string;
  /** The version of the table after the load. */
  readonly version: number;
}

export interface SyncResult {
  readonly customer: string;
  readonly mode: Mode;
  readonly dry_run: boolean;
  /** Rows and keys in the files. */
  readonly read: number;
  readonly seconds: number;
  readonly synced_at: Date | null;
  /** Every raw table of the load, and every category table that is derived from one. */
  readonly tables: readonly TableResult[];
}

/** A running load. */
export interface Load {
  readonly session: LoadSession;
  readonly catalogue: Catalogue;
  readonly request: SyncRequest;
  readonly progress: Progress;
}

/** The progress of a load. */
export type Phase =
  /** Another load of the customer is running. */
  | 'wait'
  /** Rows go from a file or a generator to the database. */
  | 'read'
  | 'load'
  | 'check'
  | 'compare'
  | 'apply'
  | 'publish';

/** `subject` is a file or a table; `rows` is the number since the last call. */
export type Progress = (phase: Phase, subject: string, rows?: number) => void;
