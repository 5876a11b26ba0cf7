/** Finds the header of a list: the first row with a name in most columns, and the rows beside it that complete the names. */
import type { SourceRow } from '../../source-rows.ts';
import { dateFormsOf } from '../forms/date-forms.ts';
import { numberFormsOf } from '../forms/number-forms.ts';
import { textOf } from './records.ts';

const isValue = (text: string): boolean => numberFormsOf([text]) !== undefined || dateFormsOf([text]) !== undefined;
const unit = /^[([]?(?:m²|m2|qm|sqm|sq ?ft|sf|€|eur|chf|usd|\$|%|€\/m²|stk\.?|tt\.mm\.jjjj|dd-mm-jjjj|mm\/dd\/yyyy|text|num)[)\]]?$/i;

const filledOf = (texts: readonly string[]): number[] => texts.flatMap((text, at) => (text === '' ? [] : [at]));

/** The share of rows with a number or a day in a column. */
const valuesBelow = (rows: readonly (readonly string[])[], at: number): number => {
  const filled = rows.map((row) => row[at] ?? '').filter((text) => text !== '');
  return filled.length === 0 ? 0 : filled.filter(isValue).length / filled.length;
};

/** The numbers of the header lines; empty if no row can be one. `rows` are the first rows of the file, the header among them. */
export const headerOf = (rows: readonly SourceRow[]): number[] => {
  const texts = rows.map(({ cells }) => cells.map(textOf));
  const width = Math.max(0, ...texts.map((row) => filledOf(row).length));
  const isNames = (index: number, share: number): boolean => {
    const row = texts[index]!;
    const filled = filledOf(row);
    const values = filled.filter((at) => typeof rows[index]!.cells[at] !== 'string' || isValue(row[at]!)).length;
    return filled.length >= Math.max(1, width * share) && values <= filled.length * 0.1;
  };
  const first = texts.findIndex((_, index) => index < 40 && isNames(index, 0.55));
  if (first < 0) return [];
  const lines = [rows[first]!.line];
  const body = texts.slice(first + 2, first + 30);
  const next = texts[first + 1];
  const filled = next ? filledOf(next) : [];
  const valued = filled.filter((at) => valuesBelow(body, at) >= 0.6);
  const isCompleting =
    next !== undefined &&
    body.length > 0 &&
    isNames(first + 1, 0.1) &&
    (filled.every((at) => unit.test(next[at]!)) ||
      (filled.length >= filledOf(texts[first]!).length * 0.5 && valued.length >= 2 && valued.length >= filled.length * 0.3));
  if (isCompleting) lines.push(rows[first + 1]!.line);
  const above = first > 0 ? texts[first - 1]! : undefined;
  const aboveFilled = above ? filledOf(above) : [];
  const isGrouping =
    above !== undefined &&
    lines.length < 3 &&
    rows[first]!.line - rows[first - 1]!.line <= 1 &&
    aboveFilled.length >= 2 &&
    aboveFilled.every(
      (at) => above[at]!.length <= 25 && !above[at]!.includes(':') && !isValue(above[at]!) && (texts[first]![at] ?? '') !== '',
    );
  return isGrouping ? [rows[first - 1]!.line, ...lines] : lines;
};
