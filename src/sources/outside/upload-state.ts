/** The state of deliveries over HTTP, in the control schema, so that every process of the service can show and cancel them. */
import { hostname } from 'node:os';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connections/connection.ts';
import type { Customer } from '../../database/control/customers.ts';
import type { ControlTables, HeldUpload, UploadProgress } from '../../database/control-tables.ts';
import { OperatorError } from '../../errors.ts';
import type { Mode } from '../../sync/files/source-files.ts';
import { recordFailure } from '../../sync/history.ts';
import type { SyncResult } from '../../sync/request.ts';
import type { Allowed, SourceCheck } from '../check.ts';
import { keptDays } from './delivered-files.ts';
import type { DeliveredSource } from './load-outside.ts';
import type { DraftedSource } from './protocol.ts';

type Row = Selectable<ControlTables['uploads']>;
/** What came of the check of a draft: the report, the text that was checked, and what a person allowed. */
export interface DraftReport {
  readonly check: SourceCheck;
  readonly text: string;
  readonly allows: readonly Allowed[];
}

export type Upload = Omit<Row, 'result' | 'draft' | 'report'> & {
  readonly result: SyncResult | null;
  readonly draft: DraftedSource | null;
  readonly report: DraftReport | null;
};

/** What a delivery is. */
export interface NewUpload {
  readonly id: string;
  readonly customer: Customer;
  readonly actor: string;
  readonly isCheck: boolean;
  /** Whether it proposes a source for the files. */
  readonly isDraft?: boolean;
  /** The draft whose files it reads. */
  readonly draftId?: string;
  readonly mode: Mode;
  readonly files: readonly string[];
  readonly source: DeliveredSource | undefined;
  /** The key family that delivered the files. */
  readonly keyFamily?: string | undefined;
}

/** A process that gives no sign for longer has ended. */
const silentSeconds = 30;
/** An upload is forgotten after this time. */
export const shownDays = 30;

const now = sql<Date>`pg_catalog.clock_timestamp()`;

const place = (): string => `${hostname()}, process ${process.pid}`;

export const insertUpload = async (
  { control }: Pick<Database, 'control'>,
  { id, customer, actor, isCheck, isDraft = false, draftId, mode, files, source, keyFamily }: NewUpload,
): Promise<void> => {
  await control.deleteFrom('uploads').where('ended_at', '<', sql<Date>`${now} - make_interval(days => ${shownDays})`).execute();
  await control
    .insertInto('uploads')
    .values({
      id,
      customer_id: customer.id,
      actor,
      is_check: isCheck || isDraft,
      is_draft: isDraft,
      draft_id: draftId ?? null,
      mode,
      files: [...files],
      source: source?.name ?? null,
      source_version: source?.kept?.version ?? null,
      place: place(),
      key_id: keyFamily ?? null,
      run_id: null,
      cancelled_at: null,
      ended_at: null,
      error: null,
    })
    .execute();
};

/** Records a sign of the process. Returns whether somebody has cancelled the upload. */
export const touchUpload = async (
  { control }: Pick<Database, 'control'>,
  id: string,
  progress: UploadProgress | undefined,
  run: number | undefined,
): Promise<boolean> => {
  const row = await control
    .updateTable('uploads')
    .set({ seen_at: now, run_id: run ?? null, ...(progress && { progress: JSON.stringify(progress) }) })
    .where('id', '=', id)
    .returning('cancelled_at')
    .executeTakeFirst();
  return row?.cancelled_at != null;
};

export interface UploadFailure {
  readonly error: string;
  /** Absent: nobody decides about it, or what a person decides about has not changed. */
  readonly held?: HeldUpload | undefined;
  /** The source with doubts, whose answers read the files. */
  readonly draft?: DraftedSource | undefined;
}

export type UploadOutcome = { readonly result: SyncResult } | { readonly draft: DraftedSource } | { readonly report: DraftReport };

export const endUpload = async (
  { control }: Pick<Database, 'control'>,
  id: string,
  outcome: UploadOutcome | UploadFailure,
): Promise<void> => {
  const ended =
    'error' in outcome
      ? {
          error: outcome.error,
          ...(outcome.held && { held: JSON.stringify(outcome.held) }),
          ...(outcome.draft && { draft: JSON.stringify(outcome.draft) }),
        }
      : { held: null, ...Object.fromEntries(Object.entries(outcome).map(([column, value]) => [column, JSON.stringify(value)])) };
  await control
    .updateTable('uploads')
    .set({ ended_at: now, ...ended })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
};

/** Whether it waits for a person. */
export const isWaiting = ({ held, ended_at, discarded_at }: Pick<Row, 'held' | 'ended_at' | 'discarded_at'>): boolean =>
  held !== null && ended_at !== null && discarded_at === null;

/** `isWaiting` in SQL. */
const waits = sql<boolean>`held is not null and ended_at is not null and discarded_at is null`;

/** Begins a waiting upload once more, in this process. Gives false if it does not wait any more. */
export const beginAgain = async (database: Pick<Database, 'control'>, id: string, version: number | undefined): Promise<boolean> => {
  const { numUpdatedRows } = await database.control
    .updateTable('uploads')
    .set({
      ended_at: null,
      error: null,
      run_id: null,
      cancelled_at: null,
      progress: null,
      seen_at: now,
      place: place(),
      source_version: version ?? null,
    })
    .where('id', '=', id)
    .where(waits)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Discards a waiting upload. Gives false if it does not wait any more. */
export const discardUpload = async (database: Pick<Database, 'control'>, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await database.control
    .updateTable('uploads')
    .set({ discarded_at: now })
    .where('id', '=', id)
    .where(waits)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Ends the wait of all uploads whose files are not kept any more. The reason is for the key, too, so it has no figure. */
export const endOldWaits = async ({ control }: Pick<Database, 'control'>): Promise<void> => {
  await control
    .updateTable('uploads')
    .set({ held: null, error: `Nobody decided within ${keptDays} days, so the files are gone. Deliver them again.` })
    .where(waits)
    .where('started_at', '<', sql<Date>`${now} - make_interval(days => ${keptDays})`)
    .execute();
};

/** The uploads that wait for a person, the oldest first. */
export const waitingUploads = async (database: Pick<Database, 'control'>, customer: Pick<Customer, 'id'>): Promise<readonly Upload[]> =>
  (await uploadsOf(database, customer).where(waits).orderBy('started_at').execute()) as unknown as Upload[];

/** Replaces a draft. Returns whether `before` was still its text. */
export const changeDraft = async (
  { control }: Pick<Database, 'control'>,
  id: string,
  before: string,
  draft: DraftedSource,
): Promise<boolean> => {
  const row = await control
    .updateTable('uploads')
    .set({ draft: JSON.stringify(draft) })
    .where('id', '=', id)
    .where(sql<string>`draft ->> 'text'`, '=', before)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Requests the end of an upload, in whichever process it runs. */
export const cancelUpload = async ({ control }: Pick<Database, 'control'>, id: string): Promise<void> => {
  await control.updateTable('uploads').set({ cancelled_at: now }).where('id', '=', id).where('ended_at', 'is', null).execute();
};

/** Ends the uploads whose process has ended, and records those that never reached the history. */
const endSilent = async (database: Database, customer: Customer): Promise<void> => {
  const ended = await database.control
    .updateTable('uploads')
    .set({ ended_at: now, error: 'The process of the service ended before the load did. The list of loads says what was done.' })
    .where('customer_id', '=', customer.id)
    .where('ended_at', 'is', null)
    .where('seen_at', '<', sql<Date>`${now} - make_interval(secs => ${silentSeconds})`)
    .returningAll()
    .execute();
  for (const { is_check, run_id, mode, files } of ended)
    if (!is_check && run_id === null) await recordFailure(database, customer, { mode, tables: [], files }, new OperatorError('aborted'));
};

const uploadsOf = ({ control }: Pick<Database, 'control'>, customer: Pick<Customer, 'id'>) =>
  control.selectFrom('uploads').selectAll().where('customer_id', '=', customer.id);

/** One upload of the customer; undefined if there is none. */
export const findUpload = async (database: Database, customer: Customer, id: string): Promise<Upload | undefined> => {
  await endSilent(database, customer);
  return (await uploadsOf(database, customer).where('id', '=', id).executeTakeFirst()) as Upload | undefined;
};

/** The newest uploads of the customer. */
export const listUploads = async (database: Database, customer: Customer, max: number): Promise<readonly Upload[]> => {
  await endSilent(database, customer);
  return (await uploadsOf(database, customer).orderBy('started_at', 'desc').limit(max).execute()) as unknown as Upload[];
};
