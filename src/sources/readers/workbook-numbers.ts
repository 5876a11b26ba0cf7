/** Numbers of workbooks: a number format decides whether they are numbers, per cents, days, times or text. */
import { SSF } from '@e965/xlsx';
import { isDayOfCalendar } from '../../sync/values/days.ts';
import { multiplyDecimal, plainNumber } from '../columns/numbers.ts';
import { type Cell, PlainText, ShownText, type UnreadableCell } from '../source-rows.ts';

/** Where days are counted from. */
export type DateSystem = '1900' | '1904';

/** Excel computes with 15 digits. Further digits of a stored number are noise. */
const excelDigits = 15;

type Kind = 'number' | 'percent' | 'text' | 'moment';

/** A format without colours, conditions, literals, and padding. */
const bare = (format: string): string =>
  format
    .split(';')[0]!
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '');

/** What a person sees: digits that are filled up with zeros are text, such as a postal code or a number of an account. */
const kindOfFormat = (format: string): Kind => {
  if (SSF.is_date(format)) return 'moment';
  const digits = bare(format);
  if (digits.includes('%')) return 'percent';
  return /^[-/ ]*0[-/ 0]*0[-/ ]*$/.test(digits) ? 'text' : 'number';
};

const kinds = new Map<string, Kind>();
const kindOf = (format: string): Kind => {
  let kind = kinds.get(format);
  if (kind === undefined) {
    kind = kindOfFormat(format);
    kinds.set(format, kind);
  }
  return kind;
};

const dayMs = 86_400_000;
/** Times are fractions of a day, which are exact to the hundredth of a second. */
const timeUnitMs = 10;
const lastDay = { '1900': 2_958_465, '1904': 2_957_003 } as const;

/** 31 December 1899 is day 0. Day 60 is 29 February 1900, which does not exist. Days before it are counted from one day later. */
const epochOf = (serial: number, dates: DateSystem): number => {
  if (dates === '1904') return Date.UTC(1904, 0, 1);
  return serial < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
};

/** The forms of a day in the formats of a system, which a workbook does not name. */
const shownDays = (day: string): readonly string[] => {
  const [year = '', month = '', date = ''] = day.split('-');
  return [`${date}.${month}.${year}`, `${date}.${month}.${year.slice(2)}`, `${Number(month)}/${Number(date)}/${year.slice(2)}`];
};

/** Whether the format shows a time of day or a duration, and no day. */
const isClock = (format: string): boolean => /[hs]/i.test(format) && !/[dy]/i.test(bare(format).replaceAll(/am\/pm/gi, ''));

const momentCell = (serial: number, format: string, dates: DateSystem, asShown: string): Cell | undefined => {
  const whole = Math.floor(serial);
  if (serial < 0 || whole > lastDay[dates]) return undefined;
  if (isClock(format)) return asShown;
  if (dates === '1900' && (whole === 0 || whole === 60)) return undefined;
  const instant = new Date(Math.round((epochOf(serial, dates) + serial * dayMs) / timeUnitMs) * timeUnitMs);
  const [day = '', time = ''] = instant.toISOString().replace('Z', '').split('T');
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  if (!isDayOfCalendar(year, month, date)) return undefined;
  return new ShownText(time === '00:00:00.000' ? day : `${day}T${time.replace('.000', '')}`, [asShown, ...shownDays(day)]);
};

const formatted = (format: string | number, value: number, dates: DateSystem): string => {
  try {
    return SSF.format(format as string, value, { date1904: dates === '1904' }).trim();
  } catch {
    return String(value);
  }
};

/** The value of a number with its format. `unreadable` makes the cell of one that is no value. */
export const numberCell = (
  value: number,
  given: string | number | undefined,
  dates: DateSystem,
  unreadable: (text: string, reason: string) => UnreadableCell,
): Cell => {
  const format = typeof given === 'number' ? ((SSF.get_table() as Record<number, string>)[given] ?? 'General') : (given ?? 'General');
  const number = Number(value.toPrecision(excelDigits));
  switch (format === 'General' ? 'number' : kindOf(format)) {
    case 'number':
      return number;
    case 'percent':
      return new PlainText(multiplyDecimal(plainNumber(number), 100));
    case 'text':
      return Number.isInteger(number) ? formatted(format, number, dates) : number;
    default: {
      const asShown = formatted(format, value, dates);
      return (
        momentCell(value, format, dates, asShown) ??
        unreadable(`${asShown || String(value)}`, 'is no day of the calendar: correct it in the workbook')
      );
    }
  }
};
