/** A delivered file as bytes, unpacked, and as records with their line numbers. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import { parse } from 'csv-parse';
import { OperatorError } from '../errors.ts';
import type { SourceFile } from './source-files.ts';

const readSize = 256 * 1024;

/** Node has zstd from 22.15 on. */
const createZstd = (zlib as { createZstdDecompress?: () => zlib.Gunzip }).createZstdDecompress;

/** The file's bytes. Throws an `OperatorError` if this Node cannot unpack it. */
export const openFile = ({ path, name, compression }: Pick<SourceFile, 'path' | 'name' | 'compression'>): Readable => {
  if (compression === 'zstd' && !createZstd)
    throw new OperatorError(`${name}: reading zstd needs Node 22.15 or newer, this is ${process.version}; deliver gzip or plain files.`);
  const bytes = createReadStream(path, { highWaterMark: readSize });
  const unpack = compression === 'gzip' ? zlib.createGunzip({ chunkSize: readSize }) : compression && createZstd?.();
  // The reader hears of an error of either stream through the last one.
  return unpack ? pipeline(bytes, unpack, () => {}) : bytes;
};

/** A record as it stands in the file: text, or for NDJSON any value; `problem` instead if it cannot be read at all. */
export interface FileRecord {
  readonly line: number;
  readonly values: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

/** Unquoted and empty is null; in quotes, the empty string. */
const csvValue = (text: string, { quoting }: { quoting: boolean }): string | null => (text === '' && !quoting ? null : text);

async function* csvRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  const parser = parse({ bom: true, relax_column_count: true, record_delimiter: ['\r\n', '\n'], cast: csvValue as never });
  const records = pipeline(openFile(file), parser, () => {});
  let line = 1;
  try {
    for await (const values of records) {
      const texts = values as (string | null)[];
      yield { line, values: texts };
      line += 1 + texts.reduce((breaks, text) => breaks + (text?.split('\n').length ?? 1) - 1, 0);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('CSV_') !== true) throw error;
    yield { line, values: [], problem: `the line is no CSV: ${(error as Error).message}` };
  }
}

/** Object of a line; undefined for a blank one. */
export const parseJsonLine = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('it is no object');
  return value as Readonly<Record<string, unknown>>;
};

async function* jsonRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const text of createInterface({ input: openFile(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    try {
      const values = parseJsonLine(line === 1 ? text.replace(/^\uFEFF/, '') : text);
      if (values) yield { line, values };
    } catch (error) {
      yield { line, values: {}, problem: `the line is no JSON object: ${(error as Error).message}` };
    }
  }
}

/** The file's records, a CSV header included. Throws an `OperatorError` for a file that cannot be opened or unpacked. */
export async function* readRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  try {
    yield* file.format === 'csv' ? csvRecords(file) : jsonRecords(file);
  } catch (error) {
    throw error instanceof OperatorError ? error : new OperatorError(`${file.name}: ${(error as Error).message}`);
  }
}
