/** The text of a file: its bytes without a byte order mark, and the same text as valid UTF-8 whatever its encoding is. */
import { isAscii, isUtf8 } from 'node:buffer';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { refuseNoText } from './formats.ts';
import { type FilePath, openFile } from './open-file.ts';

const newline = 0x0a;

/** The encoding that the first bytes state. */
const markedEncoding = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
};

/** How many bytes a message about the first bytes of a file needs. */
const markLength = 4;

/** Joins the first chunks, so that the first one has the bytes of a mark. */
async function* withWholeStart(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!first) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < markLength) continue;
    yield first;
    first = undefined;
  }
  if (first && first.length > 0) yield first;
}

/** The bytes of a file in UTF-8, without a byte order mark. Values are not checked. `seen` receives the bytes of the file itself. */
export async function* contentOf(file: FilePath, seen?: (chunk: Uint8Array) => void): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of withWholeStart(openFile(file, seen))) {
    yield isFirst && markedEncoding(chunk) === 'utf-8' ? chunk.subarray(3) : chunk;
    isFirst = false;
  }
}

const decoderOf = (encoding: string, name: string): TextDecoder => {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new OperatorError(
      `${printable(name)}: the encoding '${printable(encoding)}' is unknown. There are utf-8, windows-1252, iso-8859-15, utf-16le and others of the web.`,
    );
  }
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

/** Where a chunk can be cut without cutting a character of UTF-8: after its last byte of ASCII. */
const cutOf = (bytes: Buffer): number => {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1]! >= 0x80) at--;
  return at;
};

const countLines = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
};

/** Gives the bytes as they are, and throws the error of `refused` at the first that is no UTF-8. */
async function* validUtf8(
  chunks: AsyncIterable<Buffer>,
  refused: () => OperatorError,
  lines: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const cut = cutOf(bytes);
    const whole = bytes.subarray(0, cut);
    rest = bytes.subarray(cut);
    if (!isUtf8(whole)) throw refused();
    lines(whole);
    yield whole;
  }
  if (!isUtf8(rest)) throw refused();
  if (rest.length > 0) yield rest;
}

/**
 * The text of a file as valid UTF-8 without a byte order mark. `encoding` is what the source declares. Throws an `OperatorError` if the file
 * is of another encoding or no text.
 */
export async function* utf8Of(file: FilePath, encoding: string): AsyncGenerator<Buffer> {
  const { name } = file;
  const decoder = decoderOf(encoding, name);
  const isPlain = decoder.encoding === 'utf-8';
  const notice = /^(?:windows-\d+|iso-8859-\d+|ibm866|koi8-[ru]|macintosh)$/.test(decoder.encoding) ? new Utf8Notice() : undefined;
  const other = (found: string) =>
    new OperatorError(`${printable(name)}: the file is ${found}, and the source states ${encoding}: state encoding: ${found}.`);
  let before = 0;
  const count = (chunk: Buffer) => {
    before += countLines(chunk);
  };
  const refused = () =>
    new OperatorError(
      `${printable(name)}: the file is not ${encoding}, after line ${before}.${isPlain ? ' State its encoding, such as windows-1252.' : ''}`,
    );
  const decode = (chunk: Buffer | undefined): Buffer => {
    try {
      return Buffer.from(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch {
      throw refused();
    }
  };
  async function* marked(): AsyncGenerator<Buffer> {
    let isFirst = true;
    for await (const chunk of withWholeStart(openFile(file))) {
      const mark = isFirst ? markedEncoding(chunk) : undefined;
      if (mark !== undefined && mark !== decoder.encoding) throw other(mark);
      if (isFirst) refuseNoText(name, chunk, false);
      yield isFirst && isPlain && mark !== undefined ? chunk.subarray(3) : chunk;
      isFirst = false;
    }
  }
  if (isPlain) {
    yield* validUtf8(marked(), refused, count);
    return;
  }
  for await (const chunk of marked()) {
    notice?.see(chunk);
    yield decode(chunk);
    count(chunk);
  }
  notice?.see(undefined);
  if (notice?.isUtf8) throw other('utf-8');
  yield decode(undefined);
}

/**
 * The lines of a text, without their ends, in batches. They end with a line feed only: readline also splits at U+2028. Throws an
 * `OperatorError` if one has more than `longest` bytes.
 */
export async function* byteLines(
  text: AsyncIterable<Buffer>,
  name = '',
  longest = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of text) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      lines.push(bytes.subarray(start, end));
      start = end + 1;
    }
    before += lines.length;
    if (lines.length > 0) yield lines;
    rest = bytes.subarray(start);
    if (rest.length > longest)
      throw new OperatorError(`${printable(name)}, line ${before + 1}: the line has more than ${longest / 2 ** 20} MB.`);
  }
  if (rest.length > 0) yield [rest];
}

/** The lines of a text in UTF-8. */
export async function* textLines(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const lines of byteLines(text)) for (const line of lines) yield line.toString('utf8');
}
