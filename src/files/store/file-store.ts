/**
 * The files of customers in a store: a data object and a manifest for each file, in one folder for each customer.
 *
 * A file exists when its manifest does. The manifest is written last and never replaced. So a partial file is never visible, and of two
 * processes that build the same file, the first one counts.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { fileFormats } from '../formats.ts';
import { type FileName, type FileOwner, folderOf, schemaOfFolder, stemOf, tableOfStem, tagOf } from './file-names.ts';
import { FolderObjects, orNothing } from './folder-objects.ts';
import type { FoundObject, Objects } from './objects.ts';
import type { S3Address } from './s3-address.ts';
import { S3Objects } from './s3-objects.ts';

/** What is known of a complete file. */
export interface Manifest {
  readonly version: number;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  /** The end of the sync of the data, ISO 8601 in UTC; null if there was none. */
  readonly syncedAt: string | null;
  readonly builtAt: string;
  /** The name of the data object in its folder. */
  readonly data: string;
}

export interface StoredFile extends Manifest {
  /** The names of the manifest and of the data in the store. */
  readonly manifest: string;
  readonly object: string;
  /** `tagOf`. */
  readonly etag: string;
}

/** Versions of a file that are kept. */
export const maxVersions = 3;

/** Older temporary files belong to builds that were interrupted. */
const abandonedMs = 86_400_000;

/** The folder of temporary files. Stored files may be moved from it, so it is on their file system. */
const workName = '.work';

/** Cached manifests of an S3-compatible store, because each is a request. */
const maxManifests = 5_000;
const cachedMs = 600_000;

const manifestPattern = new RegExp(`^(.+)\\.(\\d+)\\.(${fileFormats.map((each) => each.replace('.', '\\.')).join('|')})\\.json$`);

/** Where files are stored. */
export interface StorePlace {
  /** The folder of files, and of temporary files. */
  readonly folder: string;
  /** The S3-compatible store that has the files instead of the folder. */
  readonly s3?: S3Address | undefined;
}

/** Some stores show an object while it is written. A part of a manifest counts as none. */
const parseManifest = (text: string): Manifest | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export class FileStore {
  readonly #objects: Objects;
  readonly #work: string;
  readonly #manifests: LRUCache<string, Manifest> | undefined;

  constructor({ folder, s3 }: StorePlace, objects?: Objects) {
    this.#work = join(folder, workName);
    this.#objects = objects ?? (s3 ? new S3Objects(s3) : new FolderObjects(folder, this.#work));
    this.#manifests = s3 ? new LRUCache({ max: maxManifests, ttl: cachedMs }) : undefined;
  }

  /** The complete file of a version; undefined if there is none. */
  async find(file: FileName, version: number): Promise<StoredFile | undefined> {
    const folder = folderOf(file);
    const name = `${folder}${stemOf(file)}.${version}.${file.format}.json`;
    const manifest = this.#manifests?.get(name) ?? (await this.#read(name));
    if (!manifest) return undefined;
    return { ...manifest, manifest: name, object: folder + manifest.data, etag: tagOf(file, manifest.sha256) };
  }

  /** The bytes from `first` to `last`. Undefined if the file was removed meanwhile, or its data is lost: then it can be built again. */
  async open({ manifest, object }: StoredFile, first: number, last: number): Promise<AsyncIterable<Buffer> | undefined> {
    const bytes = await this.#objects.open(object, first, last);
    if (bytes) return bytes;
    this.#manifests?.delete(manifest);
    await this.#objects.remove(manifest);
    return undefined;
  }

  /** Makes a complete file visible. If another process was first, its file stays and this one is removed. */
  async publish(file: FileName, temporary: string, manifest: Omit<Manifest, 'data' | 'builtAt'>, signal: AbortSignal): Promise<void> {
    const folder = folderOf(file);
    const name = `${stemOf(file)}.${manifest.version}.${file.format}`;
    const data = `${name}.${randomUUID()}`;
    await this.#objects.upload(temporary, folder + data, signal);
    const complete: Manifest = { ...manifest, builtAt: new Date().toISOString(), data };
    // If this fails, the manifest may exist nevertheless, so the data stays until it is pruned.
    if (!(await this.#objects.create(`${folder}${name}.json`, JSON.stringify(complete)))) await this.#removeUnlessNamed(folder, name, data);
  }

  /** The folder of temporary files. It is created. */
  async workFolder(): Promise<string> {
    await mkdir(this.#work, { recursive: true, mode: 0o700 });
    return this.#work;
  }

  /** The versions of complete files of an owner, newest first. */
  async list(owner: FileOwner): Promise<(file: Pick<FileName, 'kind' | 'name' | 'readers' | 'format'>) => readonly number[]> {
    const folder = folderOf(owner);
    const found = await this.#objects.list(folder);
    const versions = new Map<string, number[]>();
    for (const { stem, version, format } of manifestsAmong(found.map(({ name }) => name.slice(folder.length))))
      addTo(versions, `${stem} ${format}`, version);
    return (file) => (versions.get(`${stemOf(file)} ${file.format}`) ?? []).sort((a, b) => b - a);
  }

  /** Removes versions of an owner's tables beyond the last three, and what interrupted builds left. Returns the number of removed files. */
  async prune(owner: FileOwner): Promise<number> {
    await this.#pruneWork();
    const folder = folderOf(owner);
    return this.#pruneFolder(folder, await this.#objects.list(folder));
  }

  /** Prunes all folders, and removes those of customers and epochs that are not among `current` (`customerFolder`). */
  async pruneAll(current: ReadonlySet<string>): Promise<number> {
    await this.#pruneWork();
    const folders = byFolder(await this.#objects.list(''));
    let removed = 0;
    const outdated = new Set<string>();
    for (const [folder, found] of folders) {
      const customer = folder.slice(0, folder.indexOf('/'));
      if (!schemaOfFolder(customer)) continue;
      if (current.has(customer)) removed += await this.#pruneFolder(folder, found);
      else {
        removed += manifestsAmong(found.map(({ name }) => name.slice(folder.length))).length;
        outdated.add(customer);
      }
    }
    for (const customer of outdated) await this.#objects.removeFolder(customer);
    return removed;
  }

  /** Removes all files of a customer, of every epoch. */
  async removeCustomer(schema: string): Promise<void> {
    const found = await this.#objects.list(`${schema}-`);
    const folders = new Set(found.map(({ name }) => name.slice(0, name.indexOf('/'))));
    for (const folder of folders) if (schemaOfFolder(folder) === schema) await this.#objects.removeFolder(folder);
  }

  async #read(name: string): Promise<Manifest | undefined> {
    const text = await this.#objects.read(name);
    const manifest = text === undefined ? undefined : parseManifest(text);
    if (manifest) this.#manifests?.set(name, manifest);
    return manifest;
  }

  /** A repeated request of this process may have written the manifest. Then it names this data. */
  async #removeUnlessNamed(folder: string, name: string, data: string): Promise<void> {
    const manifest = await this.#read(`${folder}${name}.json`);
    if (manifest?.data !== data) await this.#objects.remove(folder + data);
  }

  /** A manifest is removed before its data, so a request finds both or none. A download that has begun continues. */
  async #pruneFolder(folder: string, found: readonly FoundObject[]): Promise<number> {
    const nameOf = ({ name }: FoundObject): string => name.slice(folder.length);
    const removed = outdatedAmong(found.map(nameOf));
    const kept = new Set<string>();
    for (const object of found) {
      const name = nameOf(object);
      if (!manifestPattern.test(name)) continue;
      if (removed.has(name)) {
        await this.#objects.remove(object.name);
        this.#manifests?.delete(object.name);
      } else kept.add(name.slice(0, -'.json'.length));
    }
    for (const object of found) {
      const name = nameOf(object);
      if (manifestPattern.test(name)) continue;
      // The name of data is its manifest's name and a random part.
      const ofManifest = name.slice(0, name.lastIndexOf('.'));
      const isOfRemoved = removed.has(`${ofManifest}.json`);
      if (isOfRemoved || (!kept.has(ofManifest) && (await isAbandoned(object.changedAt())))) await this.#objects.remove(object.name);
    }
    return removed.size;
  }

  /** Removes temporary files that interrupted builds left. */
  async #pruneWork(): Promise<void> {
    for (const name of (await orNothing(readdir(this.#work))) ?? []) {
      const path = join(this.#work, name);
      if (await isAbandoned(orNothing(stat(path)).then((found) => found?.mtimeMs))) await rm(path, { force: true });
    }
  }
}

const byFolder = (objects: readonly FoundObject[]): ReadonlyMap<string, readonly FoundObject[]> => {
  const folders = new Map<string, FoundObject[]>();
  for (const object of objects) {
    addTo(folders, object.name.slice(0, object.name.lastIndexOf('/') + 1), object);
  }
  return folders;
};

const isAbandoned = async (changedAt: Promise<number | undefined>): Promise<boolean> =>
  Date.now() - ((await changedAt) ?? Date.now()) > abandonedMs;

interface ManifestName {
  readonly name: string;
  readonly stem: string;
  readonly version: number;
  readonly format: string;
}

/** The manifests among the names of a folder. */
const manifestsAmong = (names: readonly string[]): readonly ManifestName[] =>
  names.flatMap((name) => {
    const [, stem, version, format] = manifestPattern.exec(name) ?? [];
    return stem === undefined || format === undefined ? [] : [{ name, stem, version: Number(version), format }];
  });

const addTo = <T>(lists: Map<string, T[]>, key: string, value: T): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};

/** The manifests of versions before the last three of a table and format, whatever columns they show. */
const outdatedAmong = (names: readonly string[]): ReadonlySet<string> => {
  const tables = new Map<string, ManifestName[]>();
  for (const manifest of manifestsAmong(names)) addTo(tables, `${tableOfStem(manifest.stem)} ${manifest.format}`, manifest);
  const outdated = [...tables.values()].flatMap((manifests) => {
    const kept = new Set([...new Set(manifests.map(({ version }) => version))].sort((a, b) => b - a).slice(0, maxVersions));
    return manifests.filter(({ version }) => !kept.has(version));
  });
  return new Set(outdated.map(({ name }) => name));
};
