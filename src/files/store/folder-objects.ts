/** Objects as files in a folder. Names that begin with a dot belong to work in progress and are no objects. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FoundObject, Objects } from './objects.ts';

/** Reads what may be missing. */
export const orNothing = async <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** A part of a file. It closes the file. */
async function* bytesOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  yield* file.createReadStream({ start, end });
}

export class FolderObjects implements Objects {
  readonly #root: string;
  readonly #work: string;

  /** `work` is a folder of the same file system. */
  constructor(root: string, work: string) {
    this.#root = root;
    this.#work = work;
  }

  async list(prefix: string): Promise<readonly FoundObject[]> {
    const [folder, start] = [prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix.slice(prefix.lastIndexOf('/') + 1)];
    const found: FoundObject[] = [];
    for (const entry of (await orNothing(readdir(join(this.#root, folder), { withFileTypes: true }))) ?? []) {
      if (!entry.name.startsWith(start) || entry.name.startsWith('.')) continue;
      const name = `${folder}${entry.name}`;
      if (entry.isDirectory()) found.push(...(await this.list(`${name}/`)));
      else found.push({ name, changedAt: async () => (await orNothing(stat(this.#path(name))))?.mtimeMs });
    }
    return found;
  }

  read(name: string): Promise<string | undefined> {
    return orNothing(readFile(this.#path(name), 'utf8'));
  }

  /** The text is linked into place, so no other process sees a part of it. */
  async create(name: string, text: string): Promise<boolean> {
    const draft = await this.#draft(name, text);
    try {
      await link(draft, this.#path(name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await unlink(draft);
    }
  }

  async upload(path: string, name: string): Promise<void> {
    await mkdir(dirname(this.#path(name)), { recursive: true, mode: 0o700 });
    await rename(path, this.#path(name));
  }

  /** An open file can be read even if it is removed meanwhile. */
  async open(name: string, first: number, last: number): Promise<AsyncIterable<Buffer> | undefined> {
    const file = await orNothing(open(this.#path(name)));
    return file && bytesOf(file, first, last);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(this.#path(folder), { recursive: true, force: true });
  }

  /** A complete file with the text, and the folder for it. */
  async #draft(name: string, text: string): Promise<string> {
    const draft = join(this.#work, `${randomUUID()}.part`);
    await mkdir(this.#work, { recursive: true, mode: 0o700 });
    await mkdir(dirname(this.#path(name)), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flush: true });
    return draft;
  }

  #path(name: string): string {
    return join(this.#root, name);
  }
}
