/** Mapped rows on disk, so that a load of any size needs little memory. They are read twice: to resolve references, and for messages. */

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

const batchSize = 1_000;

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
  async append(rows: readonly SpooledRow[]): Promise<void> {
    let text = '';
    for (const { file, line, key, rule, values } of rows) {
      let index = this.#files.lastIndexOf(file);
      if (index < 0) index = this.#files.push(file) - 1;
      text += `${JSON.stringify([index, line, key, rule, values])}\n`;
      this.#count++;
    }
    if (this.#failure) throw this.#failure;
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
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

  /** The rows in batches, each with its position. */
  async *read(): AsyncGenerator<readonly (SpooledRow & { readonly position: number })[]> {
    let batch: (SpooledRow & { readonly position: number })[] = [];
    let position = 0;
    for await (const text of textLines(createReadStream(this.#path, { encoding: 'utf8', highWaterMark: 1 << 18 }))) {
      const [file, line, key, rule, values] = JSON.parse(text) as [number, number, number, number, (string | null)[]];
      batch.push({ file: this.#files[file]!, line, key, rule, values, position: position++ });
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}
