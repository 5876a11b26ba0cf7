/**
 * A table as CSV (RFC 4180) for spreadsheets. Numbers have the digits of the response, null is an empty field, and an empty string is `""`.
 * Text that a spreadsheet would run as a formula begins with an apostrophe.
 */
import { csvField, withoutFormula } from '../../../../csv.ts';
import { Figure } from '../../../browser/exact.ts';
import { type Cell, type List, textOf } from '../../../browser/list.ts';

/** How a file is written. */
export interface CsvForm {
  readonly separator: string;
  readonly decimalPoint: string;
  /** What the file begins with. */
  readonly start: string;
  readonly nameOf: (column: string) => string;
}

/** The form of the API: the names of the fields, and a decimal point. */
export const plainForm: CsvForm = { separator: ',', decimalPoint: '.', start: '', nameOf: (column) => column };

/** The form that a German spreadsheet opens by a double click. The byte order mark tells it that the text is UTF-8. */
export const germanForm = (nameOf: CsvForm['nameOf']): CsvForm => ({ separator: ';', decimalPoint: ',', start: '\uFEFF', nameOf });

const fieldOf = (cell: Cell, { separator, decimalPoint }: CsvForm): string => {
  if (cell === null) return '';
  return cell instanceof Figure ? cell.text.replace('.', decimalPoint) : csvField(withoutFormula(textOf(cell)), separator);
};

export const csvOf = ({ columns, rows }: List, form: CsvForm = plainForm): string => {
  const { separator, start, nameOf } = form;
  const lines = [
    columns.map((column) => csvField(nameOf(column), separator)),
    ...rows.map((row) => row.map((cell) => fieldOf(cell, form))),
  ];
  return start + lines.map((fields) => `${fields.join(separator)}\r\n`).join('');
};
