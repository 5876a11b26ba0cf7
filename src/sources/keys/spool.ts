/**
 * Mapped rows on disk, so that a load of any size needs little memory. They are read twice: to resolve references, and for messages. A line of
 * the file holds the rows that were appended together, because JSON of many rows is faster than that of each.
 */

import { once } from 'node:events';
import { createReadStream, createWriteStream, openSync, type WriteStream } from 'node:fs';
import { textLines } from '../files/text-lines.ts';

/** A row of the spool: its own key is an integer, its references are still those of the source. */
export interface SpooledRow {
  readonly file: string;
  readonly line: number;
  readonly key: number;
  /** The position of its rule among those that fill the raw table. */
  readonly rule: number;
  readonly values: (string | null)[];
}

type WrittenRow = [file: number, line: number, key: number, rule: number, values: (string | null)[]];

export class Spool {
  readonly #path: string;
  readonly #stream: WriteStream;
  readonly #files: string[] = [];
  #failure: Error | undefined;
  #count = 0;

  constructor(path: string) {
    this.#path = path;
    // The file is there at once, so that a load that fails early can remove its folder.
    this.#stream = createWriteStream(path, { fd: openSync(path, 'w', 0o600), highWaterMark: 1 << 20 });
    this.#stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  get count(): number {
    return this.#count;
  }

  /** Appends rows. Their number in the spool is their position. */
  async append(rows: readonly Readonly<SpooledRow>[]): Promise<void> {
    const written = rows.map(({ file, line, key, rule, values }): WrittenRow => [this.#indexOf(file), line, key, rule, values]);
    this.#count += rows.length;
    if (this.#failure) throw this.#failure;
    if (!this.#stream.write(`${JSON.stringify(written)}\n`)) await once(this.#stream, 'drain');
  }

  #indexOf(file: string): number {
    const index = this.#files.lastIndexOf(file);
    return index < 0 ? this.#files.push(file) - 1 : index;
  }

  async end(): Promise<void> {
    this.#stream.end();
    await once(this.#stream, 'close');
    if (this.#failure) throw this.#failure;
  }

  /** Closes the file of a load that failed. */
  discard(): void {
    this.#stream.destroy();
  }

  /** The rows in the batches of `append`, each with its position. */
  async *read(): AsyncGenerator<readonly (SpooledRow & { readonly position: number })[]> {
    let position = 0;
    for await (const text of textLines(createReadStream(this.#path, { encoding: 'utf8', highWaterMark: 1 << 18 }))) {
      const written = JSON.parse(text) as WrittenRow[];
      yield written.map(([file, line, key, rule, values]) => ({ file: this.#files[file]!, line, key, rule, values, position: position++ }));
    }
  }
}
