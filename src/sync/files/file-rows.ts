/** The rows of a CSV or NDJSON file. */
import { OperatorError } from '../../errors.ts';
import type { PlainCell } from './cells.ts';
import { type CsvReading, type CsvRow, csvRows } from './csv-rows.ts';
import { refuseOtherFormats } from './formats.ts';
import { type JsonLine, jsonLines, longestLine } from './json/json-lines.ts';
import { Rejections } from './rejections.ts';
import type { Row, RowOrigin, TableRows } from './rows.ts';
import { rfc4180 } from './scan-csv.ts';
import type { SourceFile } from './source-files.ts';
import { contentOf } from './text.ts';

const newline = 0x0a;

/** How much of a file is read for its header and for messages about it. */
const startLength = 64 * 1024;

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

/** A value as the load takes it. */
const textOf = (cell: PlainCell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell));

/** Refuses a document that is one list, which is JSON and not NDJSON. */
const refuseList = (file: string, start: string): void => {
  if (/^[ \t]*\[/.test(start))
    throw new OperatorError(`${file} is a JSON list: NDJSON has one object on each line, without brackets and commas (jq -c '.[]').`);
};

/** Where the first line that is not blank ends. */
const endOfFirstLine = (text: Buffer): number => {
  for (let start = 0; ; ) {
    const end = text.indexOf(newline, start);
    if (end < 0) return text.length;
    if (text.toString('utf8', start, end).trim() !== '') return end;
    start = end + 1;
  }
};

/** A file of NDJSON. The members of its first object are the columns. */
const jsonRows = (file: SourceFile): Pick<FileRows, 'readColumns' | 'read'> => {
  const linesOf = (text: AsyncIterable<Buffer>, rejections: Rejections) =>
    jsonLines(text, {
      name: file.name,
      isFlat: true,
      broken: (line, { member, message }) => void rejections.add({ file: file.name, line, column: member }, { reason: message }),
    });
  const readColumns = async () => {
    const start = await readStart(file);
    refuseList(file.name, start.toString('utf8'));
    const rejections = new Rejections('each');
    async function* firstLine() {
      yield start.subarray(0, endOfFirstLine(start));
    }
    for await (const [first] of linesOf(firstLine(), rejections)) {
      if (first?.values.size === 0)
        rejections.add({ file: file.name, line: first.line }, { reason: 'the first object has no members, so it names no columns' });
      rejections.throwIfAny();
      if (first) return [...first.values.keys()];
    }
    return [];
  };
  const read = async function* (rejections: Rejections, seen?: (chunk: Uint8Array) => void) {
    let known: readonly string[] | undefined;
    const rowOf = ({ line, values }: JsonLine): Row[] => {
      known ??= [...values.keys()];
      const unknown = [...values.keys()].find((name) => !known!.includes(name));
      if (unknown === undefined) return [{ line, values: known.map((column) => textOf(values.get(column))) }];
      rejections.add({ file: file.name, line }, { reason: `'${unknown}' is not among the columns of the first line` });
      return [];
    };
    for await (const lines of linesOf(contentOf(file, seen), rejections)) yield lines.flatMap(rowOf);
  };
  return { readColumns, read };
};

/** A CSV file with a header line. The load sends its bytes (`copy-input.ts`), and reads its rows only for messages. */
const csvFileRows = (file: SourceFile): Pick<FileRows, 'readColumns' | 'read'> => {
  const rowsOf = (text: Parameters<typeof csvRows>[0], problem: CsvReading['problem']) =>
    csvRows(text, { charactersOf: () => rfc4180, quote: '"', problem });
  const readColumns = async () => {
    const start = await readStart(file);
    if (start.length === 0) throw new OperatorError(`${file.name} is empty: a CSV file has a header line.`);
    let problem: { readonly line: number; readonly what: string } | undefined;
    const rows = rowsOf([start], (line, _column, what) => {
      problem ??= { line, what };
    });
    for await (const [header] of rows) {
      if (header && !(problem && problem.line < header.line)) return header.cells;
      if (problem) throw new OperatorError(`${file.name}, line ${problem.line}: ${problem.what}`);
    }
    return [];
  };
  const read = async function* () {
    let isHeader = true;
    const valuesOf = (row: CsvRow): Row => ({
      line: row.line,
      values: row.cells.map((cell, index) => (row.isMissing(index) ? null : cell)),
    });
    for await (const batch of rowsOf(contentOf(file), () => {})) {
      yield batch.slice(isHeader ? 1 : 0).map(valuesOf);
      isHeader &&= batch.length === 0;
    }
  };
  return { readColumns, read };
};

/** A file as it is read. Its values are not checked. */
export interface FileRows extends Pick<TableRows, 'table' | 'name' | 'purpose' | 'readColumns'> {
  readonly source: SourceFile;
  /** Errors go to `rejections`, and reading goes on. `seen` receives the file's own bytes. */
  read(rejections: Rejections, seen?: (chunk: Uint8Array) => void): AsyncIterable<readonly Row[]>;
  /** The first bytes of the unpacked file. */
  readStart(): Promise<Buffer>;
}

/** The rows of a file. */
export const fileRows = (file: SourceFile): FileRows => {
  const { readColumns, read } = file.format === 'csv' ? csvFileRows(file) : jsonRows(file);
  return {
    table: file.table,
    name: file.name,
    purpose: file.purpose,
    source: file,
    readStart: () => readStart(file),
    readColumns: async () => {
      refuseOtherFormats(file.name, file.format, await readStart(file));
      return readColumns();
    },
    read,
  };
};

/** A key in the database's format. */
export const written = (value: string | null): string => {
  const text = value ?? '';
  return /^[+-]?\d{1,40}$/.test(text) ? String(BigInt(text.replace(/^\+/, ''))) : text;
};

/** The places of rows with these keys, by key. The rows are read again, so that messages can name lines. */
export const findPlaces = async (
  rows: TableRows,
  columns: readonly string[],
  column: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RowOrigin>> => {
  const places = new Map<string, RowOrigin>();
  const at = columns.indexOf(column);
  for await (const batch of rows.read())
    for (const { values, line, file, labels } of batch) {
      const key = written(values[at] ?? null);
      if (!keys.has(key)) continue;
      places.set(key, { line, ...(file !== undefined && { file }), ...(labels && { labels }) });
      if (places.size === keys.size) return places;
    }
  return places;
};
