/** Reads a delivered file as decompressed bytes, and as records with line numbers. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { parse } from 'csv-parse';
import { OperatorError } from '../../errors.ts';
import type { SourceFile } from './source-files.ts';

const readSize = 256 * 1024;

/** Node supports zstd since 22.15. */
const createZstd = (zlib as { createZstdDecompress?: () => zlib.Gunzip }).createZstdDecompress;

/** Passes bytes on unchanged and calls `seen` with them. */
const showing = (seen: (chunk: Uint8Array) => void): Transform =>
  new Transform({
    highWaterMark: readSize,
    transform(chunk, _encoding, next) {
      seen(chunk);
      next(null, chunk);
    },
  });

/** The decompressed bytes of the file. `seen` receives the compressed bytes. Throws an `OperatorError` if this Node cannot decompress them. */
export const openFile = (
  { path, name, compression }: Pick<SourceFile, 'path' | 'name' | 'compression'>,
  seen?: (chunk: Uint8Array) => void,
): Readable => {
  if (compression === 'zstd' && !createZstd)
    throw new OperatorError(`${name}: reading zstd needs Node 22.15 or newer, this is ${process.version}; deliver gzip or plain files.`);
  const bytes = createReadStream(path, { highWaterMark: readSize });
  const look = seen && showing(seen);
  const unpack = compression === 'gzip' ? zlib.createGunzip({ chunkSize: readSize }) : compression && createZstd?.();
  const steps = [look, unpack].filter((step) => step !== undefined);
  // The last stream reports the errors of all streams.
  return steps.length > 0 ? (pipeline([bytes, ...steps], () => {}) as unknown as Readable) : bytes;
};

/** A record of the file: text, or any JSON value for NDJSON. `problem` if it cannot be parsed. */
export interface FileRecord {
  readonly line: number;
  readonly values: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

/** The values of the record as they are sent to the database, in the order of the columns. */
export const textsOf = ({ values }: FileRecord, columns: readonly string[]): (string | null)[] => {
  if (Array.isArray(values)) return values as (string | null)[];
  return columns.map((column) => {
    const value = (values as Readonly<Record<string, unknown>>)[column] ?? null;
    return value === null ? null : String(value);
  });
};

/** An empty field is null. A quoted empty field is the empty string. */
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

/** The object of a line; undefined for a blank line. */
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

/** The records of the file, including a CSV header. Throws an `OperatorError` if the file cannot be opened or decompressed. */
export async function* readRecords(file: SourceFile): AsyncGenerator<FileRecord> {
  try {
    yield* file.format === 'csv' ? csvRecords(file) : jsonRecords(file);
  } catch (error) {
    throw error instanceof OperatorError ? error : new OperatorError(`${file.name}: ${(error as Error).message}`);
  }
}

/** The file's columns in its order. Throws an `OperatorError` if the file is empty or its first line cannot be read. */
export const readHeader = async (file: SourceFile): Promise<readonly string[]> => {
  for await (const { values, problem } of readRecords(file)) {
    if (problem !== undefined) throw new OperatorError(`${file.name}, line 1: ${problem}`);
    return Array.isArray(values) ? values.map((name) => String(name ?? '')) : Object.keys(values);
  }
  // An NDJSON file without lines has no rows. A CSV file has at least a header.
  if (file.format === 'ndjson') return [];
  throw new OperatorError(`${file.name} is empty: a CSV file has a header line.`);
};

/** A key in the database's format. */
const written = (value: unknown): string => {
  const text = String(value ?? '').trim();
  return /^[+-]?\d+$/.test(text) ? String(BigInt(text.replace(/^\+/, ''))) : text;
};

/** The lines of rows with these keys, by key. The file is read again, so that messages can name lines. */
export const findLines = async (file: SourceFile, column: string, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> => {
  const lines = new Map<string, number>();
  let at: number | undefined;
  for await (const { line, values } of readRecords(file)) {
    if (lines.size === keys.size) break;
    if (Array.isArray(values) && at === undefined) {
      at = values.indexOf(column);
      continue;
    }
    const key = written(Array.isArray(values) ? values[at ?? -1] : (values as Readonly<Record<string, unknown>>)[column]);
    if (keys.has(key)) lines.set(key, line);
  }
  return lines;
};
