/**
 * Files on disk, below `FILES_DIR`: one folder for each customer and data scope, and in it a data file and a manifest for each file.
 *
 * A file exists when its manifest does. The manifest is written last and never replaced. So a partial file is never visible, and of two
 * processes that build the same file, the first one counts. The name of a customer's folder contains the epoch of its data versions:
 * after a restore, no earlier file is found (contract: data epochs).
 */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataScope } from '../catalogue/data-scope.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { type FileFormat, fileFormats } from './formats.ts';

/** The owner of files: a customer's data in one epoch, as a data scope shows it. */
export interface FileOwner {
  readonly customer: { readonly id: number; readonly schema: string };
  readonly epoch: string | null;
  /** Undefined: all data. */
  readonly scope: DataScope | undefined;
}

/** Identifies the files of a table in one format. */
export interface FileName extends FileOwner {
  readonly kind: DatasetKind;
  readonly name: string;
  readonly format: FileFormat;
}

/** What is known of a complete file. */
export interface Manifest {
  readonly version: number;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  /** The end of the sync of the data, ISO 8601 in UTC; null if there was none. */
  readonly syncedAt: string | null;
  readonly builtAt: string;
  /** The name of the data file. */
  readonly data: string;
}

export interface StoredFile extends Manifest {
  readonly path: string;
  /** A strong tag. Two customers never share one (contract: conditional requests). */
  readonly etag: string;
}

/** Versions of a file that are kept. */
export const maxVersions = 3;

/** Older temporary files belong to builds that were interrupted. */
const abandonedMs = 86_400_000;

const digest = (...parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** The folder of a customer in one epoch. */
export const customerFolder = ({ customer: { id, schema }, epoch }: Pick<FileOwner, 'customer' | 'epoch'>): string =>
  `${schema}-${digest(id, schema, epoch)}`;

/** Names of customer folders. Other names in `FILES_DIR` are not touched. */
const folderPattern = /^.+-[0-9a-f]{16}$/;
/** The length of the part after the schema. */
const digestPart = 17;

/**
 * The folder of a data scope: keys that see the same data share files. A table of which a scope shows a part of the rows has no files
 * (`file-tables.ts`), so only the hidden classes of personal data differ.
 */
const scopeFolder = ({ scope }: Pick<FileOwner, 'scope'>): string => (scope ? `scope-${digest([...scope.hidden].sort())}` : 'all');

/** The beginning of the names of a table's files. Names that are not plain are replaced by a digest. */
const stemOf = ({ kind, name }: Pick<FileName, 'kind' | 'name'>): string =>
  `${kind}.${/^[a-z0-9_]+$/.test(name) ? name : `.${digest(name)}`}`;

const manifestPattern = new RegExp(`^(.+)\\.(\\d+)\\.(${fileFormats.map((each) => each.replace('.', '\\.')).join('|')})\\.json$`);

/** Reads what may be missing. */
const orNothing = async <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

export class FileStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The folder of an owner's files. It is created. */
  async folder(owner: FileOwner): Promise<string> {
    const folder = this.#folder(owner);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** The complete file of a version; undefined if there is none. */
  async find(file: FileName, version: number): Promise<StoredFile | undefined> {
    const folder = this.#folder(file);
    const text = await orNothing(readFile(join(folder, `${stemOf(file)}.${version}.${file.format}.json`), 'utf8'));
    if (text === undefined) return undefined;
    const manifest = JSON.parse(text) as Manifest;
    const etag = `"${digest(customerFolder(file), scopeFolder(file), manifest.sha256)}"`;
    return { ...manifest, path: join(folder, manifest.data), etag };
  }

  /** Makes a complete file visible. If another process was first, its file stays and this one is removed. */
  async publish(file: FileName, temporary: string, manifest: Omit<Manifest, 'data' | 'builtAt'>): Promise<void> {
    const folder = this.#folder(file);
    const name = `${stemOf(file)}.${manifest.version}.${file.format}`;
    const data = `${name}.${randomUUID()}`;
    await rename(temporary, join(folder, data));
    const complete: Manifest = { ...manifest, builtAt: new Date().toISOString(), data };
    const draft = join(folder, `.${randomUUID()}.part`);
    await writeFile(draft, JSON.stringify(complete), { mode: 0o600, flush: true });
    try {
      await link(draft, join(folder, `${name}.json`));
    } catch (error) {
      await unlink(join(folder, data));
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await unlink(draft);
    }
  }

  /** A new temporary file in the folder of an owner. */
  async temporary(owner: FileOwner): Promise<string> {
    return join(await this.folder(owner), `.${randomUUID()}.part`);
  }

  /** The versions of complete files by format, of all tables of an owner. */
  async list(owner: FileOwner): Promise<(kind: DatasetKind, name: string, format: FileFormat) => readonly number[]> {
    const names = (await orNothing(readdir(this.#folder(owner)))) ?? [];
    const versions = versionsAmong(names);
    return (kind, name, format) => versions.get(`${stemOf({ kind, name })} ${format}`) ?? [];
  }

  /** Removes versions of an owner's files beyond the last three, and what interrupted builds left. Returns the number of removed files. */
  prune(owner: FileOwner): Promise<number> {
    return pruneFolder(this.#folder(owner));
  }

  /** Prunes all folders, and removes those of customers and epochs that are not among `current` (`customerFolder`). */
  async pruneAll(current: ReadonlySet<string>): Promise<number> {
    let removed = 0;
    for (const entry of (await orNothing(readdir(this.#root, { withFileTypes: true }))) ?? []) {
      if (!entry.isDirectory() || !folderPattern.test(entry.name)) continue;
      const folder = join(this.#root, entry.name);
      const scopes = await readdir(folder);
      if (current.has(entry.name)) for (const scope of scopes) removed += await pruneFolder(join(folder, scope));
      else {
        for (const scope of scopes) removed += [...versionsAmong(await readdir(join(folder, scope))).values()].flat().length;
        await rm(folder, { recursive: true, force: true });
      }
    }
    return removed;
  }

  /** Removes all files of a customer, of every epoch. */
  async removeCustomer(schema: string): Promise<void> {
    for (const name of (await orNothing(readdir(this.#root))) ?? [])
      if (folderPattern.test(name) && name.slice(0, -digestPart) === schema)
        await rm(join(this.#root, name), { recursive: true, force: true });
  }

  #folder(owner: FileOwner): string {
    return join(this.#root, customerFolder(owner), scopeFolder(owner));
  }
}

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

/** A manifest is removed before its data, so a request finds both or none. A download that has begun continues. */
const pruneFolder = async (folder: string): Promise<number> => {
  const names = (await orNothing(readdir(folder))) ?? [];
  const removed = new Set<string>();
  for (const [key, versions] of versionsAmong(names)) {
    const [stem, format] = key.split(' ');
    for (const version of versions.slice(maxVersions)) removed.add(`${stem}.${version}.${format}.json`);
  }
  const kept = new Set<string>();
  for (const name of names) {
    if (!manifestPattern.test(name)) continue;
    if (removed.has(name)) await rm(join(folder, name), { force: true });
    else kept.add(name.slice(0, -'.json'.length));
  }
  for (const name of names) {
    if (manifestPattern.test(name)) continue;
    // A data file is its manifest's name and a random part.
    const path = join(folder, name);
    const isKept = !name.startsWith('.') && kept.has(name.slice(0, name.lastIndexOf('.')));
    const isOfRemoved = !name.startsWith('.') && removed.has(`${name.slice(0, name.lastIndexOf('.'))}.json`);
    const age = isKept || isOfRemoved ? 0 : Date.now() - ((await orNothing(stat(path)))?.mtimeMs ?? Date.now());
    if (isOfRemoved || age > abandonedMs) await rm(path, { force: true });
  }
  return removed.size;
};
