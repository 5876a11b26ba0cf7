/** A table as CSV (RFC 4180). Numbers are written with the digits of the answer; null is nothing, an empty text is `""`. */
import { type Cell, type List, textOf } from './unfold.ts';

const quoted = (text: string): string => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const fieldOf = (cell: Cell): string => (cell === null ? '' : quoted(textOf(cell)));

export const csvOf = ({ columns, rows }: List): string =>
  [columns.map(quoted), ...rows.map((row) => row.map(fieldOf))].map((fields) => `${fields.join(',')}\r\n`).join('');
