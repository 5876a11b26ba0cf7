/**
 * Builds requested files again after a load, in the background, so that the next reader gets a file at once (contract: building files).
 *
 * A check compares the revisions of all customers who have files in the store with those of the last check: one statement. It runs at the
 * start, after notifications of new versions, and once a minute, because nothing may depend on notifications. If the current version of a
 * requested file is missing, the file is built.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Directories } from '../cache/directory.ts';
import type { Versions } from '../cache/versions.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connections/connection.ts';
import type { CustomerSchema } from '../database/control/state-tables.ts';
import type { FileBuilds } from './builds.ts';
import { type FileTable, findFileTable, hasFiles } from './file-tables.ts';
import { type FileName, schemaOfFolder, scopeFolder } from './store/file-names.ts';
import type { FileStore } from './store/file-store.ts';

export interface RebuildsOptions {
  readonly database: Database;
  readonly versions: Versions;
  readonly directories: Directories;
  readonly catalogue: Catalogue;
  readonly store: FileStore;
  readonly builds: FileBuilds;
  /** A file is built again if it was requested in these last days; 0: no file is. */
  readonly days: number;
  /** Called when a build or a check fails. */
  readonly onError: (error: unknown) => void;
}

const dayMs = 86_400_000;
/** The time between two checks without a notification, and the time in which notifications are collected. */
const [checkMs, collectMs] = [60_000, 1_000];
/** Customers whose files are compared at the same time. Their builds take turns. */
const customersAtOnce = 4;

/** A customer and the number of changes to its data that are announced or published. */
interface Published extends CustomerSchema {
  readonly revision: number;
}

export class Rebuilds {
  readonly #options: RebuildsOptions;
  /** The revision at which all requested files of a customer were there. */
  readonly #done = new Map<number, number>();
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isNoticed = false;
  #wake = (): void => {};

  constructor(options: RebuildsOptions) {
    this.#options = options;
  }

  /** Notes that a caller requested the file. The request does not wait for it. */
  note(file: FileName): void {
    const { store, days, onError } = this.#options;
    if (days > 0) store.requested.note(file).catch(onError);
  }

  start(): void {
    if (this.#options.days > 0) this.#running = this.#run(this.#closing.signal);
  }

  /** Checks soon, because there may be a new version. */
  notice(): void {
    this.#isNoticed = true;
    this.#wake();
  }

  /** Ends the checks. The builds end by themselves. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(collectMs, undefined, { signal, ref: false }).catch(() => {});
      this.#isNoticed = false;
      await this.#check(signal).catch((error: unknown) => this.#fail(error));
      if (!this.#isNoticed) await this.#untilNoticed(signal);
    }
  }

  /** Waits for a notification or for the next regular check. */
  async #untilNoticed(signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(checkMs, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(() => {});
  }

  async #check(signal: AbortSignal): Promise<void> {
    const due = (await this.#published()).filter(({ id, revision }) => this.#done.get(id) !== revision);
    const next = async (): Promise<void> => {
      for (let customer = due.shift(); customer && !signal.aborted; customer = due.shift())
        await this.#rebuild(customer, signal).catch((error: unknown) => this.#fail(error));
    };
    await Promise.all(Array.from({ length: customersAtOnce }, next));
  }

  /** The customers who have files in the store. */
  async #published(): Promise<Published[]> {
    const { database, store } = this.#options;
    const schemas = new Set((await store.customerFolders()).map(schemaOfFolder));
    if (schemas.size === 0) return [];
    const rows = await database.control
      .selectFrom('customers as c')
      .leftJoin('publications as p', 'p.customer_id', 'c.id')
      .select(['c.id', 'c.schema_name as schema', 'p.revision'])
      .where('c.schema_name', 'in', [...(schemas as Set<string>)])
      .execute();
    return rows.map(({ revision, ...customer }) => ({ ...customer, revision: revision ?? 0 }));
  }

  /** Builds the requested files of a customer that are missing. */
  async #rebuild({ id, schema, revision }: Published, signal: AbortSignal): Promise<void> {
    const { builds, store } = this.#options;
    let isComplete = true;
    for (const [file, version, table] of await this.#missing({ id, schema })) {
      signal.throwIfAborted();
      // Another process may have built it meanwhile.
      if (await store.find(file, version)) continue;
      try {
        isComplete = (await builds.buildAfterLoad(file, table)) && isComplete;
      } catch (error) {
        // The next request or the next load tries again.
        this.#fail(error);
      }
    }
    // The process that builds the others may end before they are there.
    if (isComplete) this.#done.set(id, revision);
  }

  async #missing(customer: CustomerSchema): Promise<readonly (readonly [FileName, number, FileTable])[]> {
    const { versions, directories, catalogue, store, days } = this.#options;
    const { epoch } = await versions.requiredRevision(customer.id);
    const requested = await store.requested.of({ customer, epoch }, Date.now() - days * dayMs);
    if (requested.length === 0) return [];
    const states = await versions.of(customer.id);
    const listed = new Map<string, ReturnType<FileStore['list']>>();
    const versionsOf = (file: FileName) => {
      const known = listed.get(scopeFolder(file)) ?? store.list(file);
      listed.set(scopeFolder(file), known);
      return known;
    };
    const missing: (readonly [FileName, number, FileTable])[] = [];
    for (const file of requested) {
      const { kind, name, format, scope } = file;
      const version = states.get(kind, name)?.version;
      if (version === undefined || !hasFiles(scope, kind, name)) continue;
      if ((await versionsOf(file))(kind, name, format).includes(version)) continue;
      const directory = await directories.of(customer);
      const table = findFileTable({ catalogue, directory, customer, scope }, kind, name);
      if (table) missing.push([file, version, table]);
    }
    return missing;
  }

  #fail(error: unknown): void {
    if (!this.#closing.signal.aborted) this.#options.onError(error);
  }
}
