/** The rows of a CSV or NDJSON file. */
import { isUtf8 } from 'node:buffer';
import { OperatorError } from '../../errors.ts';
import { Defects } from './defects.ts';
import { NoRow, readJsonLine, refuseList } from './json-line.ts';
import { openFile } from './open-file.ts';
import { encodingDefect, refuseOtherFormats, refuseWrongPacking } from './recognise.ts';
import type { Origin, Row, TableRows } from './rows.ts';
import { CsvScanner, csvText } from './scan-csv.ts';
import type { SourceFile } from './source-files.ts';

const newline = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A longer line is no row. It bounds the memory of a load. */
const longestLine = 16 * 2 ** 20;

/** How much of a file is read for its header and for messages about it. */
const startLength = 64 * 1024;

/** The bytes of a file without a byte order mark. */
export async function* contentOf(file: SourceFile, seen?: (chunk: Uint8Array) => void): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of openFile(file, seen)) {
    if (!first) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < byteOrderMark.length) continue;
    yield first.subarray(0, 3).equals(byteOrderMark) ? first.subarray(3) : first;
    first = undefined;
  }
  if (first && first.length > 0) yield first;
}

/** The first bytes of a file. */
export const readStart = async (file: SourceFile): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of contentOf(file)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= startLength && (chunk.includes(newline) || length > longestLine)) break;
  }
  return Buffer.concat(chunks);
};

/** The lines of a file with their numbers, in batches. */
async function* linesOf(
  file: SourceFile,
  defects: Defects,
  seen?: (chunk: Uint8Array) => void,
): AsyncGenerator<readonly (readonly [line: number, text: string])[]> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const split = (bytes: Buffer): (readonly [number, string])[] => {
    const isValid = isUtf8(bytes);
    const found: (readonly [number, string])[] = [];
    for (let start = 0; start < bytes.length; ) {
      const next = bytes.indexOf(newline, start);
      const end = next < 0 ? bytes.length : next;
      const part = bytes.subarray(start, end);
      const defect = isValid ? undefined : encodingDefect(part);
      line++;
      if (defect === undefined) found.push([line, part.toString('utf8')]);
      else defects.add({ file: file.name, line }, `the line ${defect}`);
      start = end + 1;
    }
    return found;
  };
  for await (const chunk of contentOf(file, seen)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0) yield split(bytes.subarray(0, end));
    rest = bytes.subarray(end);
    if (rest.length > longestLine) throw new OperatorError(`${file.name}, line ${line + 1}: the line has more than 16 MB.`);
  }
  yield split(rest);
}

/** A file of NDJSON. The members of its first object are the columns. */
const jsonRows = (file: SourceFile): Pick<FileRows, 'readColumns' | 'read'> => {
  const readColumns = async () => {
    const start = (await readStart(file)).toString('utf8');
    refuseList(file.name, start);
    const text = start.split('\n').find((line) => line.trim() !== '');
    if (text === undefined) return [];
    const line = start.split('\n').indexOf(text) + 1;
    try {
      const columns = [...(readJsonLine(text)?.keys() ?? [])];
      if (columns.length > 0) return columns;
      throw new NoRow('the first object has no members, so it names no columns');
    } catch (error) {
      if (!(error instanceof NoRow)) throw error;
      const defects = new Defects();
      defects.add({ file: file.name, line, column: error.member }, error.message);
      defects.throwIfAny();
      return [];
    }
  };
  const read = async function* (defects: Defects, seen?: (chunk: Uint8Array) => void) {
    let columns: readonly string[] | undefined;
    const rowOf = (line: number, text: string): Row | undefined => {
      const members = readJsonLine(text);
      if (!members) return undefined;
      columns ??= [...members.keys()];
      const known = columns;
      for (const name of members.keys()) if (!known.includes(name)) throw new NoRow(`'${name}' is not among the columns of the first line`);
      return { line, values: known.map((column) => members.get(column) ?? null) };
    };
    for await (const lines of linesOf(file, defects, seen)) {
      const batch: Row[] = [];
      for (const [line, text] of lines)
        try {
          const row = rowOf(line, text);
          if (row) batch.push(row);
        } catch (error) {
          if (!(error instanceof NoRow)) throw error;
          defects.add({ file: file.name, line, column: error.member }, error.message);
        }
      yield batch;
    }
  };
  return { readColumns, read };
};

/** A CSV file with a header line. The load sends its bytes (`copy-input.ts`), and reads its rows only for messages. */
const csvRows = (file: SourceFile): Pick<FileRows, 'readColumns' | 'read'> => {
  const readColumns = async () => {
    const names: string[] = [];
    let problem: string | undefined;
    let isRead = false;
    const scanner = new CsvScanner({
      field: (bytes, start, end, _column, isQuoted) => {
        if (!isRead) names.push(csvText(bytes, start, end, isQuoted));
      },
      record: () => {
        isRead = true;
      },
      problem: (line, _column, what) => {
        if (!isRead) problem ??= `line ${line}: ${what}`;
        isRead = true;
      },
    });
    const start = await readStart(file);
    if (start.length === 0) throw new OperatorError(`${file.name} is empty: a CSV file has a header line.`);
    scanner.scan(start);
    if (!isRead) scanner.end();
    if (problem !== undefined) throw new OperatorError(`${file.name}, ${problem}`);
    return names;
  };
  const read = async function* () {
    let batch: Row[] = [];
    let values: (string | null)[] = [];
    let isHeader = true;
    const scanner = new CsvScanner({
      field: (bytes, start, end, _column, isQuoted) => {
        values.push(start === end && !isQuoted ? null : csvText(bytes, start, end, isQuoted));
      },
      record: (line) => {
        if (!isHeader) batch.push({ line, values });
        isHeader = false;
        values = [];
      },
      problem: () => {
        values = [];
      },
    });
    for await (const chunk of contentOf(file)) {
      scanner.scan(chunk);
      yield batch;
      batch = [];
    }
  };
  return { readColumns, read };
};

export interface FileRows extends TableRows {
  readonly source: SourceFile;
  /** `seen` receives the file's own bytes. */
  read(defects: Defects, seen?: (chunk: Uint8Array) => void): AsyncIterable<readonly Row[]>;
  /** The first bytes of the unpacked file. */
  readStart(): Promise<Buffer>;
}

/** The rows of a file. */
export const fileRows = (file: SourceFile): FileRows => {
  const { readColumns, read } = file.format === 'csv' ? csvRows(file) : jsonRows(file);
  return {
    table: file.table,
    name: file.name,
    purpose: file.purpose,
    source: file,
    readStart: () => readStart(file),
    readColumns: async () => {
      refuseWrongPacking(file);
      refuseOtherFormats(file.name, file.format, await readStart(file));
      return readColumns();
    },
    read,
  };
};

/** A key in the database's format. */
export const written = (value: string | null): string => {
  const text = value ?? '';
  return /^[+-]?\d+$/.test(text) ? String(BigInt(text.replace(/^\+/, ''))) : text;
};

/** The places of rows with these keys, by key. The rows are read again, so that messages can name lines. */
export const findPlaces = async (
  rows: TableRows,
  columns: readonly string[],
  column: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Origin>> => {
  const places = new Map<string, Origin>();
  const at = columns.indexOf(column);
  for await (const batch of rows.read(new Defects()))
    for (const { values, line, file, labels } of batch) {
      const key = written(values[at] ?? null);
      if (!keys.has(key)) continue;
      places.set(key, { line, ...(file !== undefined && { file }), ...(labels && { labels }) });
      if (places.size === keys.size) return places;
    }
  return places;
};
