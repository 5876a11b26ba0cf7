/** Reads dates and times in formats in the terms of strptime. */

import { quoted, Rejection } from '../../sync/files/rejections.ts';
import { readMoment } from '../../sync/values/check-value.ts';
import { isDayOfCalendar } from '../../sync/values/days.ts';
import type { ZonedDays } from '../../sync/values/zoned-days.ts';

/** A date with an optional time and offset, as ISO 8601 text. */
export interface Moment {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:MM:SS[.ffffff]`; undefined if the format has none. */
  readonly time: string | undefined;
  /** `Z` or `+HH:MM`; undefined if the text has none. */
  readonly offset: string | undefined;
  /** Whether the source declares the form. */
  readonly isDeclared: boolean;
}

/** The beginnings of the names of months, in German, English and Dutch. */
const months = ['jan|jän', 'feb|fe', 'mär|mar|mrz|mrt|maa', 'apr', 'mai|may|mei', 'jun', 'jul', 'aug', 'sep', 'okt|oct', 'nov', 'dez|dec'];
const monthPattern = `(?:${months.join('|')})[a-zä]*\\.?`;

const directives: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  y: '(?<y>\\d{2})',
  m: '(?<m>\\d{1,2})',
  b: `(?<b>${monthPattern})`,
  B: `(?<b>${monthPattern})`,
  d: '(?<d>\\d{1,2})',
  H: '(?<H>\\d{1,2})',
  I: '(?<I>\\d{1,2})',
  p: '(?<p>[ap]\\.?m\\.?)',
  M: '(?<M>\\d{2})',
  S: '(?<S>\\d{2})',
  f: '(?<f>\\d{1,6})',
  z: '(?<z>Z|[+-]\\d{2}:?\\d{2})',
};

const patternOf = (format: string): RegExp => {
  if (format.includes('%I') !== format.includes('%p')) throw new Rejection(`dateFormats: ${quoted(format)} needs both %I and %p, or %H`);
  const pattern = format.replaceAll(/%([A-Za-z%])|[.*+?^${}()|[\]\\]/g, (text, directive: string | undefined) => {
    if (directive === undefined) return `\\${text}`;
    if (directive === '%') return '%';
    const known = directives[directive];
    if (known === undefined)
      throw new Rejection(`dateFormats: %${directive} is unknown; there are %${Object.keys(directives).join(', %')}`);
    return known;
  });
  try {
    return new RegExp(`^${pattern}$`, 'i');
  } catch {
    throw new Rejection(`dateFormats: ${quoted(format)} has a part twice`);
  }
};

/** Longer text is no date. Blanks and digits of a format can share a text in many ways. */
const longest = 100;

const two = (text: string) => text.padStart(2, '0');

const monthOf = (name: string): string => {
  const word = name.toLowerCase();
  return String(months.findIndex((forms) => forms.split('|').some((form) => word.startsWith(form))) + 1);
};

/** A year of two digits is within 1969 to 2068, as in POSIX. */
const yearOf = (short: string): string => (Number(short) <= 68 ? `20${short}` : `19${short}`);

/** An offset in one form: `Z`, or `+HH:MM`. */
const offsetOf = (text: string): string =>
  text.toUpperCase() === 'Z' ? 'Z' : `${text.slice(0, 3)}:${text.slice(3).replace(':', '') || '00'}`;

/** The hour of 24. `12:30 AM` is half an hour after midnight; an hour beyond 12 stays and is refused. */
const hourOf = ({ H, I, p }: Readonly<Record<string, string | undefined>>): string | undefined => {
  if (I === undefined) return H;
  const hour = Number(I);
  if (hour < 1 || hour > 12 || p === undefined) return '99';
  return String((hour % 12) + (/^p/i.test(p) ? 12 : 0));
};

const momentOf = (groups: Readonly<Record<string, string | undefined>>): Moment | undefined => {
  const { Y, y, m, b, d = '1', M = '00', S = '00', f, z } = groups;
  const H = hourOf(groups);
  const year = Y ?? (y === undefined ? undefined : yearOf(y));
  const month = b === undefined ? m : monthOf(b);
  if (year === undefined || month === undefined) return undefined;
  const day = `${year}-${two(month)}-${two(d)}`;
  if (!isDayOfCalendar(Number(year), Number(month), Number(d)) || year === '0000') return undefined;
  if (H !== undefined && (Number(H) > 23 || Number(M) > 59 || Number(S) > 59)) return undefined;
  const offset = z === undefined ? undefined : offsetOf(z);
  return { day, time: H === undefined ? undefined : `${two(H)}:${M}:${S}${f === undefined ? '' : `.${f}`}`, offset, isDeclared: true };
};

/** Whether a text is a format of dates and times. */
export const isDateFormat = (format: string): boolean => {
  try {
    patternOf(format);
    return true;
  } catch {
    return false;
  }
};

const maxDecimals = 6;

/** A parser of dates and times. The first format that fits the whole text counts, and ISO 8601 needs none. */
export const dateParser = ({ dateFormats = [] }: { readonly dateFormats?: readonly string[] | undefined }) => {
  const patterns = dateFormats.map(patternOf);
  const wanted = [...dateFormats, 'ISO 8601'].join(' or ');
  return (text: string): Moment => {
    for (const pattern of text.length > longest ? [] : patterns) {
      const groups = pattern.exec(text)?.groups;
      const moment = groups && momentOf(groups);
      if (moment) return moment;
    }
    const iso = readMoment(text, maxDecimals);
    if (typeof iso === 'object') {
      const { day, time, seconds, zone } = iso;
      return { day, time: time && `${time}:${seconds}`, offset: zone === undefined ? undefined : offsetOf(zone), isDeclared: false };
    }
    if (!iso.startsWith('is no time')) throw new Rejection(iso, text);
    throw new Rejection(`is no date or time in the format ${wanted}: state its format in dateFormats`, text);
  };
};

/** The date of a moment. Throws a `Rejection` if it has a time of day, which would be lost; midnight is none in a declared or typed form. */
export const dayOf = ({ day, time, isDeclared }: Moment, text: string, isTyped: boolean): string => {
  if (time !== undefined && (/[1-9]/.test(time) || !(isDeclared || isTyped)))
    throw new Rejection('has a time, and the column has none: apply [date]', text);
  return day;
};

const minuteMs = 60_000;

/** A time with its offset. Throws a `Rejection` if the clock skips it, or shows it twice. */
export const instantOf = ({ day, time = '00:00:00', offset }: Moment, zone: ZonedDays | undefined, text: string): string => {
  if (offset !== undefined) return `${day}T${time}${offset}`;
  if (zone === undefined) throw new Rejection('is a time without a zone: state timezone in formats, such as Europe/Berlin', text);
  const minutes = zone.minutesAhead(day, time.slice(0, 5));
  if (typeof minutes === 'string') throw new Rejection(minutes, text);
  const size = Math.abs(minutes);
  // Local times of the 19th century differ by seconds.
  if (!Number.isInteger(size))
    return `${new Date(Date.parse(`${day}T${time.slice(0, 8)}Z`) - minutes * minuteMs).toISOString().slice(0, 19)}Z`;
  return `${day}T${time}${minutes < 0 ? '-' : '+'}${two(String(Math.floor(size / 60)))}:${two(String(size % 60))}`;
};
