/**
 * An embedded database in memory that starts from the files of a template.
 *
 * All copies of a process share the template's bytes. A file is copied when a database writes to it for the first time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { startParams } from '../../src/database/embedded/embedded.ts';

type Entry = { readonly name: string } & ({ readonly contents: Uint8Array } | { readonly entries: readonly Entry[] });

/** The part of Emscripten's MEMFS that is used here. All files of a database share their operations. */
interface Node {
  contents: Uint8Array;
  usedBytes: number;
  readonly stream_ops: { write(stream: { readonly node: Node }, ...rest: readonly unknown[]): number };
  readonly node_ops: {
    mknod(parent: Node, name: string, mode: number, device: number): Node;
    setattr(node: Node, attributes: { readonly size?: number }): void;
  };
}

const [folderMode, fileMode] = [0o40700, 0o100600];

const readEntries = (folder: string, shared: WeakSet<Uint8Array>): readonly Entry[] =>
  readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (entry.isDirectory()) return { name, entries: readEntries(path, shared) };
    const contents = new Uint8Array(readFileSync(path));
    shared.add(contents);
    return { name, contents };
  });

/** MEMFS writes into the bytes of a file, unless the file grows. */
const copyOnWrite = (operations: Node['stream_ops'], shared: WeakSet<Uint8Array>): void => {
  const { write } = operations;
  operations.write = (stream, ...rest) => {
    const { node } = stream;
    if (shared.has(node.contents)) node.contents = node.contents.slice();
    return write(stream, ...rest);
  };
};

/** PostgreSQL appends a few blocks at a time. MEMFS would copy the file each time. */
const growInSteps = (operations: Node['node_ops']): void => {
  const { setattr } = operations;
  operations.setattr = (node, attributes) => {
    const { size } = attributes;
    if (size === undefined || size <= node.usedBytes) return setattr(node, attributes);
    const { contents, usedBytes } = node;
    if (size > contents.length) {
      node.contents = new Uint8Array(Math.ceil(size * 1.5));
      node.contents.set(contents.subarray(0, usedBytes));
    }
    node.usedBytes = size; // The bytes after the end are always 0.
    setattr(node, attributes);
  };
};

/** The files of a template, once for a process. */
class TemplateFiles {
  static readonly #read = new Map<string, TemplateFiles>();

  static of(folder: string): TemplateFiles {
    const known = TemplateFiles.#read.get(folder);
    if (known) return known;
    const files = new TemplateFiles(folder);
    TemplateFiles.#read.set(folder, files);
    return files;
  }

  readonly #shared = new WeakSet<Uint8Array>();
  readonly #entries: readonly Entry[];

  private constructor(folder: string) {
    this.#entries = readEntries(folder, this.#shared);
  }

  /** Creates all files below a folder of MEMFS. `file` is any file there. */
  createIn(folder: Node, file: Node): void {
    copyOnWrite(file.stream_ops, this.#shared);
    growInSteps(file.node_ops);
    this.#create(folder, this.#entries);
  }

  #create(folder: Node, entries: readonly Entry[]): void {
    for (const entry of entries) {
      const node = folder.node_ops.mknod(folder, entry.name, 'entries' in entry ? folderMode : fileMode, 0);
      if ('entries' in entry) this.#create(node, entry.entries);
      else {
        node.contents = entry.contents;
        node.usedBytes = entry.contents.length;
      }
    }
  }
}

class TemplateFileSystem extends MemoryFS {
  readonly #files: TemplateFiles;

  constructor(files: TemplateFiles) {
    super();
    this.#files = files;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = this.pg!.Module;
    FS.mkdirTree(PGlite.paths.PGDATA);
    const at = (path: string) => FS.lookupPath(path, {}).node as unknown as Node;
    this.#files.createIn(at(PGlite.paths.PGDATA), at(PGlite.paths.POSTGRES_EXE_PATH));
  }
}

/** Opens a copy of the template in a folder. */
export const openEmbeddedCopy = (folder: string): Promise<PGlite> =>
  PGlite.create({ fs: new TemplateFileSystem(TemplateFiles.of(folder)), startParams });
