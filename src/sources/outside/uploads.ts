/** Deliveries over HTTP that this process works on: a bounded number, each in the background, each ended with the service. */
import { randomUUID } from 'node:crypto';
import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../database/connections/connection.ts';
import type { Customer } from '../../database/control/customers.ts';
import type { HeldLosses, HeldUpload, UploadProgress } from '../../database/control-tables.ts';
import { OperatorError } from '../../errors.ts';
import { Cancelled } from '../../sync/cancel.ts';
import { Rejection } from '../../sync/files/rejections.ts';
import { HeldLoad } from '../../sync/guards.ts';
import { recordFailure } from '../../sync/history.ts';
import type { Progress } from '../../sync/request.ts';
import type { Allowed } from '../check.ts';
import { isOfChangedColumns } from '../draft/doubt.ts';
import { deliveredSource, findKeptSource } from '../kept/kept-sources.ts';
import type { LoadOptions } from '../load-source.ts';
import type { Loaded } from '../prepare-load.ts';
import { makeScratch, removeScratch } from '../scratch.ts';
import type { Source } from '../source-file.ts';
import { dropFiles, keepFiles, removeOldFiles, restoreFiles } from './delivered-files.ts';
import { draftOutside } from './draft-outside.ts';
import { outsideLimits } from './limits.ts';
import { checkOutside, type DeliveredSource, loadOutside, type OutsideDelivery } from './load-outside.ts';
import type { DraftChange, DraftedSource } from './protocol.ts';
import { ReadingProcess } from './reading-process.ts';
import {
  beginAgain,
  cancelUpload,
  discardUpload,
  endOldWaits,
  endUpload,
  insertUpload,
  type NewUpload,
  touchUpload,
  type Upload,
  type UploadOutcome,
} from './upload-state.ts';

export interface UploadsOptions {
  /** Its pool is that of loads. */
  readonly database: Database;
  readonly catalogue: Catalogue;
  /** How long the changes of a load stay available as deltas. */
  readonly retentionHours: number;
  readonly onError: (error: unknown) => void;
}

/** A place among the deliveries of this process, with the folder of its files. `free` removes the folder. */
export interface Place {
  readonly folder: string;
  free(): void;
}

interface Running {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** What a delivery is and how its end is reported. */
export interface UploadRequest extends Omit<NewUpload, 'id'>, Pick<OutsideDelivery, 'limits'> {
  /** What a person allows in a check of a draft. */
  readonly allows?: readonly Allowed[];
  /** What a person confirms for a load. */
  readonly confirmed?: Pick<LoadOptions, 'confirmedDeletes' | 'allowEmptyColumns' | 'accept'>;
  /** Called once at the end, before the state shows it. */
  readonly ended: (isLoaded: boolean) => Promise<void>;
}

/** An upload of this process. */
interface RunRequest extends UploadRequest {
  /** The losses that a person has allowed; absent: none. */
  readonly allowed?: HeldLosses | undefined;
  /** Whether its files are kept already. */
  readonly isAgain?: boolean;
}

const noLongerWaiting = 'The delivery does not wait any more: somebody else has decided.';

/**
 * What a person decides about after a refusal; undefined if the files are not kept. The sender of a form is there and can send it again, so
 * only what a person can allow waits. Nobody is there for the refusal of a key's delivery.
 */
const heldBy = (thrown: unknown, { isCheck, isDraft, source, keyFamily }: RunRequest): HeldUpload | undefined => {
  const canAllow = thrown instanceof HeldLoad;
  const isRefusal = thrown instanceof OperatorError || thrown instanceof Rejection;
  if (isCheck || isDraft || thrown instanceof Cancelled || !(canAllow || (isRefusal && keyFamily !== undefined))) return undefined;
  const { deletes, emptyColumns } = canAllow ? thrown.losses : { deletes: [], emptyColumns: [] };
  const read = source && (source.kept ? { kept: source.kept.name } : { text: source.text, name: source.name });
  return { canAllow, deletes, emptyColumns, source: read ?? null };
};

/** The doubts of a kept source, if the lists have other columns than it knows; otherwise the refusal has no answer on a page. */
const doubtsAfter = async (
  thrown: unknown,
  { source, isDraft, folder, limits }: RunRequest & Pick<Place, 'folder'>,
  signal: AbortSignal,
): Promise<DraftedSource | undefined> => {
  const isRefusal = thrown instanceof OperatorError && !(thrown instanceof HeldLoad || thrown instanceof Cancelled);
  if (!source?.kept || isDraft || !isRefusal) return undefined;
  const draft = await draftOutside(folder, { text: source.text, signal, limits });
  return draft.understood.doubts.some(isOfChangedColumns) ? draft : undefined;
};

/** The source that reads a waiting upload. */
const sourceOf = async (database: Database, customer: Customer, { source }: HeldUpload): Promise<DeliveredSource | undefined> => {
  if (source === null) return undefined;
  return 'kept' in source ? deliveredSource(await findKeptSource(database.control, customer, { name: source.kept })) : source;
};

/** The entry of the log at the end of a load. */
export const endOfLoad = (isLoaded: boolean): string => (isLoaded ? 'loaded files' : 'load refused or failed');

const signMs = 1_000;
const sweepMs = 3_600_000;

/** The text for people. Other errors are in the log of the service. */
const wordsOf = (error: unknown, onError: (error: unknown) => void): string => {
  if (error instanceof OperatorError) return error.inPortal;
  if (error instanceof Rejection) return error.reason;
  onError(error);
  return 'The load failed. The log of the service says why.';
};

export class Uploads {
  readonly #options: UploadsOptions;
  readonly #running = new Map<string, Running>();
  #places = 0;
  #isStopped = false;
  #sweeps: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** Reserves a place. Throws an `OperatorError` if this process has as many deliveries as it may. */
  reserve(): Place {
    if (this.#isStopped) throw new OperatorError('The service is stopping. Send the files again in a minute.');
    if (this.#places >= outsideLimits.loads)
      throw new OperatorError(`${outsideLimits.loads} deliveries are received or loaded already. Send the files again when one has ended.`);
    const folder = makeScratch();
    this.#places++;
    let isFree = false;
    return {
      folder,
      free: () => {
        if (isFree) return;
        isFree = true;
        this.#places--;
        removeScratch(folder);
      },
    };
  }

  /** Does work in a reserved place. The place becomes free if the work fails; otherwise what the work begins frees it. Throws as `reserve`. */
  async inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
    const place = this.reserve();
    try {
      return await work(place);
    } catch (error) {
      place.free();
      throw error;
    }
  }

  /**
   * Reads a source file that came over HTTP, outside of this process. Throws an `OperatorError` that names its errors, or what it reaches
   * besides files.
   */
  parse({ text, name }: Pick<DeliveredSource, 'text' | 'name'>): Promise<Source> {
    return this.#read((reading) => reading.answer<'source'>({ do: 'source', text, name }));
  }

  /** Says what the text of a draft means for its lists, after a change. Throws an `OperatorError` if the text is no source file. */
  understand(text: string, lists: DraftedSource['lists'], change?: DraftChange): Promise<Pick<DraftedSource, 'text' | 'understood'>> {
    return this.#read((reading) => reading.answer<'understand'>({ do: 'understand', text, lists, ...(change && { change }) }));
  }

  async #read<T>(work: (reading: ReadingProcess) => Promise<T>): Promise<T> {
    const place = this.reserve();
    const reading = new ReadingProcess(place.folder);
    try {
      return await work(reading);
    } finally {
      await reading.stop();
      place.free();
    }
  }

  /** Begins to check, load or draft the files of a place, and returns the id of the upload. The place becomes free at the end. */
  async start(place: Place, request: UploadRequest): Promise<string> {
    const id = randomUUID();
    await insertUpload(this.#options.database, { ...request, id });
    this.#begin(id, place, request);
    return id;
  }

  #begin(id: string, place: Place, request: RunRequest): void {
    const abort = new AbortController();
    if (this.#isStopped) abort.abort(new Cancelled('The service stopped, so the load was cancelled.'));
    const done = this.#run(id, place, request, abort).finally(() => this.#running.delete(id));
    this.#running.set(id, { abort, done });
  }

  /**
   * Loads the kept files of a waiting upload once more. `allows`: what stopped it is right. A kept source is read in its newest version. Throws
   * an `OperatorError` if there is no place, if the files are not kept any more, or if somebody else has decided.
   */
  async again(
    customer: Customer,
    upload: Upload,
    { allows, ended }: Pick<UploadRequest, 'ended'> & { readonly allows: boolean },
  ): Promise<void> {
    const { database } = this.#options;
    const { id, actor, mode, files, held, key_id } = upload;
    if (!held) throw new OperatorError(noLongerWaiting);
    await this.inPlace(async (place) => {
      const source = await sourceOf(database, customer, held);
      await restoreFiles(database.operators.loads, customer, id, place.folder);
      if (!(await beginAgain(database, id, source?.kept?.version))) throw new OperatorError(noLongerWaiting);
      const allowed = allows && held.canAllow ? held : undefined;
      const request = { customer, actor, isCheck: false, mode, files, source, keyFamily: key_id ?? undefined, ended };
      this.#begin(id, place, { ...request, allowed, isAgain: true });
    });
  }

  /** Discards a waiting upload with its files. Throws an `OperatorError` if somebody else has decided. */
  async discard(customer: Customer, id: string): Promise<void> {
    if (!(await discardUpload(this.#options.database, id))) throw new OperatorError(noLongerWaiting);
    await dropFiles(this.#options.database.operators.loads, customer, id);
  }

  /** Cancels an upload, in whichever process it runs. */
  async cancel(id: string): Promise<void> {
    await cancelUpload(this.#options.database, id);
    this.#running.get(id)?.abort.abort(new Cancelled('The load was cancelled.'));
  }

  /** Removes files that were kept too long, now and every hour. */
  startSweeps(): void {
    const { database, onError } = this.#options;
    const sweep = async () => {
      // The state first: a delivery never waits without its files.
      await endOldWaits(database);
      await removeOldFiles(database.operators.loads, onError);
    };
    const begin = () => {
      this.#sweep = sweep().catch(onError);
    };
    begin();
    this.#sweeps = setInterval(begin, sweepMs).unref();
  }

  /** Cancels all uploads of this process, and waits for their end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#sweeps);
    await this.#sweep;
    for (const { abort } of this.#running.values()) abort.abort(new Cancelled('The service stopped, so the load was cancelled.'));
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Never rejects: what goes wrong is the state of the upload. */
  async #run(id: string, { folder, free }: Place, request: RunRequest, abort: AbortController): Promise<void> {
    const { database, catalogue, retentionHours, onError } = this.#options;
    const { customer, source, mode, isCheck, files, ended } = request;
    let progress: UploadProgress | undefined;
    let run: number | undefined;
    const see: Progress = (phase, subject, rows = 0) => {
      const isSame = progress?.phase === phase && progress.subject === subject;
      progress = { phase, subject, rows: rows + (isSame && progress ? progress.rows : 0) };
    };
    let sign: Promise<void> = Promise.resolve();
    let isSigning = false;
    const signs = setInterval(() => {
      if (isSigning) return;
      isSigning = true;
      sign = touchUpload(database, id, progress, run)
        .then((isCancelled) => {
          if (isCancelled) abort.abort(new Cancelled('The load was cancelled.'));
        }, onError)
        .finally(() => {
          isSigning = false;
        });
    }, signMs);
    const options = {
      surface: 'portal' as const,
      dryRun: isCheck,
      confirmDeletes: !isCheck,
      allowDeletes: request.allowed?.deletes ?? [],
      allowEmptyColumns: request.allowed?.emptyColumns ?? [],
      accept: request.allowed !== undefined,
      retentionHours,
      signal: abort.signal,
      begun: (begun: number) => {
        run = begun;
      },
    };
    const over = { ...database, pool: database.operators.loads };
    try {
      const loaded = { database: over, catalogue, customer };
      const outcome = await this.#work(id, loaded, { ...request, folder }, options, see);
      free();
      if (request.isAgain) await dropFiles(over.pool, customer, id).catch(onError);
      await this.#end(signs, () => sign, ended, true);
      await endUpload(database, id, outcome);
    } catch (thrown) {
      const held = heldBy(thrown, request);
      const draft = await doubtsAfter(thrown, { ...request, folder }, abort.signal).catch(onError);
      // Without its files, nobody can decide about it.
      const isKept =
        (held !== undefined || draft !== undefined) &&
        (request.isAgain || (await keepFiles(over.pool, customer, id, folder).then(() => true, onError)));
      free();
      // Reading and loading end with texts of their own. The page says why it was cancelled.
      const isCancelled = abort.signal.aborted && thrown instanceof Cancelled && !thrown.isDone;
      const error = wordsOf(isCancelled ? abort.signal.reason : thrown, onError);
      if (!isCheck && !request.isDraft && run === undefined)
        await recordFailure(database, customer, { mode, tables: [], files, source: source?.kept }, new OperatorError(error)).catch(onError);
      await this.#end(signs, () => sign, ended, false).catch(onError);
      await endUpload(database, id, { error, ...(isKept && { held, ...(draft && { draft }) }) }).catch(onError);
    }
  }

  /** Drafts, checks or loads the files of a folder. */
  async #work(
    id: string,
    loaded: Loaded & { readonly catalogue: Catalogue },
    { folder, source, mode, limits, isDraft, draftId, allows, confirmed }: UploadRequest & Pick<Place, 'folder'>,
    options: LoadOptions & { readonly signal: AbortSignal },
    see: Progress,
  ): Promise<UploadOutcome> {
    const { database, customer } = loaded;
    if (isDraft) {
      const draft = await draftOutside(folder, { signal: options.signal, see: (name) => see('read', name), limits });
      // Checks and loads of the draft read the files again, on any instance.
      await keepFiles(database.pool, customer, id, folder);
      return { draft };
    }
    if (draftId !== undefined) await restoreFiles(database.pool, customer, draftId, folder);
    const delivery = { folder, mode, ...(limits && { limits }) };
    if (source && allows) {
      const check = await checkOutside(loaded, { ...delivery, source }, { allows, signal: options.signal }, see);
      return { report: { check, text: source.text, allows } };
    }
    return { result: await loadOutside(loaded, { ...delivery, source }, { ...options, ...confirmed }, see) };
  }

  async #end(signs: NodeJS.Timeout, sign: () => Promise<void>, ended: UploadRequest['ended'], isLoaded: boolean): Promise<void> {
    clearInterval(signs);
    await sign();
    await ended(isLoaded);
  }
}
