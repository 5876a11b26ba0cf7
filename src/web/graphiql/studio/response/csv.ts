/**
 * A table as CSV (RFC 4180) for spreadsheets. Numbers have the digits of the response, null is an empty field, and an empty string is `""`.
 * Text that a spreadsheet would run as a formula begins with an apostrophe, because it can come from anybody.
 */
import { Figure } from './exact.ts';
import { type Cell, type List, textOf } from './unfold.ts';

const disarmed = (text: string): string => text.replace(/^(?=[=+\-@\t\r])/, "'");
const quoted = (text: string): string => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const fieldOf = (cell: Cell): string => {
  if (cell === null) return '';
  return cell instanceof Figure ? cell.text : quoted(disarmed(textOf(cell)));
};

export const csvOf = ({ columns, rows }: List): string =>
  [columns.map(quoted), ...rows.map((row) => row.map(fieldOf))].map((fields) => `${fields.join(',')}\r\n`).join('');
