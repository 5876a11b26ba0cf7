/** Checks the values of rows before they are sent, and notes which columns have any value. */
import { isUtf8 } from 'node:buffer';
import type { ErrorText } from '../../errors.ts';
import { encodingDefect } from '../files/formats.ts';
import type { Rejections } from '../files/rejections.ts';
import type { CopyResult, Row, RowOrigin, TableRows } from '../files/rows.ts';
import { CsvScanner, csvText, type ScannerHandlers } from '../files/scan-csv.ts';
import type { Target } from '../target.ts';
import { type Accepts, acceptAll, acceptsBytes } from './accept-bytes.ts';
import { type ValueCheck, valueCheck } from './check-value.ts';
import { isLoadTime } from './load-times.ts';
import type { ZonedDays } from './zoned-days.ts';

interface Checked {
  readonly rows: Pick<TableRows, 'name' | 'purpose'>;
  /** The columns of the rows. */
  readonly columns: readonly string[];
  readonly target: Target;
  /** The zone of times that state none. */
  readonly zone: ZonedDays | undefined;
}

const [backslash, point] = [0x5c, 0x2e] as const;

export class RowChecks implements CopyResult {
  readonly #checked: Checked;
  readonly #rejections: Rejections;
  /** The checks by position of the column; undefined for columns that are not loaded. */
  readonly #checks: readonly (ValueCheck | undefined)[];
  readonly #accepts: readonly Accepts[];
  readonly #hasValue: Uint8Array;
  readonly #lacksValue: Uint8Array;

  constructor(checked: Checked, rejections: Rejections) {
    this.#checked = checked;
    this.#rejections = rejections;
    const { columns, target, rows, zone } = checked;
    // Only the key of a row to delete is read.
    const declared = columns.map((column) => (rows.purpose === 'rows' || column === target.key ? target.columns.get(column) : undefined));
    this.#checks = declared.map(
      (column, index) => column && valueCheck(isLoadTime(columns[index]!) ? { ...column, required: false } : column, zone),
    );
    this.#accepts = declared.map((column) => (column ? acceptsBytes(column) : acceptAll));
    this.#hasValue = new Uint8Array(columns.length);
    this.#lacksValue = new Uint8Array(columns.length);
  }

  /** The columns without any value. */
  get emptyColumns(): readonly string[] {
    return this.#checked.columns.filter((_, index) => this.#hasValue[index] === 0);
  }

  /** The required load times that some rows lack. */
  get incompleteTimes(): readonly string[] {
    const { columns, target } = this.#checked;
    return columns.filter((name, index) => this.#lacksValue[index] === 1 && isLoadTime(name) && target.columns.get(name)?.required);
  }

  /** Adds an error of a record, or of one of its values. */
  add(what: ErrorText, { line, file, labels }: RowOrigin, column?: number): void {
    const { rows, columns } = this.#checked;
    const name = column === undefined ? undefined : (labels?.[column] ?? columns[column]);
    this.#rejections.add({ file: file ?? rows.name, line, column: name }, { reason: what });
  }

  /** Checks the values of a row. */
  check(row: Row): void {
    const { values } = row;
    const checks = this.#checks;
    for (let column = 0; column < checks.length; column++) {
      const text = values[column] as string | null;
      (text === null ? this.#lacksValue : this.#hasValue)[column] = 1;
      const defect = checks[column]?.(text);
      if (defect !== undefined) this.add(defect, row, column);
    }
  }

  /** Handlers that check each record of a CSV file, whose first record is the header. */
  csvHandlers(): ScannerHandlers {
    const [checks, accepts, hasValue, lacksValue] = [this.#checks, this.#accepts, this.#hasValue, this.#lacksValue];
    const expected = checks.length;
    let isHeader = true;
    let isEndMark = false;
    let isEmpty = false;
    let found: { readonly what: ErrorText; readonly column: number }[] = [];
    return {
      field: (bytes, start, end, column, isQuoted) => {
        if (isHeader || column >= expected) return;
        if (start === end && !isQuoted) {
          if (column === 0) isEmpty = true;
          lacksValue[column] = 1;
          const defect = checks[column]?.(null);
          if (defect !== undefined) found.push({ what: defect, column });
          return;
        }
        hasValue[column] = 1;
        const accept = accepts[column] as Accepts;
        if (accept === acceptAll || accept(bytes, start, end)) {
          if (column === 0 && end - start === 2 && !isQuoted) isEndMark = bytes[start] === backslash && bytes[start + 1] === point;
          return;
        }
        const defect = checks[column]?.(csvText(bytes, start, end, isQuoted));
        if (defect !== undefined) found.push({ what: defect, column });
        if (column === 0) isEndMark = !isQuoted && end - start === 2 && bytes[start] === backslash && bytes[start + 1] === point;
      },
      record: (line, fields) => {
        if (isHeader) isHeader = false;
        // PostgreSQL reads it as the end of the file.
        else if (isEndMark && fields === 1) this.add('a line of \\. alone cannot be loaded', { line });
        else if (fields !== expected)
          this.add(
            isEmpty && fields === 1
              ? 'the line is empty: remove it'
              : `${fields} values instead of ${expected}${fields > expected ? ': a value with a comma is in quotes' : ''}`,
            { line },
          );
        else for (const { what, column } of found) this.add(what, { line }, column);
        if (found.length > 0) found = [];
        isEndMark = false;
        isEmpty = false;
      },
      problem: (line, column, what) => {
        this.add(what, { line }, column);
        found = [];
        isHeader = false;
      },
    };
  }

  /** Adds the values that are not UTF-8 in complete records, which begin on a line. */
  checkEncoding(bytes: Buffer, line: number): void {
    if (isUtf8(bytes) && !bytes.includes(0)) return;
    const scanner = new CsvScanner(
      {
        field: (_, start, end, column) => {
          const value = bytes.subarray(start, end);
          const defect = encodingDefect(value) ?? (value.includes(0) ? 'holds a NUL' : undefined);
          if (defect !== undefined) this.add(defect, { line: scanner.line }, column);
        },
        record: () => {},
        problem: () => {},
      },
      { line },
    );
    scanner.scan(bytes);
  }
}
