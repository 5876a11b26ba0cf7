/**
 * Builds files in the background, one at a time in each process. Customers take turns. Requests for the same file share its build.
 *
 * A build reads the current data in one snapshot. A load meanwhile does not change what it reads, and the file has the version of its rows.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ReaderContext } from '../execute/reader.ts';
import { readWholeTable } from '../execute/whole-table.ts';
import { Queue } from '../scheduling/queue.ts';
import type { FileTable } from './file-tables.ts';
import { customerFolder, type FileName, type FileStore } from './store/file-store.ts';
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

/** Failures that no request has seen yet. */
const maxFailures = 1_000;

const keyOf = (file: FileName): string => JSON.stringify([customerFolder(file), file.scope?.key, file.kind, file.name, file.format]);

export class FileBuilds {
  readonly #options: BuildsOptions;
  readonly #queue = new Queue({ name: 'files', slots: 1, waiting, waitMs });
  readonly #running = new Map<string, Promise<number>>();
  readonly #failures = new LRUCache<string, { readonly error: unknown }>({ max: maxFailures });
  readonly #closing = new AbortController();

  constructor(options: BuildsOptions) {
    this.#options = options;
  }

  /** Starts a build in the background unless it runs. Throws the error of the last build once, if it failed. */
  request(file: FileName, table: FileTable): void {
    const key = keyOf(file);
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure) throw failure.error;
    this.build(file, table).catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.#failures.set(key, { error });
      this.#options.onError(error);
    });
  }

  /** Builds the file of the current version, or joins its build. Returns the version. */
  build(file: FileName, table: FileTable): Promise<number> {
    const key = keyOf(file);
    const running = this.#running.get(key);
    if (running) return running;
    const build = this.#build(file, table).finally(() => this.#running.delete(key));
    this.#running.set(key, build);
    return build;
  }

  /** Aborts all builds. Their temporary files are removed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #build(file: FileName, table: FileTable): Promise<number> {
    const { signal } = this.#closing;
    const { store, reading } = this.#options;
    const { customer, scope, format } = file;
    const leave = await this.#queue.enter(customer.id, signal);
    const folder = await store.workFolder();
    const path = join(folder, `${randomUUID()}.part`);
    try {
      const { source, columns } = table;
      const form = formOf(format, columns);
      const rows = await readWholeTable(reading, { customerId: customer.id, scope, signal }, { source, columns, form, folder });
      const { version, synced_at } = rows;
      if (!(await store.find(file, version))) {
        const written = await writeFileOf(format, rows, table, { path, signal });
        await store.publish(file, path, { ...written, rows: rows.count, version, syncedAt: synced_at?.toISOString() ?? null }, signal);
        await store.prune(file);
      } else rows.cancel?.();
      return version;
    } finally {
      await rm(path, { force: true });
      leave();
    }
  }
}
