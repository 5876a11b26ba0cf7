/** Lines of an export as JSON, with the types of their values. */
import type { KeptCell } from '../../database/control/quarantine.ts';
import { type Cell, PlainText, ShownText, type SourceRow, UnreadableCell } from '../source-rows.ts';

/** A value as JSON. */
export const keptCell = (cell: Cell): KeptCell => {
  if (typeof cell === 'bigint') return { bigint: String(cell) };
  if (cell instanceof Date) return { date: cell.toISOString() };
  if (cell instanceof UnreadableCell) return { unreadable: cell.text, reason: cell.reason };
  if (cell instanceof ShownText) return { plain: cell.text, shown: JSON.stringify(cell.shown) };
  return cell instanceof PlainText ? { plain: cell.text } : cell;
};

/** The value again. */
export const restoredCell = (value: KeptCell | undefined): Cell => {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value.bigint !== undefined) return BigInt(value.bigint);
  if (value.date !== undefined) return new Date(value.date);
  if (value.unreadable !== undefined) return new UnreadableCell(value.unreadable, value.reason ?? '');
  const { plain = '', shown } = value;
  return shown === undefined ? new PlainText(plain) : new ShownText(plain, JSON.parse(shown));
};

/** The values of a line by column. Values without a column are not kept. */
export const keepLine = (columns: readonly string[], { cells }: Pick<SourceRow, 'cells'>): Record<string, KeptCell> =>
  Object.fromEntries(columns.map((name, index) => [name, keptCell(cells[index] ?? null)]));

/** The values of a line again, in the order of the columns. */
export const lineOf = (columns: readonly string[], row: Readonly<Record<string, KeptCell>>): readonly Cell[] =>
  columns.map((name) => restoredCell(row[name]));
