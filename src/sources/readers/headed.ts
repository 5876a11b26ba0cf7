/** Lists whose first rows name their columns: title rows before them, and rows after the data, are left out. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { Dialect } from '../source-file.ts';
import { type Cell, isBlank, isBlankRow, type SourceList, type SourceRow } from '../source-rows.ts';

/** Names of columns. A name that is there already gets its number: `Name (2)`. */
export const columnNames = (cells: readonly Cell[]): string[] => {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const name = isBlank(cell) ? `column ${index + 1}` : String(cell).trim().replaceAll(/\s+/g, ' ');
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
};

/** Delays rows, so that the last ones can be left out. */
async function* withoutLast(batches: AsyncIterable<readonly SourceRow[]>, count: number): AsyncGenerator<readonly SourceRow[]> {
  let waiting: readonly SourceRow[] = [];
  for await (const batch of batches) {
    waiting = [...waiting, ...batch];
    yield waiting.slice(0, -count);
    waiting = waiting.slice(-count);
  }
}

/** Takes the header off the rows, which come in batches. Throws an `OperatorError` if it is missing. */
export const withHeader = async (name: string, all: AsyncIterable<readonly SourceRow[]>, dialect: Dialect): Promise<SourceList> => {
  const { headerRows = dialect.header ? [] : [1], header, footerRows = 0 } = dialect;
  const batches = all[Symbol.asyncIterator]();
  const lines: (readonly Cell[])[] = [];
  const last = Math.max(0, ...headerRows);
  /** The rows of the batch in which the header ends. */
  let begun: readonly SourceRow[] = [];
  let first: SourceRow | undefined;
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    const { value } = next as IteratorYieldResult<readonly SourceRow[]>;
    lines.push(...value.filter(({ line }) => headerRows.includes(line)).map(({ cells }) => cells));
    begun = value.filter(({ line }) => line > last);
    first = begun[0];
    if (first) break;
  }
  if (header === undefined && last > 0 && lines.length === 0)
    throw new OperatorError(
      `${shown(name)}: line ${last} has no header. State its line in dialect.headerRows, or the names in dialect.header.`,
    );
  async function* rows(): AsyncGenerator<readonly SourceRow[]> {
    const filled = (batch: readonly SourceRow[]) => batch.filter((row) => !isBlankRow(row));
    yield filled(begun);
    for await (const batch of { [Symbol.asyncIterator]: () => batches }) yield filled(batch);
  }
  const width = Math.max(0, ...lines.map((cells) => cells.length), first && lines.length === 0 ? first.cells.length : 0);
  const joined = Array.from({ length: width }, (_, index) =>
    lines
      .map((cells) => cells[index])
      .filter((cell) => !isBlank(cell))
      .map((cell) => String(cell).trim())
      .join(' '),
  );
  const columns = columnNames(header ?? joined);
  return { name, columns, rows: footerRows > 0 ? withoutLast(rows(), footerRows) : rows() };
};
