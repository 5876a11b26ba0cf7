/**
 * A table as CSV (RFC 4180) for spreadsheets. Numbers have the digits of the response, null is an empty field, and an empty string is `""`.
 * Text that a spreadsheet would run as a formula begins with an apostrophe.
 */
import { csvField, withoutFormula } from '../../../../csv.ts';
import { Figure } from '../../../browser/exact.ts';
import { type Cell, type List, textOf } from '../../../browser/list.ts';

const fieldOf = (cell: Cell): string => {
  if (cell === null) return '';
  return cell instanceof Figure ? cell.text : csvField(withoutFormula(textOf(cell)));
};

export const csvOf = ({ columns, rows }: List): string =>
  [columns.map(csvField), ...rows.map((row) => row.map(fieldOf))].map((fields) => `${fields.join(',')}\r\n`).join('');
