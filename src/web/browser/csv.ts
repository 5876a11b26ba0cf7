/**
 * A table as people see it, as CSV for spreadsheets (RFC 4180): labels, all digits, and the separators of the language. A byte order mark tells a
 * spreadsheet that the text is UTF-8. Text that it would run as a formula begins with an apostrophe.
 */
import { csvField, withoutFormula } from '../../csv.ts';
import { Figure } from './exact.ts';
import type { Cell } from './list.ts';
import type { LanguageCode } from './values.ts';

/** Labels, and cells whose codes, dates and words are already those of the language. */
export interface Sheet {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const forms: Readonly<Record<LanguageCode, { readonly separator: string; readonly decimalPoint: string }>> = {
  en: { separator: ',', decimalPoint: '.' },
  de: { separator: ';', decimalPoint: ',' },
};

const byteOrderMark = '\uFEFF';

export const csvOf = ({ head, rows }: Sheet, language: LanguageCode): string => {
  const { separator, decimalPoint } = forms[language];
  const fieldOf = (cell: Cell): string => {
    if (cell === null) return '';
    return cell instanceof Figure ? cell.text.replace('.', () => decimalPoint) : csvField(withoutFormula(String(cell)), separator);
  };
  const lines = [head.map((label) => csvField(withoutFormula(label), separator)), ...rows.map((row) => row.map(fieldOf))];
  return byteOrderMark + lines.map((fields) => `${fields.join(separator)}\r\n`).join('');
};
