/**
 * Converts a delivered file into the input of COPY (FORMAT csv).
 *
 * A CSV file passes unchanged: PostgreSQL parses it several times faster than Node, with types and nulls. NDJSON is converted line by line.
 * Input that must not be sent stops the COPY. Then `diagnose.ts` finds all errors of the file.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { openFile, parseJsonLine } from './open-file.ts';
import type { SourceFile } from './source-files.ts';

/** The file contains something that must not reach the database. */
export class Unreadable extends Error {}

const newline = 0x0a;
const endMarker = Buffer.from('\\.');
const chunkLength = 64 * 1024;

const countLines = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
};

/** Whether a line in the chunk is exactly `\.`. PostgreSQL would read it as the end of the file. */
const hasEndMarker = (chunk: Buffer): boolean => {
  for (let at = chunk.indexOf(endMarker); at >= 0; at = chunk.indexOf(endMarker, at + 1)) {
    const after = chunk[at + 2];
    if ((at === 0 || chunk[at - 1] === newline) && (after === undefined || after === newline || after === 0x0d)) return true;
  }
  return false;
};

/** Splits the chunks at line ends, so that each line is complete. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer | undefined;
  for await (const chunk of chunks) {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    rest = end < bytes.length ? bytes.subarray(end) : undefined;
  }
  if (rest) yield rest;
}

/** Converts a JSON value to a CSV field. Throws `Unreadable` for values that no column can hold. */
export const csvField = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') throw new Unreadable('an object or a list is no value of a column');
  // JSON.parse has already lost digits of this number.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Unreadable('an integer beyond 2^53 must be delivered as text');
  return String(value);
};

async function* jsonAsCsv(input: Readable, columns: readonly string[]): AsyncGenerator<string> {
  let chunk = `${columns.map(csvField).join()}\n`;
  let isFirst = true;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const record = parseJsonLine(isFirst ? line.replace(/^\uFEFF/, '') : line);
    isFirst = false;
    if (!record) continue;
    for (const name in record) if (!columns.includes(name)) throw new Unreadable(`'${name}' is not among the columns of the first line`);
    chunk += `${columns.map((column) => csvField(record[column])).join()}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** The input of COPY, header first. `read` receives the number of rows, `seen` the file's own bytes. */
export async function* copyInput(
  file: SourceFile,
  columns: readonly string[],
  { read, seen }: { read: (lines: number) => void; seen: (chunk: Uint8Array) => void },
): AsyncGenerator<Buffer> {
  let headers = 1;
  const input = openFile(file, seen);
  const bytes = file.format === 'csv' ? wholeLines(input) : jsonAsCsv(input, columns);
  for await (const part of bytes) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    if (hasEndMarker(chunk)) throw new Unreadable('a line of \\. alone cannot be loaded');
    read(countLines(chunk) - headers);
    headers = 0;
    yield chunk;
  }
}
