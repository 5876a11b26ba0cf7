/** How an export writes values. Nothing here is shared with the code that reads them. */
import type { Formats } from '../../../src/sources/source-file.ts';

export type Random = (max: number) => number;

export const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!;
/** True once in `times`. */
export const once = (random: Random, times: number): boolean => random(times) === 0;
export const shuffled = <T>(random: Random, values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, at: random(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

/** A form of days and its name in a source file. */
type DayForm = readonly [format: string, write: (year: string, month: string, day: string) => string];

const months = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];
const dayForms: readonly DayForm[] = [
  ['%d.%m.%Y', (y, m, d) => `${d}.${m}.${y}`],
  ['%d.%m.%Y', (y, m, d) => `${Number(d)}.${Number(m)}.${y}`],
  ['%m/%d/%Y', (y, m, d) => `${m}/${d}/${y}`],
  ['%d-%m-%Y', (y, m, d) => `${d}-${m}-${y}`],
  ['%Y%m%d', (y, m, d) => `${y}${m}${d}`],
  ['%d. %b %Y', (y, m, d) => `${Number(d)}. ${months[Number(m) - 1]} ${y}`],
  ['%d.%m.%y', (y, m, d) => `${d}.${m}.${y.slice(2)}`],
  ['%Y-%m-%d', (y, m, d) => `${y}-${m}-${d}`],
];

export interface Style {
  readonly decimalChar: string;
  readonly groupChar: string | undefined;
  readonly minus: 'front' | 'behind' | 'parentheses';
  /** A currency beside numbers. */
  readonly unit: string;
  readonly day: DayForm;
  readonly zone: string;
  readonly words: readonly [yes: string, no: string];
  /** The word for no value. */
  readonly missing: string;
}

const groupings: readonly (readonly [decimal: string, group: string | undefined])[] = [
  [',', '.'],
  [',', ' '],
  [',', '\u00a0'],
  [',', undefined],
  ['.', ','],
  ['.', "'"],
  ['.', undefined],
];

/** A style that can write these rows: every date, and every text beside the word for no value. */
export const randomStyle = (random: Random, { days, texts }: { days: readonly string[]; texts: ReadonlySet<string> }): Style => {
  const [decimalChar, groupChar] = pick(random, groupings);
  const isShort = days.every((day) => day >= '1969' && day < '2069');
  return {
    decimalChar,
    groupChar,
    minus: pick(random, ['front', 'behind', 'parentheses']),
    unit: pick(random, ['', '', '', ' EUR', '$']),
    day: pick(
      random,
      dayForms.filter(([format]) => isShort || format !== '%d.%m.%y'),
    ),
    zone: pick(random, ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']),
    words: pick(random, [
      ['J', 'N'],
      ['true', 'false'],
      ['wahr', 'falsch'],
      ['1', '0'],
      ['x', 'o'],
    ] as const),
    missing: pick(
      random,
      ['', '-', 'NULL', 'k.A.', '\\N'].filter((word) => !texts.has(word)),
    ),
  };
};

/** The style in the terms of a source file. */
export const formatsOf = ({ decimalChar, groupChar, minus, unit, day: [format], zone, words, missing }: Style): Formats => ({
  decimalChar,
  ...(groupChar !== undefined && { groupChar }),
  ...(unit !== '' && { bareNumber: false }),
  trailingMinus: minus === 'behind',
  parentheses: minus === 'parentheses',
  dateFormats: [format, `${format} %H:%M:%S`, `${format} %H:%M:%S.%f`],
  timezone: zone,
  trueValues: [words[0]],
  falseValues: [words[1]],
  missingValues: [missing],
});

export const writeNumber = ({ decimalChar, groupChar, minus, unit }: Style, text: string): string => {
  const [whole = '', fraction] = text.replace('-', '').split('.');
  const grouped = groupChar === undefined ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, () => groupChar);
  const digits = fraction === undefined ? grouped : `${grouped}${decimalChar}${fraction}`;
  const signed = !text.startsWith('-') ? digits : minus === 'front' ? `-${digits}` : minus === 'behind' ? `${digits}-` : `(${digits})`;
  return unit.startsWith(' ') ? `${signed}${unit}` : `${unit}${signed}`;
};

/** `text` is `YYYY-MM-DD`. */
export const writeDay = ({ day: [, write] }: Style, text: string): string => {
  const [year = '', month = '', day = ''] = text.split('-');
  return write(year, month, day);
};

/** The local time of a zone, as `YYYY-MM-DD HH:MM:SS`. */
export const localTime = (instant: number, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);

const hourMs = 3_600_000;

/** An instant as the database writes it in UTC, with its fraction of a second. */
export const instantOf = (text: string): { readonly ms: number; readonly fraction: string } => {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]+)(?:\.(\d+))?\+00$/.exec(text) ?? [];
  return { ms: Date.parse(`${day}T${time}Z`), fraction };
};

/** Whether the clock of the zone shows this time twice, because summer time ends. */
export const isAmbiguous = (ms: number, zone: string): boolean =>
  [ms - hourMs, ms + hourMs].some((other) => localTime(other, zone) === localTime(ms, zone));

/** Local time, or ISO 8601 with its zone where local time is ambiguous. */
export const writeInstant = (style: Style, text: string): string => {
  const { ms, fraction } = instantOf(text);
  const local = localTime(ms, style.zone);
  if (isAmbiguous(ms, style.zone)) return text.replace(' ', 'T').replace('+00', 'Z');
  return `${writeDay(style, local.slice(0, 10))}${local.slice(10)}${fraction === '' ? '' : `.${fraction}`}`;
};

/** A value of the database in the form of the style. */
export const writeValue = (style: Style, type: string, text: string): string => {
  if (type === 'boolean') return style.words[text === 'true' ? 0 : 1];
  if (type === 'date') return writeDay(style, text);
  if (type === 'timestamptz') return writeInstant(style, text);
  return type === 'text' ? text : writeNumber(style, text);
};
