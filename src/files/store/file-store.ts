/**
 * The files of customers in a store: a data object and a manifest for each file, in one folder for each customer and data scope.
 *
 * A file exists when its manifest does. The manifest is written last and never replaced. So a partial file is never visible, and of two
 * processes that build the same file, the first one counts.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DatasetKind } from '../../catalogue/table.ts';
import { type FileFormat, fileFormats } from '../formats.ts';
import { BuildClaims } from './build-claims.ts';
import {
  customerFolder,
  digest,
  type FileName,
  type FileOwner,
  folderOf,
  isScopeFolder,
  schemaOfFolder,
  scopeFolder,
  stemOf,
} from './file-names.ts';
import { FolderObjects, orNothing } from './folder-objects.ts';
import type { FoundObject, Objects } from './objects.ts';
import { RequestedFiles } from './requested-files.ts';
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
  /** A strong tag. Two customers never share one (contract: conditional requests). */
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
  readonly requested: RequestedFiles;
  readonly claims: BuildClaims;
  readonly #objects: Objects;
  readonly #work: string;
  readonly #manifests: LRUCache<string, Manifest> | undefined;

  constructor({ folder, s3 }: StorePlace, objects?: Objects) {
    this.#work = join(folder, workName);
    this.#objects = objects ?? (s3 ? new S3Objects(s3) : new FolderObjects(folder, this.#work));
    this.requested = new RequestedFiles(this.#objects);
    this.claims = new BuildClaims(this.#objects);
    this.#manifests = s3 ? new LRUCache({ max: maxManifests, ttl: cachedMs }) : undefined;
  }

  /** The complete file of a version; undefined if there is none. */
  async find(file: FileName, version: number): Promise<StoredFile | undefined> {
    const folder = folderOf(file);
    const name = `${folder}${stemOf(file)}.${version}.${file.format}.json`;
    const manifest = this.#manifests?.get(name) ?? (await this.#read(name));
    if (!manifest) return undefined;
    const etag = `"${digest(customerFolder(file), scopeFolder(file), manifest.sha256)}"`;
    return { ...manifest, manifest: name, object: folder + manifest.data, etag };
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

  /** The versions of complete files by format, of all tables of an owner. */
  async list(owner: FileOwner): Promise<(kind: DatasetKind, name: string, format: FileFormat) => readonly number[]> {
    const folder = folderOf(owner);
    const found = await this.#objects.list(folder);
    const versions = versionsAmong(found.map(({ name }) => name.slice(folder.length)));
    return (kind, name, format) => versions.get(`${stemOf({ kind, name })} ${format}`) ?? [];
  }

  /** The folders of customers who have files or requests (`customerFolder`). */
  async customerFolders(): Promise<readonly string[]> {
    return (await this.#objects.folders()).filter(schemaOfFolder);
  }

  /** Removes versions of an owner's files beyond the last three, and what interrupted builds left. Returns the number of removed files. */
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
      const [customer = '', scope = '', ...more] = folder.split('/');
      if (!schemaOfFolder(customer) || scope === '' || more.join() !== '') continue;
      if (current.has(customer)) removed += isScopeFolder(scope) ? await this.#pruneFolder(folder, found) : 0;
      else {
        removed += [...versionsAmong(found.map(({ name }) => name.slice(folder.length))).values()].flat().length;
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
    const removed = new Set<string>();
    for (const [key, versions] of versionsAmong(found.map(nameOf))) {
      const [stem, format] = key.split(' ');
      for (const version of versions.slice(maxVersions)) removed.add(`${stem}.${version}.${format}.json`);
    }
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
    const folder = object.name.slice(0, object.name.lastIndexOf('/') + 1);
    const others = folders.get(folder);
    if (others) others.push(object);
    else folders.set(folder, [object]);
  }
  return folders;
};

const isAbandoned = async (changedAt: Promise<number | undefined>): Promise<boolean> =>
  Date.now() - ((await changedAt) ?? Date.now()) > abandonedMs;

/** The versions by table and format, newest first. */
const versionsAmong = (names: readonly string[]): ReadonlyMap<string, readonly number[]> => {
  const found = new Map<string, number[]>();
  for (const file of names) {
    const [, stem, version, format] = manifestPattern.exec(file) ?? [];
    if (stem === undefined) continue;
    const key = `${stem} ${format}`;
    found.set(
      key,
      [...(found.get(key) ?? []), Number(version)].sort((a, b) => b - a),
    );
  }
  return found;
};
