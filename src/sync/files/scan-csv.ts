/**
 * A strict scanner of CSV (RFC 4180) over chunks of bytes: a delimiter between fields, quotes around a whole field or none, and one kind of
 * line end. A source can declare other characters.
 *
 * PostgreSQL accepts a quote within a field and reads on to the next quote, over any number of lines. So the whole file is scanned before
 * it is sent. Records are handed on as they are, without a copy.
 */

export interface ScannerHandlers {
  /**
   * A field of a complete record. Quotes are outside `start` and `end`; within them a quote is doubled. `line` is the line on which the
   * record begins.
   */
  readonly field: (bytes: Uint8Array, start: number, end: number, column: number, isQuoted: boolean) => void;
  /** A record ends after its fields. */
  readonly record: (line: number, fields: number) => void;
  /** An error in the form. The fields of its record are incomplete. `column` counts from 0. */
  readonly problem: (line: number, column: number | undefined, what: string) => void;
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d] as const;

/** The characters of a dialect, as bytes of ASCII. */
export interface CsvCharacters {
  readonly delimiter: number;
  /** -1: the file has no quotes. */
  readonly quote: number;
  /** The end of a line: a line feed, also after a carriage return, or a carriage return alone. */
  readonly newline: number;
  /** Lines that begin with these bytes are skipped. */
  readonly comment?: Buffer | undefined;
  /** Whether the last line may lack its end. */
  readonly isEndOptional?: boolean;
}

export const rfc4180: CsvCharacters = { delimiter: 0x2c, quote: 0x22, newline: lineFeed };

/** A longer record is the effect of a quote that is not closed. It bounds the memory of a load. */
const longestRecord = 16 * 2 ** 20;

const empty = Buffer.alloc(0);

const silent: ScannerHandlers = { field: () => {}, record: () => {}, problem: () => {} };

export class CsvScanner {
  #handlers: ScannerHandlers;
  readonly #characters: CsvCharacters;
  /** The beginning of a record that continues in the next chunk. */
  #rest: Buffer = empty;
  /** The line of the next record. */
  #line: number;
  #isWindows: boolean | undefined;
  #isMixed = false;
  #isStopped = false;
  /** The line and column at which the open quoted field begins. */
  #open: { readonly line: number; readonly column: number } | undefined;

  /** `line` is that of the first record. */
  constructor(handlers: ScannerHandlers, { line = 1, characters = rfc4180 }: { line?: number; characters?: CsvCharacters } = {}) {
    this.#handlers = handlers;
    this.#line = line;
    this.#characters = characters;
  }

  /** The line of the record that is scanned. */
  get line(): number {
    return this.#line;
  }

  /** Whether the scanner can read on. It cannot after a quote that is not closed. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Scans the chunk. Returns the bytes of all records that are complete. */
  scan(chunk: Buffer): Buffer {
    if (this.#isStopped) return empty;
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(this.#characters.newline) + 1;
    let at = 0;
    while (at < end) {
      const next = this.#record(bytes, at, end);
      if (next < 0) break;
      at = next;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : empty;
    if (this.#rest.length > longestRecord) this.#stop();
    return bytes.subarray(0, at);
  }

  /** Reports an incomplete last record. */
  end(): void {
    if (this.#isStopped || this.#rest.length === 0) return;
    const { newline, isEndOptional } = this.#characters;
    const rest = Buffer.concat([this.#rest, Buffer.from(this.#isWindows ? [carriageReturn, newline] : [newline])]);
    if (isEndOptional) {
      if (this.#record(rest, 0, rest.length) < 0) this.#stop();
      this.#isStopped = true;
      return;
    }
    const { problem } = this.#handlers;
    const line = this.#line;
    let found: Parameters<ScannerHandlers['problem']> | undefined;
    this.#handlers = {
      ...silent,
      problem: (...one) => {
        found ??= one;
      },
    };
    const isOpen = this.#record(rest, 0, rest.length) < 0;
    this.#handlers = { ...silent, problem };
    if (isOpen) this.#stop();
    else if (found) problem(...found);
    else
      problem(
        line,
        undefined,
        'the last line has no line end, so the file may be cut off: deliver it again, or add the line end if it is whole',
      );
    this.#isStopped = true;
  }

  #stop(): void {
    const { line, column } = this.#open ?? { line: this.#line, column: undefined };
    this.#isStopped = true;
    this.#rest = empty;
    this.#handlers.problem(
      line,
      column,
      'the quote that begins here is not closed: a quote within a value is doubled, and the value is in quotes',
    );
  }

  /** Scans one record. Returns the position after it, or a negative number if it is not complete. The bytes end with a line end. */
  #record(bytes: Uint8Array, start: number, end: number): number {
    const { field } = this.#handlers;
    const { delimiter, quote, newline, comment } = this.#characters;
    if (comment !== undefined && startsWith(bytes, start, comment)) return this.#endLine(bytes, start);
    const isLineFeed = newline === lineFeed;
    let at = start;
    let breaks = 0;
    for (let column = 0; ; column++) {
      let byte = bytes[at];
      if (byte === quote) {
        const first = at + 1;
        let isClosed = false;
        for (at = first; at < end; at++) {
          byte = bytes[at];
          if (byte === newline) breaks++;
          else if (byte === quote) {
            if (bytes[at + 1] !== quote) {
              isClosed = true;
              break;
            }
            at++;
          }
        }
        if (!isClosed) {
          this.#open = { line: this.#line + countBytes(bytes, newline, start, first), column };
          return -1;
        }
        const close = at++;
        byte = bytes[at];
        if (byte !== delimiter && byte !== newline && !(byte === carriageReturn && bytes[at + 1] === newline)) {
          const begin = this.#line + countBytes(bytes, newline, start, first);
          const where = breaks > 0 && begin < this.#line + breaks ? ` (it ends on line ${this.#line + breaks})` : '';
          return this.#skip(bytes, at, {
            line: begin,
            breaks,
            column,
            what: `text follows the closing quote of the value${where}: a quote within a value is doubled, and the value is in quotes`,
          });
        }
        field(bytes, first, close, column, true);
      } else {
        const first = at;
        while (byte !== delimiter && byte !== newline && byte !== quote && byte !== carriageReturn) byte = bytes[++at];
        if (byte === quote)
          return this.#skip(bytes, at, {
            line: this.#line + breaks,
            breaks,
            column,
            what: 'a quote is in a value without quotes around it: a quote within a value is doubled, and the value is in quotes',
          });
        if (byte === carriageReturn && isLineFeed && bytes[at + 1] !== newline)
          return this.#skip(bytes, at, {
            line: this.#line + breaks,
            breaks,
            column,
            what: 'a carriage return is alone: lines end with CRLF or LF, and a value with a line break is in quotes',
          });
        field(bytes, first, at, column, false);
      }
      if (byte === delimiter) {
        at++;
        continue;
      }
      return this.#endRecord(at, isLineFeed && byte === carriageReturn, column + 1, breaks);
    }
  }

  #endRecord(at: number, isWindows: boolean, fields: number, breaks: number): number {
    const line = this.#line;
    this.#line += breaks + 1;
    this.#isWindows ??= isWindows;
    this.#handlers.record(line, fields);
    if (this.#isWindows !== isWindows && !this.#isMixed) {
      const [here, before] = isWindows ? ['CRLF', 'LF'] : ['LF', 'CRLF'];
      this.#handlers.problem(line + breaks, undefined, `the line ends with ${here}, and the first line with ${before}: use one of them`);
      this.#isMixed = true;
    }
    return at + (isWindows ? 2 : 1);
  }

  /** Reports a problem and goes on after the end of the line. */
  #skip(
    bytes: Uint8Array,
    from: number,
    { line, breaks, column, what }: { readonly line: number; readonly breaks: number; readonly column: number; readonly what: string },
  ): number {
    this.#handlers.problem(line, column, what);
    this.#line += breaks;
    return this.#endLine(bytes, from);
  }

  /** The position after the end of the line. */
  #endLine(bytes: Uint8Array, from: number): number {
    this.#line++;
    return bytes.indexOf(this.#characters.newline, from) + 1;
  }
}

const startsWith = (bytes: Uint8Array, at: number, text: Buffer): boolean => text.every((byte, index) => bytes[at + index] === byte);

const countBytes = (bytes: Uint8Array, wanted: number, start: number, end: number): number => {
  let count = 0;
  for (let at = bytes.indexOf(wanted, start); at >= 0 && at < end; at = bytes.indexOf(wanted, at + 1)) count++;
  return count;
};

/** The text of a field. */
export const csvText = (bytes: Uint8Array, start: number, end: number, isQuoted: boolean): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  return isQuoted ? text.replaceAll('""', '"') : text;
};
