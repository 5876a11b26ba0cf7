/**
 * The files that callers requested. They are built again after a load (`rebuilds.ts`).
 *
 * Each is a small object in the store, so that all instances of a store know it, and a store of one instance has only what that instance serves.
 * The time of its last change is the time of the last request, roughly.
 */
import { LRUCache } from 'lru-cache';
import { type DataScope, dataScope } from '../../catalogue/data-scope.ts';
import { type PersonalClass, personalClasses } from '../../catalogue/personal.ts';
import { customerFolder, type FileName, type FileOwner, nameInFolder } from './file-names.ts';
import type { Objects } from './objects.ts';

/** What is stored of a requested file. */
interface Requested extends Pick<FileName, 'kind' | 'name' | 'format'> {
  /** The classes of personal data that its keys do not read. */
  readonly hidden: readonly PersonalClass[];
}

const folder = 'requested';

/** A request is noted at most once in this time. */
const notedMs = 6 * 3_600_000;
const maxNoted = 100_000;
const maxRead = 10_000;

/** The data scope of keys that do not read these classes. Property sets have no influence on files. */
const scopeWithout = (hidden: readonly PersonalClass[]): DataScope | undefined =>
  hidden.length === 0
    ? undefined
    : dataScope({ personal: personalClasses.filter((each) => !hidden.includes(each)) }, `files without ${hidden.join()}`);

export class RequestedFiles {
  readonly #objects: Objects;
  readonly #noted = new LRUCache<string, true>({ max: maxNoted, ttl: notedMs });
  /** What the objects contain. It depends on their names only. */
  readonly #read = new LRUCache<string, Requested>({ max: maxRead });

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** Notes that the file was requested. */
  async note(file: FileName): Promise<void> {
    const name = nameInFolder(file, folder);
    if (this.#noted.has(name)) return;
    this.#noted.set(name, true);
    const { kind, name: table, format, scope } = file;
    const requested: Requested = { kind, name: table, format, hidden: [...(scope?.hidden ?? [])].sort() };
    try {
      await this.#objects.write(name, JSON.stringify(requested));
    } catch (error) {
      this.#noted.delete(name);
      throw error;
    }
  }

  /** The files of a customer that were requested after `since`, in milliseconds. Others are forgotten. */
  async of(customer: Pick<FileOwner, 'customer' | 'epoch'>, since: number): Promise<readonly FileName[]> {
    const files: FileName[] = [];
    for (const { name, changedAt } of await this.#objects.list(`${customerFolder(customer)}/${folder}/`)) {
      if (((await changedAt()) ?? 0) < since) {
        await this.#objects.remove(name);
        this.#noted.delete(name);
        continue;
      }
      const requested = this.#read.get(name) ?? (await this.#parse(name));
      if (!requested) continue;
      const { kind, name: table, format, hidden } = requested;
      files.push({ ...customer, kind, name: table, format, scope: scopeWithout(hidden) });
    }
    return files;
  }

  /** Some stores show an object while it is written. A part of it counts as none. */
  async #parse(name: string): Promise<Requested | undefined> {
    try {
      const requested: Requested = JSON.parse((await this.#objects.read(name)) ?? '');
      this.#read.set(name, requested);
      return requested;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
