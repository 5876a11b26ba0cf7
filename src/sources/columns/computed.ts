/** A number that follows from other columns of the row, such as the VAT from the gross and the net amount. */
import { Rejection } from '../../sync/files/rejections.ts';
import type { ColumnRule, Formats } from '../source-file.ts';
import type { SourceRow } from '../source-rows.ts';
import type { Applied } from './functions.ts';
import { addDecimals, isPlainNumber, multiplyDecimal, numberParser, percentOfDecimal } from './numbers.ts';
import type { RowColumns } from './row-columns.ts';
import { isTyped, textReader } from './values.ts';

/** Exact. A row without any of the numbers of the sum has no value. Throws a `Rejection` for the percentage of nothing. */
export const computed = (
  { sum = [], minus = [], percentOf }: ColumnRule,
  columns: RowColumns,
  formats: Formats,
): ((row: SourceRow) => Applied | undefined) => {
  const toText = textReader(formats);
  const toNumber = numberParser(formats);
  const reader = (name: string) => {
    const read = columns.find(name);
    return (row: SourceRow): string | undefined => {
      const cell = read(row);
      const text = toText(cell);
      if (text === null) return undefined;
      return isTyped(cell) && isPlainNumber(text) ? text : toNumber(text);
    };
  };
  const [added, subtracted] = [sum.map(reader), minus.map(reader)];
  const whole = percentOf === undefined ? undefined : reader(percentOf);
  return (row) => {
    const plus = added.flatMap((read) => read(row) ?? []);
    if (plus.length === 0) return undefined;
    const text = addDecimals([...plus, ...subtracted.flatMap((read) => multiplied(read(row)))]);
    if (!whole) return { text, isPlain: true };
    const base = whole(row);
    if (Number(text) === 0) return { text: '0', isPlain: true };
    if (base === undefined || Number(base) === 0) throw new Rejection(`is no percentage, because ${percentOf} is nothing`, text);
    return { text: percentOfDecimal(text, base), isPlain: true };
  };
};

const multiplied = (text: string | undefined): string[] => (text === undefined ? [] : [multiplyDecimal(text, -1)]);
