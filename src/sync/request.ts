/** The options of a load and its result. */
import type pg from 'pg';
import type { Check } from '../catalogue/check-rule.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import type { CheckResult } from '../checks/results.ts';
import type { SourceCheckSetting } from '../checks/settings.ts';
import type { Surface } from '../errors.ts';
import type { Counts } from './changes/differences.ts';
import type { PropertyFigures } from './figures.ts';
import type { TableRows } from './files/rows.ts';
import type { Mode, SourceFile } from './files/source-files.ts';
import type { LeftOut } from './left-out.ts';
import type { LoadSession } from './load-session.ts';
import type { NewTables } from './target.ts';

/** When a changed table is replaced instead of updated. */
export interface Replacing {
  /** The minimum share and the minimum number of changed rows. */
  readonly share: number;
  readonly fewest: number;
  /** How often the lock is requested before the load updates the current table instead. */
  readonly attempts: number;
}

export interface SyncRequest {
  /** Files, and rows of other suppliers. Each raw table occurs at most once with rows and once with keys to delete. */
  readonly files: readonly (SourceFile | TableRows)[];
  readonly mode: Mode;
  /** Does everything but commit. */
  readonly dryRun?: boolean;
  /** A dry run gives the figures that people compare with paper. */
  readonly givesFigures?: boolean;
  /** The definition of tables that the customer does not have; absent: such files are refused. */
  readonly newTables?: NewTables | undefined;
  /** The retention time of deltas. */
  readonly retentionHours: number;
  /** Cancels the load; its reason is a `Cancelled`. */
  readonly signal?: AbortSignal;
  /** Sends files to the database even if they equal those of the last load. */
  readonly reread?: boolean;
  /** The deleted rows of each table that a person has confirmed. More of them refuse the load. Absent: nobody was asked. */
  readonly confirmedDeletes?: Readonly<Record<string, number>> | undefined;
  /** Tables that may lose many rows, and those that may lose all values of a column (`guards.ts`). */
  readonly allowDeletes?: readonly string[];
  readonly allowEmptyColumns?: readonly string[];
  /** Holds a full delivery that lacks rows of a table, whatever their share, unless `allowDeletes` names the table. */
  readonly confirmDeletes?: boolean;
  /** A person says that deliveries which differ much from the last ones are right. */
  readonly accept?: boolean;
  /** Records further state in the transaction of the load. */
  readonly record?: (client: pg.ClientBase) => Promise<void>;
  /** The zone of times that state none, such as `Europe/Berlin`. Absent: such times are refused. */
  readonly timeZone?: string | undefined;
  /** What the source of the load says about checks. It also holds for later loads. */
  readonly checks?: { readonly source: string; readonly checks: readonly SourceCheckSetting[] } | undefined;
  /** The version of the source, if it is kept with the customer. The history has it. */
  readonly sourceVersion?: number | undefined;
  /** Where a person reads an error of the load. The history has it in this form. Default: the command line. */
  readonly surface?: Surface;
  /** Receives the run of the history when the load begins. */
  readonly begun?: (run: number) => void;
  /** Only benchmarks leave checks out. */
  readonly withoutChecks?: boolean;
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
  /** The checks of the customer's data that failed, and those that could not run. In a dry run, those that would fail. */
  readonly failed_checks: readonly FailedCheck[];
  /** Why the checks did not run; null if they did. */
  readonly checks_error: string | null;
  /** The name of the load's source, and its version if it is kept with the customer. */
  readonly source?: { readonly name: string; readonly version: number | null };
  /** Rows that are not loaded, and the files and sheets that no table reads. */
  readonly left_out?: readonly LeftOut[];
  readonly not_loaded?: readonly string[];
  /** Of a dry run: what each property would have. */
  readonly figures?: readonly PropertyFigures[];
}

/** A check with violations, for the report of a load. The keys are examples. */
export type FailedCheck = Pick<CheckResult, 'name' | 'table' | 'severity' | 'count' | 'en' | 'de'> & { readonly keys: readonly string[] };

/** A running load. */
export interface Load {
  readonly session: LoadSession;
  readonly catalogue: Catalogue;
  readonly request: SyncRequest;
  readonly progress: Progress;
  /** When the load began, as `performance.now()`. */
  readonly startedAt: number;
  /** The checks of the customer's data. */
  readonly checks: readonly Check[];
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
  | 'publish'
  /** The data of the load is checked. */
  | 'verify';

/** `subject` is a file or a table; `rows` is the number since the last call. */
export type Progress = (phase: Phase, subject: string, rows?: number) => void;
