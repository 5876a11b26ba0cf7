/** Reads dates and times in formats in the terms of strptime. */
import { isDay } from '../../sync/values/days.ts';
import { Rejection } from '../rejections.ts';
import type { Formats } from '../source-file.ts';

/** A date with an optional time and offset, as ISO 8601 text. */
export interface Moment {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:MM:SS[.ffffff]`; undefined if the format has none. */
  readonly time: string | undefined;
  /** `Z` or `+HH:MM`; undefined if the text has none. */
  readonly offset: string | undefined;
}

const months = ['jan', 'feb', 'mär|mar|mrz', 'apr', 'mai|may', 'jun', 'jul', 'aug', 'sep', 'okt|oct', 'nov', 'dez|dec'];
const monthPattern = `(?:${months.join('|')})[a-zä]*\\.?`;

const directives: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  y: '(?<y>\\d{2})',
  m: '(?<m>\\d{1,2})',
  b: `(?<b>${monthPattern})`,
  B: `(?<b>${monthPattern})`,
  d: '(?<d>\\d{1,2})',
  H: '(?<H>\\d{1,2})',
  M: '(?<M>\\d{2})',
  S: '(?<S>\\d{2})',
  f: '(?<f>\\d{1,6})',
  z: '(?<z>Z|[+-]\\d{2}:?\\d{2})',
};

const patternOf = (format: string): RegExp => {
  const pattern = format.replaceAll(/%([A-Za-z%])|[.*+?^${}()|[\]\\]/g, (text, directive: string | undefined) => {
    if (directive === undefined) return `\\${text}`;
    if (directive === '%') return '%';
    const known = directives[directive];
    if (known === undefined)
      throw new Rejection(`dateFormats: %${directive} is unknown; there are %${Object.keys(directives).join(', %')}`);
    return known;
  });
  return new RegExp(`^${pattern}$`, 'i');
};

/** ISO 8601, which needs no format. */
const iso =
  /^(?<Y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?:[T ](?<H>\d{2}):(?<M>\d{2})(?::(?<S>\d{2})(?:\.(?<f>\d{1,6})\d*)?)?\s*(?<z>Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

const two = (text: string) => text.padStart(2, '0');

const monthOf = (name: string): string => {
  const word = name.toLowerCase();
  return String(months.findIndex((forms) => forms.split('|').some((form) => word.startsWith(form))) + 1);
};

/** A year of two digits is within 1969 to 2068, as in POSIX. */
const yearOf = (short: string): string => (Number(short) <= 68 ? `20${short}` : `19${short}`);

const momentOf = (groups: Readonly<Record<string, string | undefined>>): Moment | undefined => {
  const { Y, y, m, b, d = '1', H, M = '00', S = '00', f, z } = groups;
  const year = Y ?? (y === undefined ? undefined : yearOf(y));
  const month = b === undefined ? m : monthOf(b);
  if (year === undefined || month === undefined) return undefined;
  const day = `${year}-${two(month)}-${two(d)}`;
  if (!isDay(Number(year), Number(month), Number(d)) || year === '0000') return undefined;
  if (H !== undefined && (Number(H) > 23 || Number(M) > 59 || Number(S) > 59)) return undefined;
  const offset = z === undefined || z.toUpperCase() === 'Z' ? z?.toUpperCase() : `${z.slice(0, 3)}:${z.slice(3).replace(':', '') || '00'}`;
  return { day, time: H === undefined ? undefined : `${two(H)}:${M}:${S}${f === undefined ? '' : `.${f}`}`, offset };
};

/** A parser of dates and times. The first format that fits the whole text counts. */
export const dateParser = ({ dateFormats }: Pick<Formats, 'dateFormats'>) => {
  const patterns = [...(dateFormats ?? []).map(patternOf), iso];
  const wanted = [...(dateFormats ?? []), 'ISO 8601'].join(' or ');
  return (text: string): Moment => {
    for (const pattern of patterns) {
      const groups = pattern.exec(text)?.groups;
      const moment = groups && momentOf(groups);
      if (moment) return moment;
    }
    throw new Rejection(`is no date or time in the format ${wanted}: state its format in dateFormats`, text);
  };
};

/** The date of a moment. Throws a `Rejection` if it has a time of day, which would be lost. */
export const dayOf = ({ day, time }: Moment, text: string): string => {
  if (time !== undefined && /[1-9]/.test(time)) throw new Rejection('has a time of day, and the column holds days: apply [date]', text);
  return day;
};

const formatters = new Map<string, Intl.DateTimeFormat>();
const formatterOf = (zone: string): Intl.DateTimeFormat => {
  let formatter = formatters.get(zone);
  if (!formatter) {
    try {
      formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
    } catch {
      throw new Rejection(`timezone: '${zone}' is no time zone such as Europe/Berlin`);
    }
    formatters.set(zone, formatter);
  }
  return formatter;
};

/** The offset of a zone at an instant, in minutes. */
const offsetAt = (zone: string, instant: number): number => {
  const name =
    formatterOf(zone)
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
};

const minuteMs = 60_000;

/** A time with its offset. An hour that occurs twice, when summer time ends, is the first of both. */
export const instantOf = ({ day, time = '00:00:00', offset }: Moment, zone: string | undefined, text: string): string => {
  if (offset !== undefined) return `${day}T${time}${offset}`;
  if (zone === undefined) throw new Rejection('is a time without a zone: state timezone in formats, such as Europe/Berlin', text);
  const local = Date.parse(`${day}T${time.slice(0, 8)}Z`);
  const before = offsetAt(zone, local - 24 * 60 * minuteMs);
  const after = offsetAt(zone, local + 24 * 60 * minuteMs);
  const minutes = [before, after].find((candidate) => offsetAt(zone, local - candidate * minuteMs) === candidate);
  if (minutes === undefined) throw new Rejection(`does not exist in ${zone}, because summer time begins`, text);
  const size = Math.abs(minutes);
  return `${day}T${time}${minutes < 0 ? '-' : '+'}${two(String(Math.floor(size / 60)))}:${two(String(size % 60))}`;
};
