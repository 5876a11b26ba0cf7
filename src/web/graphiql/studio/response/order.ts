/** The order of rows by a column, and the exact sums of columns. */

import { isDecimal, scaleOf, sumOf, unitsOf } from '../../../browser/decimals.ts';
import { Figure } from '../../../browser/exact.ts';
import { type Cell, type List, textOf } from '../../../browser/list.ts';
import type { Labels } from '../../labels.ts';
import { type FieldNames, noFieldNames } from './field-names.ts';
import { isAdditive } from './language.ts';

export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Up, down, then the order of the response again. */
export const nextOrder = (order: Order | undefined, column: string): Order | undefined => {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? undefined : { column, isDescending: true };
};

/** Compares two decimals by all of their digits. */
const compareFigures = (a: string, b: string): number => {
  if (!isDecimal(a) || !isDecimal(b)) return Number(a) - Number(b);
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = unitsOf(a, scale) - unitsOf(b, scale);
  return difference < 0n ? -1 : Number(difference > 0n);
};

/** The rows in an order. Rows without a value are last in both directions. */
export const ordered = ({ columns, rows }: List, order: Order | undefined, locale: string): List['rows'] => {
  const at = order ? columns.indexOf(order.column) : -1;
  if (!order || at < 0) return rows;
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const compareCells = (a: Cell, b: Cell): number =>
    a instanceof Figure && b instanceof Figure ? compareFigures(a.text, b.text) : compare(textOf(a), textOf(b));
  return rows.toSorted((left, right) => {
    const [a = null, b = null] = [left[at], right[at]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return order.isDescending ? compareCells(b, a) : compareCells(a, b);
  });
};

/**
 * The sum of each column that has one, by its place. Undefined if no column has a sum. A series has none, because a row is counted on
 * each of its days.
 */
export const totalsOf = (
  { columns, rows }: List,
  labels: Labels,
  fieldNames: FieldNames = noFieldNames,
): readonly (Figure | undefined)[] | undefined => {
  const isSeries = columns.some((column) => (fieldNames.get(column) ?? column) === 'asOf');
  if (rows.length < 2 || isSeries) return undefined;
  const totals = columns.map((column, at) => {
    if (!isAdditive(column, labels, fieldNames)) return undefined;
    const cells = rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
    const isSum = cells.length > 0 && cells.every((cell) => cell instanceof Figure && isDecimal(cell.text));
    return isSum ? new Figure(sumOf(cells.map(textOf))) : undefined;
  });
  return totals.some((total) => total) ? totals : undefined;
};
