/** What groups show as a table of labels and values, for a file. Figures keep their digits. */
import type { Sheet } from '../../../browser/csv.ts';
import type { JsonObject } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import type { LanguageCode } from '../../described.ts';
import type { Pivot } from '../view/pivot.ts';
import { cellOf, type Field } from './fields.ts';

/** A figure of groups, or the text of a key. */
const shownCell = (field: Field, row: JsonObject | undefined, language: LanguageCode): Cell => {
  const value = row ? cellOf(row, field) : null;
  if (!field.isKey) return value;
  return value === null ? null : field.textOf(value, language);
};

export const sheetOfGroups = (fields: readonly Field[], rows: readonly JsonObject[], language: LanguageCode): Sheet => ({
  head: fields.map(({ label }) => label(language)),
  rows: rows.map((row) => fields.map((field) => shownCell(field, row, language))),
});

interface PivotParts {
  readonly pivot: Pivot;
  readonly keys: readonly Field[];
  readonly across: Field;
  readonly figures: readonly Field[];
}

export const sheetOfPivot = ({ pivot, keys, across, figures }: PivotParts, language: LanguageCode): Sheet => ({
  head: [
    ...keys.map(({ label }) => label(language)),
    ...pivot.columns.flatMap((value) => figures.map(({ label }) => `${across.textOf(value, language)}: ${label(language)}`)),
  ],
  rows: pivot.rows.map(({ keys: row, groups }) => [
    ...keys.map((key) => shownCell(key, row, language)),
    ...groups.flatMap((group) => figures.map((figure) => shownCell(figure, group, language))),
  ]),
});
