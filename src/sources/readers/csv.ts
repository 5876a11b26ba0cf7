/** CSV and its relatives. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';
import type { Dialect } from '../source-file.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import { withHeader } from './headed.ts';

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const remedies: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quoted value goes on after its closing quote: quotes in values are doubled, or state dialect.quoteChar',
  INVALID_OPENING_QUOTE: 'a quote stands within a value that is not quoted: state dialect.quoteChar, or false if the file has no quotes',
  CSV_QUOTE_NOT_CLOSED: 'a quoted value is never closed: state dialect.quoteChar, or false if the file has no quotes',
};

const breaksIn = (record: readonly string[]): number =>
  record.reduce((sum, text) => sum + (text.includes('\n') ? text.split('\n').length - 1 : 0), 0);

/** Refuses a text whose last line has no end, because its last value may be cut. */
async function* whole(name: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  let last = '\n';
  for await (const chunk of text) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== '\n' && last !== '\r')
    throw new OperatorError(
      `${shown(name)}: the last line has no line end, so the file may be cut: deliver it again, or state dialect.lastLineEnd: false.`,
    );
}

async function* records(
  name: string,
  text: Readable,
  { delimiter = ',', quoteChar = '"', commentChar, lastLineEnd = true }: Dialect,
): AsyncGenerator<SourceRow> {
  const parser = parse({
    delimiter,
    quote: quoteChar,
    // A quote within a value is doubled, whichever character it is.
    ...(quoteChar !== false && { escape: quoteChar }),
    ...(commentChar !== undefined && { comment: commentChar, comment_no_infix: true }),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: 8 * 1024 * 1024,
  });
  try {
    for await (const { record, info } of pipeline(lastLineEnd ? whole(name, text) : text, parser, () => {}) as AsyncIterable<Parsed>)
      yield { line: info.lines - breaksIn(record), cells: record };
  } catch (error) {
    const { code, lines, message } = error as Error & { code?: string; lines?: number };
    if (!code?.includes('CSV_') && !code?.startsWith('INVALID_')) throw error;
    throw new OperatorError(`${shown(name)}, line ${lines ?? 1}: ${remedies[code] ?? shown(message)}.`);
  }
}

/** Reads delimited text. */
export const readCsv = (name: string, text: Readable, dialect: Dialect): Promise<SourceList> =>
  withHeader(name, records(name, text, dialect), dialect);
