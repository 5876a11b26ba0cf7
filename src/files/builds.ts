/**
 * Builds files in the background, one at a time in each process. Customers take turns. Requests for the same file share its build. Of two
 * processes that build the same file, the first one counts.
 *
 * A build reads the current data in one snapshot. A load meanwhile does not change what it reads, and the file has the version of its rows.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ReaderContext } from '../execute/reader.ts';
import { readWholeTable } from '../execute/whole-table.ts';
import { fileBuilds } from '../metrics.ts';
import { type AbortSignalLike, Queue } from '../scheduling/queue.ts';
import type { FileTable } from './file-tables.ts';
import type { FileFormat } from './formats.ts';
import { type FileName, type FileOwner, storedNameOf, storeKeyOf } from './store/file-names.ts';
import type { FileStore } from './store/file-store.ts';
import { rowFormOf, writeFileOf } from './write-file.ts';

export interface BuildsOptions {
  readonly reading: ReaderContext;
  readonly store: FileStore;
  /** Called when a build fails that no request waits for. */
  readonly onError: (error: unknown) => void;
}

/** The maximum number of builds of one customer that wait, and their longest wait. All formats of all tables fit. */
const waiting = 1_000;
const waitMs = 6 * 3_600_000;

/** The longest pause after a build. Builds of small files in a loop then take at most half of the time. */
const maxPauseMs = 100;

/** How long a request waits for a build. */
export interface Wait {
  readonly seconds: number;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignalLike;
}

/** Failures that no request has seen yet. */
const maxFailures = 1_000;

/** Why a file is built: a caller requested it, or an operator runs a command. */
type Reason = 'request' | 'command';

/** A file to build: a table of an owner, as its data scope shows it, in one format. */
export interface FileToBuild {
  readonly owner: FileOwner;
  readonly table: FileTable;
  readonly format: FileFormat;
}

const fileOf = ({ owner, table, format }: FileToBuild): FileName => storedNameOf(owner, table, format);

export class FileBuilds {
  readonly #options: BuildsOptions;
  readonly #queue = new Queue({ name: 'files', slots: 1, waiting, waitMs });
  readonly #running = new Map<string, Promise<number>>();
  readonly #failures = new LRUCache<string, { readonly error: unknown }>({ max: maxFailures });
  readonly #closing = new AbortController();
  /** Aborts when no request may wait any longer. */
  readonly #stopping = new AbortController();

  constructor(options: BuildsOptions) {
    this.#options = options;
    // Each waiting build has a listener, and so does each waiting request. Node warns of more than ten.
    setMaxListeners(0, this.#closing.signal, this.#stopping.signal);
  }

  /**
   * Starts a build in the background unless it runs, and waits for it. Returns the version of the file; undefined if it is not built in time.
   * Throws the error of the build. An error that no request waited for is thrown once, by the next request.
   */
  async request(wanted: FileToBuild, wait: Wait): Promise<number | undefined> {
    const key = storeKeyOf(fileOf(wanted));
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure) throw failure.error;
    const build = this.#share(wanted, 'request');
    let isAwaited = true;
    build.catch((error: unknown) => {
      if (isAwaited || this.#closing.signal.aborted) return;
      this.#failures.set(key, { error });
      this.#options.onError(error);
    });
    try {
      return await this.#within(wait, build);
    } finally {
      isAwaited = false;
    }
  }

  /** No request waits any longer. */
  stopWaiting(): void {
    this.#stopping.abort();
  }

  /** Builds the file of the current version, unless it is there. Returns the version. */
  build(wanted: FileToBuild): Promise<number> {
    return this.#share(wanted, 'command');
  }

  /** Aborts all builds. Their temporary files are removed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  /** The result of a build; undefined if the time is over, or the client or the service leaves before. */
  async #within({ seconds, left }: Wait, build: Promise<number>): Promise<number | undefined> {
    const { signal } = this.#stopping;
    let end = (): void => {};
    const over = new Promise<undefined>((resolve) => {
      const stop = (): void => resolve(undefined);
      const timer = setTimeout(stop, seconds * 1_000);
      for (const each of [left, signal]) each.addEventListener('abort', stop);
      if (seconds === 0 || left.aborted || signal.aborted) stop();
      end = () => {
        clearTimeout(timer);
        for (const each of [left, signal]) each.removeEventListener('abort', stop);
      };
    });
    // Of two that are settled, the first one counts.
    return Promise.race([over, build]).finally(end);
  }

  /** Starts a build, or joins the one that runs in this process. */
  #share(wanted: FileToBuild, reason: Reason): Promise<number> {
    const key = storeKeyOf(fileOf(wanted));
    const running = this.#running.get(key);
    if (running) return running;
    const build = this.#enter(wanted, reason).finally(() => this.#running.delete(key));
    this.#running.set(key, build);
    return build;
  }

  /** Waits for the turn of the customer. */
  async #enter(wanted: FileToBuild, reason: Reason): Promise<number> {
    const leave = await this.#queue.enter(wanted.owner.customer.id, this.#closing.signal);
    const begun = performance.now();
    try {
      const { version, isNew } = await this.#build(wanted);
      fileBuilds.count.inc({ reason, result: isNew ? 'built' : 'present' });
      return version;
    } catch (error) {
      if (!this.#closing.signal.aborted) fileBuilds.count.inc({ reason, result: 'failed' });
      throw error;
    } finally {
      // A command builds one file after another for an operator, and answers no requests meanwhile.
      if (reason === 'command') leave();
      else setTimeout(leave, Math.min(performance.now() - begun, maxPauseMs)).unref();
    }
  }

  async #build(wanted: FileToBuild): Promise<{ readonly version: number; readonly isNew: boolean }> {
    const { signal } = this.#closing;
    const { store, reading } = this.#options;
    const { table, format } = wanted;
    const file = fileOf(wanted);
    const folder = await store.workFolder();
    const path = join(folder, `${randomUUID()}.part`);
    try {
      const { source, columns } = table;
      const form = rowFormOf(format, columns);
      const { customerId, scope } = source;
      const rows = await readWholeTable(reading, { customerId, scope, signal }, { source, columns, form, folder });
      const { version, synced_at } = rows;
      const isNew = !(await store.find(file, version));
      if (isNew) {
        const stop = fileBuilds.seconds.startTimer({ format });
        const written = await writeFileOf(format, rows, table, { path, signal });
        await store.publish(file, path, { ...written, rows: rows.count, version, syncedAt: synced_at?.toISOString() ?? null }, signal);
        stop();
        await store.prune(file);
      } else rows.cancel?.();
      return { version, isNew };
    } finally {
      await rm(path, { force: true });
    }
  }
}
