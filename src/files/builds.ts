/**
 * Builds files in the background, one at a time in each process. Customers take turns. Requests for the same file share its build, also over
 * the processes that share a store.
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
import { Queue } from '../scheduling/queue.ts';
import type { FileTable } from './file-tables.ts';
import { type FileName, folderOf, stemOf } from './store/file-names.ts';
import type { FileStore } from './store/file-store.ts';
import { formOf, writeFileOf } from './write-file.ts';

export interface BuildsOptions {
  readonly reading: ReaderContext;
  readonly store: FileStore;
  /** Called when a build fails. */
  readonly onError: (error: unknown) => void;
}

/** The maximum number of builds of one customer that wait, and their longest wait. All formats of all tables fit. */
const waiting = 1_000;
const waitMs = 6 * 3_600_000;

/** The longest pause after a build. Builds of small files in a loop then take at most half of the time. */
const maxPauseMs = 100;

/** Failures that no request has seen yet. */
const maxFailures = 1_000;

/** Why a file is built: a caller requested it, a load changed its table, or an operator runs a command. */
type Reason = 'request' | 'load' | 'command';

const keyOf = (file: FileName): string => `${folderOf(file)}${stemOf(file)}.${file.format}`;

export class FileBuilds {
  readonly #options: BuildsOptions;
  readonly #queue = new Queue({ name: 'files', slots: 1, waiting, waitMs });
  readonly #running = new Map<string, Promise<number | undefined>>();
  readonly #failures = new LRUCache<string, { readonly error: unknown }>({ max: maxFailures });
  readonly #closing = new AbortController();

  constructor(options: BuildsOptions) {
    this.#options = options;
    // Each waiting build has a listener. Node warns of more than ten.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Starts a build in the background unless it runs. Throws the error of the last build once, if it failed. */
  request(file: FileName, table: FileTable): void {
    const key = keyOf(file);
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure) throw failure.error;
    this.#share(file, table, 'request').catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.#failures.set(key, { error });
      this.#options.onError(error);
    });
  }

  /** Builds a file after a load. Returns false if another process builds it. */
  async buildAfterLoad(file: FileName, table: FileTable): Promise<boolean> {
    return (await this.#share(file, table, 'load')) !== undefined;
  }

  /** Builds the file of the current version, whether or not another process does. Returns the version. */
  async build(file: FileName, table: FileTable): Promise<number> {
    return (await this.#share(file, table, 'command'))!;
  }

  /** Aborts all builds. Their temporary files are removed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  /** Starts a build, or joins the one that runs in this process. */
  #share(file: FileName, table: FileTable, reason: Reason): Promise<number | undefined> {
    const key = keyOf(file);
    const running = this.#running.get(key);
    if (running) return running;
    const build = this.#enter(file, table, reason).finally(() => this.#running.delete(key));
    this.#running.set(key, build);
    return build;
  }

  /** Waits for the turn of the customer, and claims the build but for a command. Returns undefined if another process has the claim. */
  async #enter(file: FileName, table: FileTable, reason: Reason): Promise<number | undefined> {
    const leave = await this.#queue.enter(file.customer.id, this.#closing.signal);
    const begun = performance.now();
    try {
      const release = reason === 'command' ? async () => {} : await this.#options.store.claims.take(file);
      if (!release) {
        fileBuilds.count.inc({ reason, result: 'claimed' });
        return undefined;
      }
      try {
        const { version, isNew } = await this.#build(file, table);
        fileBuilds.count.inc({ reason, result: isNew ? 'built' : 'present' });
        return version;
      } finally {
        await release();
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) fileBuilds.count.inc({ reason, result: 'failed' });
      throw error;
    } finally {
      // A command builds one file after another for an operator, and answers no requests meanwhile.
      if (reason === 'command') leave();
      else setTimeout(leave, Math.min(performance.now() - begun, maxPauseMs)).unref();
    }
  }

  async #build(file: FileName, table: FileTable): Promise<{ readonly version: number; readonly isNew: boolean }> {
    const { signal } = this.#closing;
    const { store, reading } = this.#options;
    const { customer, scope, format } = file;
    const folder = await store.workFolder();
    const path = join(folder, `${randomUUID()}.part`);
    try {
      const { source, columns } = table;
      const form = formOf(format, columns);
      const rows = await readWholeTable(reading, { customerId: customer.id, scope, signal }, { source, columns, form, folder });
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
