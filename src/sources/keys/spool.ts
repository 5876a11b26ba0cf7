/**
 * Mapped rows on disk, so that a load of any size needs little memory. They are read again to resolve references, for the database, and for
 * messages. A page holds the rows that were appended together: the input of COPY, and beside it the place and the key of each row.
 */
import { once } from 'node:events';
import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { copyFieldBytes, integerLength, type RowFields, writeInteger } from './copy-fields.ts';
import { headLength, headOf, type KeptLine, lengthOfPage, partsOfPage, SpoolPage } from './spool-pages.ts';

/** A row on its way into the spool: its references are still those of the source. */
export interface PlacedRow {
  readonly file: string;
  readonly line: number;
  readonly fields: RowFields;
}

/** What belongs to the rows of a page, in their order. */
export interface Appended {
  /** Their own keys. */
  readonly keys: readonly number[];
  /** The position of the rule of each row among those that fill the raw table, or of all rows. */
  readonly rules: number | readonly number[];
  readonly origins?: readonly KeptLine[] | undefined;
}

const [comma, lineFeed] = [0x2c, 0x0a] as const;

export class Spool {
  readonly #path: string;
  readonly #columns: number;
  readonly #stream: WriteStream;
  readonly #files: string[] = [];
  #failure: Error | undefined;
  #count = 0;

  /** `columns`: how many values a row has after its key. */
  constructor(path: string, columns: number) {
    this.#path = path;
    this.#columns = columns;
    // The file is there at once, so that a load that fails early can remove its folder.
    this.#stream = createWriteStream(path, { fd: openSync(path, 'w', 0o600), highWaterMark: 1 << 20 });
    this.#stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  get count(): number {
    return this.#count;
  }

  /** Appends rows as a page. Their number in the spool is their position. */
  async append(rows: readonly PlacedRow[], appended: Appended): Promise<void> {
    if (rows.length === 0) return;
    const page = this.#pageOf(rows, appended);
    this.#count += rows.length;
    if (this.#failure) throw this.#failure;
    if (!this.#stream.write(page)) await once(this.#stream, 'drain');
  }

  #pageOf(rows: readonly PlacedRow[], { keys, rules, origins }: Appended): Uint8Array {
    const kept = origins && Buffer.from(JSON.stringify(origins));
    let most = 0;
    for (const { fields } of rows) most += fields.end - fields.start + integerLength + 2;
    const room = headOf(rows.length, this.#columns, most, kept?.length ?? 0);
    const bytes = Buffer.allocUnsafeSlow(lengthOfPage(room));
    const page = partsOfPage(bytes, room);
    const { text } = page;
    page.keys.set(keys);
    if (typeof rules === 'number') page.rules.fill(rules);
    else page.rules.set(rules);
    let at = 0;
    for (let index = 0; index < rows.length; index++) {
      const { file, line, fields } = rows[index]!;
      page.lines[index] = line;
      page.files[index] = this.#indexOf(file);
      at = writeInteger(text, at, keys[index] as number);
      if (this.#columns > 0) {
        text[at++] = comma;
        at = copyFieldBytes(fields, text, at);
      }
      text[at++] = lineFeed;
      page.ends[index] = at;
    }
    const head = headOf(rows.length, this.#columns, at, kept?.length ?? 0);
    bytes.set(new Uint8Array(head.buffer));
    if (kept) bytes.set(kept, text.byteOffset + at);
    return bytes.subarray(0, lengthOfPage(head));
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

  /** The pages in the order of `append`. */
  async *read(): AsyncGenerator<SpoolPage> {
    const file = await open(this.#path);
    try {
      let [at, first] = [0, 0];
      while (first < this.#count) {
        const head = new Uint32Array(headLength / 4);
        await file.read(head, 0, headLength, at);
        const bytes = Buffer.allocUnsafeSlow(lengthOfPage(head));
        await file.read(bytes, 0, bytes.length, at);
        at += bytes.length;
        const page = new SpoolPage(partsOfPage(bytes, head), first, this.#files);
        first += page.count;
        yield page;
      }
    } finally {
      await file.close();
    }
  }
}
