/** Values that stand once for a group of rows: in its first row, or in a line above it. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { TableRule } from '../source-file.ts';
import type { Cell, SourceList, SourceRow } from '../source-rows.ts';

const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

/**
 * The list with the values of groups in each of their rows. A row whose columns are all of the group's, or that is skipped for another reason,
 * changes nothing. Throws an `OperatorError` if a column is missing.
 */
export const withGroups = (list: SourceList, { fillDown = [], headings = [] }: Pick<TableRule, 'fillDown' | 'headings'>): SourceList => {
  if (fillDown.length === 0 && headings.length === 0) return list;
  const indexOf = (name: string): number => {
    const index = list.columns.indexOf(name);
    if (index < 0) throw new OperatorError(`${shown(list.name)} has no column '${shown(name)}' to fill.`);
    return index;
  };
  const filled = fillDown.map(indexOf);
  const begun = headings.map((heading) => ({ ...heading, at: indexOf(heading.column) }));
  const names = [...new Set(headings.map(({ as }) => as))];
  const width = list.columns.length;
  const above: Cell[] = filled.map(() => null);
  const texts = new Map<string, string>();
  /** The row with the values of its group; undefined for a heading. */
  const inGroup = ({ line, cells }: SourceRow): SourceRow | undefined => {
    const heading = begun.find(({ at, startsWith }) => typeof cells[at] === 'string' && cells[at].trim().startsWith(startsWith));
    if (heading) {
      texts.set(heading.as, String(cells[heading.at]).trim().slice(heading.startsWith.length).trim());
      return undefined;
    }
    const own = [...cells];
    filled.forEach((at, index) => {
      if (isEmpty(own[at])) own[at] = above[index]!;
      else above[index] = own[at]!;
    });
    if (names.length === 0) return { line, cells: own };
    while (own.length < width) own.push(null);
    // Further values that are empty count for nothing, and others are refused with the width of the row.
    const rest = own.slice(width);
    return { line, cells: [...own.slice(0, width), ...names.map((name) => texts.get(name) ?? null), ...rest] };
  };
  async function* rows(): AsyncGenerator<readonly SourceRow[]> {
    for await (const batch of list.rows) yield batch.map(inGroup).filter((row) => row !== undefined);
  }
  return { ...list, columns: [...list.columns, ...names], rows: rows() };
};
