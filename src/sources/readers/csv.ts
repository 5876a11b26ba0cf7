/** CSV and its relatives, by the scanner of loads. */
import { OperatorError } from '../../errors.ts';
import { csvRows } from '../../sync/files/csv-rows.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { CsvCharacters } from '../../sync/files/scan-csv.ts';
import type { Dialect } from '../source-file.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import { withHeader } from './headed.ts';

const [lineFeed, carriageReturn] = [0x0a, 0x0d] as const;

/** The end of the first line: a carriage return counts if no line feed follows it. */
const newlineOf = (start: Buffer, quote: number): number => {
  let isQuoted = false;
  for (let at = 0; at < start.length; at++) {
    const byte = start[at];
    if (byte === quote) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === lineFeed) return lineFeed;
    else if (byte === carriageReturn) return start[at + 1] === lineFeed ? lineFeed : carriageReturn;
  }
  return lineFeed;
};

/** The byte of a character. Throws an `OperatorError` if it has several. */
const byteOf = (character: string, option: string): number => {
  const byte = character.charCodeAt(0);
  if (byte > 0x7f) throw new OperatorError(`dialect.${option}: '${shown(character)}' is no character of ASCII.`);
  return byte;
};

const charactersOf = ({ delimiter = ',', quoteChar = '"', commentChar, lastLineEnd = true }: Dialect, start: Buffer): CsvCharacters => {
  const quote = quoteChar === false ? -1 : byteOf(quoteChar, 'quoteChar');
  return {
    delimiter: byteOf(delimiter, 'delimiter'),
    quote,
    newline: newlineOf(start, quote),
    comment: commentChar === undefined ? undefined : Buffer.from(commentChar),
    isEndOptional: !lastLineEnd,
  };
};

/** What a source can declare about a problem of the form. */
const remedyOf = (what: string): string => {
  if (/quote/.test(what)) return ', or state dialect.quoteChar; false if the file has no quotes';
  return /no line end/.test(what) ? ', or state dialect.lastLineEnd: false' : '';
};

/** The records of a file. Throws an `OperatorError` at the first problem of the form. */
async function* records(name: string, text: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<readonly SourceRow[]> {
  let refused: OperatorError | undefined;
  const rows = csvRows(text, {
    charactersOf: (start) => charactersOf(dialect, start),
    quote: typeof dialect.quoteChar === 'string' ? dialect.quoteChar : '"',
    problem: (line, column, what) => {
      const place = `line ${line}${column === undefined ? '' : `, value ${column + 1}`}`;
      refused ??= new OperatorError(`${shown(name)}, ${place}: ${what}${remedyOf(what)}.`);
    },
  });
  for await (const batch of rows) {
    if (refused) throw refused;
    yield batch;
  }
}

/** Reads delimited text in UTF-8. */
export const readCsv = (name: string, text: AsyncIterable<Buffer>, dialect: Dialect): Promise<SourceList> =>
  withHeader(name, records(name, text, dialect), dialect);
