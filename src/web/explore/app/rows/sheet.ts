/** What rows show as a table of labels and values, for a file. Numbers keep their digits, and codes have their labels. */
import type { Sheet } from '../../../browser/csv.ts';
import { Figure, isObject, type JsonObject } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import type { DescribedTable, Description, LanguageCode } from '../../described.ts';
import { ask, Failure } from '../parts/api.ts';
import { valueText } from '../parts/values.ts';
import { findShown } from '../view/row-functions.ts';
import { labelOf } from '../view/tables.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';

interface RowsParts {
  readonly view: View;
  readonly table: DescribedTable;
  readonly shown: readonly string[];
  readonly description: Description;
  readonly language: LanguageCode;
}

/** All rows of a view. Throws `Failure`, also if the service gives only a part of them. */
export const sheetOfRows = async ({ view, table, shown, description, language }: RowsParts, tooMany: string): Promise<Sheet> => {
  const columns = shown.flatMap((text) => findShown(description, table, text) ?? []);
  const { rows, total } = await ask(restAddress(view, shown, [['limit', String(mostRows.rows)]]));
  if (total > rows.length) throw new Failure(422, tooMany);
  const cell = (row: JsonObject, { path, column }: (typeof columns)[number]): Cell => {
    const value = (row[path] ?? null) as Cell;
    if (value === null || (value instanceof Figure && !column.codes)) return value;
    // Spreadsheets read dates in this form in every language.
    if (column.kind === 'date' || column.kind === 'timestamp') return value;
    return valueText(value, column, description, language);
  };
  return {
    head: columns.map((found) => labelOf(found, language)),
    rows: rows.filter(isObject).map((row) => columns.map((found) => cell(row, found))),
  };
};
