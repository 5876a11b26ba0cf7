/** What is asked of a load and what it answers. */
import type { Catalogue } from '../catalogue/index.ts';
import type { DatasetKind } from '../database/control.ts';
import type { Counts } from './differences.ts';
import type { LoadSession } from './load-session.ts';
import type { Progress } from './progress.ts';
import type { Mode, SourceFile } from './source-files.ts';
import type { NewTables } from './target.ts';

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
