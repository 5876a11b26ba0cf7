/**
 * A delivered file as the input of COPY (FORMAT csv).
 *
 * A CSV file goes through as it is: PostgreSQL reads it several times faster than Node could, types and nulls included. NDJSON
 * becomes CSV line by line. Whatever cannot be sent stops the COPY; `diagnose.ts` then says where all the faults are.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { openFile, parseJsonLine } from './open-file.ts';
import type { SourceFile } from './source-files.ts';

/** The file holds something that must not reach the database. */
export class Unreadable extends Error {}

const newline = 0x0a;
const endMarker = Buffer.from('\\.');
const chunkLength = 64 * 1024;

const countLines = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
};

/** Whether a line that is `\.` and nothing else begins in the chunk: PostgreSQL would take it for the end of the file. */
const hasEndMarker = (chunk: Buffer): boolean => {
  for (let at = chunk.indexOf(endMarker); at >= 0; at = chunk.indexOf(endMarker, at + 1)) {
    const after = chunk[at + 2];
    if ((at === 0 || chunk[at - 1] === newline) && (after === undefined || after === newline || after === 0x0d)) return true;
  }
  return false;
};

/** The chunks, none of which ends within a line, so that a line can be looked at as a whole. */
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

/** A JSON value as a CSV field; throws `Unreadable` for what a column cannot hold. */
export const csvField = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') throw new Unreadable('an object or a list is no value of a column');
  // JSON.parse has lost the digits already.
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

/** What COPY is to read, a header first; `read` hears how many rows have gone by, `seen` is shown the file's own bytes. */
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
