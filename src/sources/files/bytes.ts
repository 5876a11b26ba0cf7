/** Bytes of a file, of a compressed file or of a file in an archive, and their text. */
import { isAscii } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';
import { unpacked } from './unpacked.ts';

const readSize = 256 * 1024;

/** A file, or a file in a zip archive. */
export interface SourcePath {
  readonly path: string;
  /** The name within the archive. */
  readonly entry?: string;
  /** The name in messages. */
  readonly name: string;
}

/** The first bytes of a file, by which its format is known. */
export const magicOf = async (path: string): Promise<'zip' | 'gzip' | 'parquet' | 'ole' | 'other'> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const text = buffer.toString('latin1');
    if (text === 'PK\u0003\u0004') return 'zip';
    if (text.startsWith('\u001f\u008b')) return 'gzip';
    if (text === 'PAR1') return 'parquet';
    return buffer.readUInt32BE(0) === 0xd0cf11e0 ? 'ole' : 'other';
  } finally {
    await file.close();
  }
};

/** The bytes of a file, decompressed. */
export const openBytes = async ({ path, entry, name }: SourcePath): Promise<Readable> => {
  if (entry !== undefined) return Readable.from((await import('./archive.ts')).openEntry(path, entry, name), { objectMode: false });
  const kind = await magicOf(path);
  if (kind === 'gzip') {
    const open = () => pipeline(createReadStream(path, { highWaterMark: readSize }), createGunzip({ chunkSize: readSize }), () => {});
    return Readable.from(unpacked(open, { name, packedBytes: statSync(path).size }), { objectMode: false });
  }
  if (kind !== 'other') {
    const words = { zip: 'an archive or a workbook', parquet: 'a Parquet file', ole: oldWorkbook }[kind];
    throw new OperatorError(`${shown(name)} is ${words}, not text: state its format.`);
  }
  return createReadStream(path, { highWaterMark: readSize });
};

export const oldWorkbook = 'a workbook in the old format .xls or with a password: save it as .xlsx without one';

const decoderOf = (encoding: string, name: string): TextDecoder => {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new OperatorError(
      `${shown(name)}: the encoding '${shown(encoding)}' is unknown. There are utf-8, windows-1252, iso-8859-15, utf-16le and others of the web.`,
    );
  }
};

/** The encoding that the first bytes state. */
const markedEncoding = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
};

/**
 * Notices UTF-8 in a file of which another encoding is stated. Encodings of one byte can read all bytes, so they never fail; text with
 * other letters than a to z that is valid UTF-8 by chance does not occur.
 */
class Utf8Notice {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isValid = true;
  #hasLetters = false;

  see(chunk: Buffer | undefined): void {
    if (!this.#isValid) return;
    try {
      if (chunk && isAscii(chunk)) this.#decoder.decode(chunk, { stream: true });
      else if (chunk) this.#hasLetters = this.#decoder.decode(chunk, { stream: true }).length > 0 || this.#hasLetters;
      else this.#decoder.decode();
    } catch {
      this.#isValid = false;
    }
  }

  get isUtf8(): boolean {
    return this.#isValid && this.#hasLetters;
  }
}

/** Decodes the bytes. Throws an `OperatorError` if they are of another encoding. */
export const decode = (bytes: Readable, encoding: string, name: string): Readable => {
  const decoder = decoderOf(encoding, name);
  const notice = /^(?:windows-\d+|iso-8859-\d+|ibm866|koi8-[ru]|macintosh)$/.test(decoder.encoding) ? new Utf8Notice() : undefined;
  const other = (found: string) =>
    new OperatorError(`${shown(name)}: the file is ${found}, and the source states ${encoding}: state encoding: ${found}.`);
  let before = 0;
  const decodeOr = (chunk: Buffer | undefined): string => {
    try {
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      before += chunk ? countLines(chunk) : 0;
      return text;
    } catch {
      const remedy = decoder.encoding === 'utf-8' ? ' State its encoding, such as windows-1252.' : '';
      throw new OperatorError(`${shown(name)}: the file is not ${encoding}, after line ${before}.${remedy}`);
    }
  };
  async function* texts(): AsyncGenerator<string> {
    let isFirst = true;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      const marked = isFirst ? markedEncoding(chunk) : undefined;
      if (marked !== undefined && marked !== decoder.encoding) throw other(marked);
      isFirst = false;
      notice?.see(chunk);
      yield decodeOr(chunk);
    }
    notice?.see(undefined);
    if (notice?.isUtf8) throw other('utf-8');
    yield decodeOr(undefined);
  }
  return Readable.from(texts(), { objectMode: false, encoding: 'utf8', highWaterMark: readSize });
};

const countLines = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
  return lines;
};
