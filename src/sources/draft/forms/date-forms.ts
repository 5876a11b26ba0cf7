/**
 * The forms of days in a column. `03/04/2025` is in March and in April, so the order is known only if a value proves it, or another column of
 * the export. With points, the day is first everywhere.
 */
import type { Formats } from '../../source-file.ts';
import { questionText } from '../question-texts.ts';
import type { Settled } from './number-forms.ts';

type Order = 'day' | 'month';

/** Values of which day and month are numbers before the year. */
interface Numeric {
  readonly separator: string;
  /** The orders that values prove, each with such a value. */
  readonly proven: ReadonlyMap<Order, string>;
  readonly example: string;
  /** What follows day and month in the format. */
  readonly end: string;
}

export interface DateForms {
  /** Formats that need no decision. ISO 8601 is the empty text. */
  readonly formats: ReadonlySet<string>;
  /** By what is between day, month and year, and follows them: each form needs its own evidence. */
  readonly numeric: ReadonlyMap<string, Numeric>;
  readonly hasTime: boolean;
  /** Two digits of years that can be of two centuries. */
  readonly shortYears: ReadonlySet<number>;
}

const monthName = '(?:jan|jän|feb|mär|mar|mrz|mrt|maa|apr|mai|may|mei|jun|jul|aug|sep|okt|oct|nov|dez|dec)[a-zä]*\\.?';
const timePattern = /^(.*?)([ T])(\d{1,2}):(\d{2})(?::(\d{2})([.,]\d{1,6})?)?( ?[ap]\.?m\.?)?( ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;
const iso = /^\d{4}-\d{2}-\d{2}$/;

interface Mutable {
  readonly formats: Set<string>;
  readonly numeric: Map<string, { separator: string; proven: Map<Order, string>; example: string; end: string }>;
  hasTime: boolean;
  readonly shortYears: Set<number>;
}

/** The time of a text, as its part of the format. */
const timeOf = (text: string): { readonly day: string; readonly format: string; readonly isMidnight: boolean } => {
  const [, day, blank = '', hour = '', minute, second, fraction, half, zone] = timePattern.exec(text) ?? [];
  if (day === undefined) return { day: text, format: '', isMidnight: true };
  const clock = `${half ? '%I' : '%H'}:%M${second === undefined ? '' : ':%S'}${fraction === undefined ? '' : '.%f'}`;
  const suffix = `${half ? `${half.startsWith(' ') ? ' ' : ''}%p` : ''}${zone ? `${zone.startsWith(' ') ? ' ' : ''}%z` : ''}`;
  const isMidnight =
    Number(half ? Number(hour) % 12 : hour) === 0 && !/^p/i.test(half?.trim() ?? '') && Number(minute) === 0 && Number(second ?? 0) === 0;
  return { day, format: `${blank}${clock}${suffix}`, isMidnight };
};

const isMonth = (text: string): boolean => Number(text) >= 1 && Number(text) <= 12;
const isDayNumber = (text: string): boolean => Number(text) >= 1 && Number(text) <= 31;
const isYear = (text: string): boolean => Number(text) >= 1800 && Number(text) <= 2199;

/** Days without a decision, in the terms of strptime; undefined if the text is none. */
const plainFormat = (day: string): string | undefined => {
  const [, year = '', separator = '', month = '', date = ''] = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(day) ?? [];
  if (year !== '') return isMonth(month) && isDayNumber(date) ? `%Y${separator}%m${separator}%d` : undefined;
  if (/^\d{8}$/.test(day)) return isYear(day.slice(0, 4)) && isMonth(day.slice(4, 6)) && isDayNumber(day.slice(6)) ? '%Y%m%d' : undefined;
  const [, first, a = '', b = '', long] =
    new RegExp(`^(\\d{1,2})(\\.? |-|\\.|/)${monthName}( |-|/|, )(\\d{4}|\\d{2})$`, 'i').exec(day) ?? [];
  if (first !== undefined) return `%d${a}%b${b}${long!.length === 4 ? '%Y' : '%y'}`;
  const [, second, comma = ''] = new RegExp(`^${monthName} (\\d{1,2})(,?) \\d{4}$`, 'i').exec(day) ?? [];
  if (second !== undefined) return `%b %d${comma} %Y`;
  const [, dash, end] = new RegExp(`^${monthName}([ /-])(\\d{4}|\\d{2})$`, 'i').exec(day) ?? [];
  if (dash !== undefined) return `%b${dash}${end!.length === 4 ? '%Y' : '%y'}`;
  const [, ofYear, mark, years = ''] = /^(\d{1,2})([./-])(\d{4})$/.exec(day) ?? [];
  return ofYear !== undefined && isMonth(ofYear) && isYear(years) ? `%m${mark}%Y` : undefined;
};

const see = (forms: Mutable, text: string): boolean => {
  const { day, format: time, isMidnight } = timeOf(text);
  if (time !== '' && !isMidnight) forms.hasTime = true;
  const [, first = '', separator = '', second = '', year = ''] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(day) ?? [];
  if (first !== '') {
    if (!isDayNumber(first) || !isDayNumber(second) || (!isMonth(first) && !isMonth(second))) return false;
    if (year.length === 2) forms.shortYears.add(Number(year));
    const end = `${separator}${year.length === 4 ? '%Y' : '%y'}${time}`;
    const known = forms.numeric.get(end) ?? { separator, proven: new Map(), example: text, end };
    forms.numeric.set(end, known);
    if (!isMonth(first)) known.proven.set('day', text);
    if (!isMonth(second)) known.proven.set('month', text);
    return true;
  }
  const plain = plainFormat(day);
  if (plain === undefined) return false;
  const short = /%y/.test(plain) ? Number(day.slice(-2)) : undefined;
  if (short !== undefined) forms.shortYears.add(short);
  const isIso = iso.test(day) && (time === '' || !/[pz]$/i.test(time));
  forms.formats.add(isIso ? '' : `${plain}${time}`);
  return true;
};

/** The forms of texts that are all days; undefined if one is none. */
export const dateFormsOf = (texts: readonly string[]): DateForms | undefined => {
  if (texts.length === 0) return undefined;
  const forms: Mutable = { formats: new Set(), numeric: new Map(), hasTime: false, shortYears: new Set() };
  return texts.every((text) => see(forms, text)) ? forms : undefined;
};

/** The orders that columns of the export prove, by separator; undefined for a separator with both. */
export type DateConventions = ReadonlyMap<string, { readonly order: Order; readonly evidence: string } | undefined>;

const formatOf = (separator: string, order: Order, end: string): string =>
  order === 'day' ? `%d${separator}%m${end}` : `%m${separator}%d${end}`;

const yearOf = (year: number): string => String(year).padStart(2, '0');

/** Decides how the days of a column are read. `isBirth`: years of two digits can be of the century before. */
export const settleDates = (name: string, forms: DateForms, conventions: DateConventions, isBirth: boolean): Settled => {
  const dateFormats = [...forms.formats].filter((one) => one !== '');
  const evidence: string[] = [];
  for (const { separator, proven, example, end } of forms.numeric.values()) {
    if (proven.size > 1)
      return {
        question: questionText('twoOrders', { column: name, day: proven.get('day')!, month: proven.get('month')! }),
      };
    const [own] = proven.keys();
    // Two forms in one column come from two programs, so that another column says nothing about them.
    const convention = forms.numeric.size > 1 ? undefined : conventions.get(separator);
    const order = own ?? (separator === '.' ? 'day' : convention?.order);
    if (order === undefined)
      return {
        question: questionText('dayOrMonth', {
          column: name,
          example,
          first: formatOf(separator, 'day', end),
          second: formatOf(separator, 'month', end),
        }),
      };
    dateFormats.push(formatOf(separator, order, end));
    evidence.push(
      own ? `"${proven.get(own)}" has the ${own} first` : separator === '.' ? 'days with points begin with the day' : convention!.evidence,
    );
  }
  const latest = (new Date().getUTCFullYear() % 100) + 20;
  const doubtful = [...forms.shortYears].filter((year) => year <= 68 && (isBirth || year > latest));
  if (doubtful.length > 0)
    return {
      question: questionText('shortYears', { column: name, year: yearOf(doubtful[0]!), read: `20${yearOf(doubtful[0]!)}` }),
    };
  const formats: Formats = dateFormats.length > 0 ? { dateFormats: [...new Set(dateFormats)] } : {};
  return { formats, evidence: evidence.join('; ') || (dateFormats.length > 0 ? `the format ${dateFormats.join(', ')}` : 'ISO 8601') };
};
