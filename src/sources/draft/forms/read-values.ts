/** The values of a column as numbers and days, before anything is known of its target. */
import { dateParser } from '../../columns/dates.ts';
import { numberParser } from '../../columns/numbers.ts';
import type { Formats } from '../../source-file.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { settleDates } from './date-forms.ts';
import { settleNumbers } from './number-forms.ts';
import type { Conventions } from './settle.ts';

type Values = readonly (string | undefined)[];

const read = ({ name, missing }: ColumnProfile, { textsOf }: ListProfile, parse: (text: string) => string): Values | undefined => {
  try {
    return textsOf(name).map((text) => (text === '' || missing.includes(text) ? undefined : parse(text)));
  } catch {
    return undefined;
  }
};

/** The numbers of a column as exact text, by row; undefined if a value is none in these formats. */
export const numbersIn = (column: ColumnProfile, list: ListProfile, formats: Formats): Values | undefined => {
  const parse = numberParser(formats);
  return read(column, list, (text) => (/^-?\d+(?:\.\d+)?$/.test(text) && !column.numbers ? text : parse(text)));
};

/** The numbers of a column as its own forms and the list have them; undefined if that is a question. */
export const plainNumbersOf = (column: ColumnProfile, list: ListProfile, conventions: Conventions): Values | undefined => {
  if (!column.looks.has('number') && !column.looks.has('integer')) return undefined;
  const settled = column.numbers && settleNumbers(column.name, column.numbers, conventions.numbers, undefined);
  return settled?.question === undefined ? numbersIn(column, list, settled?.formats ?? {}) : undefined;
};

/** The days of a column in ISO 8601; undefined if their order is a question. */
export const daysIn = (column: ColumnProfile, list: ListProfile, conventions: Conventions): Values | undefined => {
  if (!column.looks.has('date')) return undefined;
  const settled = column.dates && settleDates(column.name, column.dates, conventions.dates, false);
  if (settled?.question !== undefined) return undefined;
  const parse = dateParser(settled?.formats ?? {});
  return read(column, list, (text) => parse(text).day);
};
