/** Lists whose first rows name their columns: title rows before them, and rows after the data, are left out. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';
import type { Dialect } from '../source-file.ts';
import type { Cell, SourceList, SourceRow } from '../source-rows.ts';

const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

/** Names of columns. A name that is there already gets its number: `Name (2)`. */
export const columnNames = (cells: readonly Cell[]): string[] => {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const name = isEmpty(cell) ? `column ${index + 1}` : String(cell).trim().replaceAll(/\s+/g, ' ');
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
};

/** Delays rows, so that the last ones can be left out. */
async function* withoutLast(rows: AsyncIterable<SourceRow>, count: number): AsyncGenerator<SourceRow> {
  const waiting: SourceRow[] = [];
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length > count) yield waiting.shift()!;
  }
}

/** Rows that hold something. */
async function* filled(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  for await (const row of rows) if (!row.cells.every(isEmpty)) yield row;
}

/** Takes the header off the rows. Throws an `OperatorError` if it is missing. */
export const withHeader = async (name: string, all: AsyncIterable<SourceRow>, dialect: Dialect): Promise<SourceList> => {
  const { headerRows = dialect.header ? [] : [1], header, footerRows = 0 } = dialect;
  const iterator = all[Symbol.asyncIterator]();
  const lines: (readonly Cell[])[] = [];
  const last = Math.max(0, ...headerRows);
  let first: SourceRow | undefined;
  while (last > 0 || header === undefined) {
    const { value, done } = await iterator.next();
    if (done) break;
    if (value.line > last) {
      first = value;
      break;
    }
    if (headerRows.includes(value.line)) lines.push(value.cells);
    if (value.line === last) break;
  }
  if (header === undefined && last > 0 && lines.length === 0)
    throw new OperatorError(
      `${shown(name)}: line ${last} has no header. State its line in dialect.headerRows, or the names in dialect.header.`,
    );
  async function* rest(): AsyncGenerator<SourceRow> {
    if (first) yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  const width = Math.max(0, ...lines.map((cells) => cells.length), first && lines.length === 0 ? first.cells.length : 0);
  const joined = Array.from({ length: width }, (_, index) =>
    lines
      .map((cells) => cells[index])
      .filter((cell) => !isEmpty(cell))
      .map((cell) => String(cell).trim())
      .join(' '),
  );
  const columns = columnNames(header ?? joined);
  const rows = filled(rest());
  return { name, columns, rows: footerRows > 0 ? withoutLast(rows, footerRows) : rows };
};
