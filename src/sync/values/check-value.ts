/**
 * The strict forms of values (contract: values in loads).
 *
 * PostgreSQL accepts more: `31.12.24` and `now` are dates to it, and `1.234` fits a column of two decimals. So each value is checked before
 * it is sent. `accept-bytes.ts` accepts ordinary values faster; this file decides about all others.
 */
import type { TypeName } from '../../catalogue/kinds.ts';
import { type ErrorText, onEachSurface, textFor } from '../../errors.ts';
import { isWellFormed } from '../files/json/json-values.ts';
import { quoted } from '../files/rejections.ts';
import type { TargetColumn } from '../target.ts';
import { isDayOfCalendar } from './days.ts';
import type { ZonedDays } from './zoned-days.ts';

/** What a check needs besides the text: the digits in the type's parentheses, and the zone of times without one. */
interface Context {
  readonly digits: readonly number[];
  readonly zone: ZonedDays | undefined;
}

/** Returns the error of a text, or undefined. */
type Check = (text: string, context: Context) => string | undefined;

const integerBetween =
  (bits: bigint): Check =>
  (text) => {
    if (/^-?\d{1,4}$/.test(text)) return undefined;
    if (!/^[+-]?\d+$/.test(text))
      return /^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(text) ? 'is no integer: remove the group signs' : 'is no integer';
    // BigInt takes the square of the number of digits.
    if (text.replace(/^[+-]?0*/, '').length > 20) return `is beyond ${bits} bits`;
    const value = BigInt(text.replace(/^\+/, ''));
    const max = 2n ** (bits - 1n);
    return value < -max || value >= max ? `is beyond ${bits} bits` : undefined;
  };

const decimal = /^[+-]?(?=\.?\d)(\d*)(?:\.(\d*))?$/;
/** A number of a column of floating point. */
const floating = /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:[eE][+-]?\d{1,4})?$/;
/** Numbers with a decimal comma or with group signs. */
const foreignNumber = /^[+-]?\d{1,3}(?:[.,' \u00a0\u202f]\d{3})*(?:[.,]\d+)?-?$/;

/** Values of numbers, dates and times that are not finite (contract: values in loads). */
const notFinite = 'is not finite';

const numberLike =
  (form: RegExp): Check =>
  (text) => {
    if (/^\s*(?:nan|[+-]?inf(?:inity)?)\s*$/i.test(text)) return notFinite;
    if (form.test(text)) return undefined;
    if (floating.test(text)) return 'has an exponent: write all digits';
    return foreignNumber.test(text) ? 'is no number such as 1234.56: a source can declare the decimal and group signs' : 'is no number';
  };

const checkFloat = numberLike(floating);
const checkDecimal = numberLike(decimal);

const checkNumeric: Check = (text, context) => {
  const defect = checkDecimal(text, context);
  if (defect !== undefined || context.digits.length === 0) return defect;
  const [precision = 0, scale = 0] = context.digits;
  const [, whole = '', fraction = ''] = decimal.exec(text) ?? [];
  if (fraction.length > scale) return `has ${fraction.length} decimals, and the column has ${scale}`;
  return whole.replace(/^0+/, '').length > precision - scale ? `has more than ${precision - scale} digits before the point` : undefined;
};

/** `text` has the form of a day. */
const isDayText = (text: string): boolean => isDayOfCalendar(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));

/** Years that PostgreSQL accepts and that need more than four digits. */
const yearDefect = (text: string): string | undefined => {
  if (/\bBC\s*$/i.test(text) || /^0000-/.test(text)) return 'lies before the year 1';
  return /^\s*\d{5,}-/.test(text) ? 'lies after the year 9999' : undefined;
};

const isInfinite = (text: string): boolean => /^\s*[+-]?inf(?:inity)?\s*$/i.test(text);

/** Forms of days that exports often have. They are refused, because day and month could be exchanged. */
const foreignDay = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{8}|\d{1,2}[-. ]\p{L}{3,}\.?[- ]\d{2,4}|\p{L}{3,} \d{1,2},? \d{4})(?:\D.*)?$/u;
const ofSource = (text: string): string => (foreignDay.test(text) ? ': a source can declare its form' : '');

const checkDate: Check = (text) => {
  if (isInfinite(text)) return notFinite;
  const defect = yearDefect(text);
  if (defect !== undefined) return defect;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isDayText(text)) return undefined;
  if (moment.exec(text)?.[2] !== undefined) return 'has a time, and the column has none';
  return `is no date such as 2024-12-31${ofSource(text)}`;
};

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?)? ?(Z|([+-]\d{2})(?::?([0-5]\d))?)?$/i;

const withoutZone = 'has no time zone: add Z or an offset';
/** What a load of files without a source can do instead. */
const zoneRemedy = { commandLine: ', or state the zone with --time-zone', portal: ', or state formats.timezone in a source file' };

const timeWords = 'is no time such as 2024-12-31T23:59:59Z';

/** A time in ISO 8601. */
export interface IsoMoment {
  readonly day: string;
  /** Hours and minutes. */
  readonly time: string | undefined;
  /** Seconds and their decimals. */
  readonly seconds: string;
  readonly zone: string | undefined;
  /** Minutes ahead of UTC. */
  readonly ahead: number;
}

/** The parts of a time, or its error. */
export const readMoment = (text: string, decimals: number): IsoMoment | string => {
  if (isInfinite(text)) return notFinite;
  const defect = yearDefect(text);
  if (defect !== undefined) return defect;
  const [, day, time, seconds = '', fraction = '', zone, hours = '+00', minutes = '00'] = moment.exec(text) ?? [];
  if (day === undefined || !isDayText(day)) return `${timeWords}${ofSource(text)}`;
  if (time === undefined && zone !== undefined) return timeWords;
  if (Math.abs(Number(hours)) > 15) return `${timeWords}: the zone is more than 15 hours from UTC`;
  if (fraction.length > decimals) return `has ${fraction.length} decimals of a second, and the column has ${decimals}`;
  return {
    day,
    time,
    seconds: `${seconds || '00'}${fraction === '' ? '' : `.${fraction}`}`,
    zone,
    ahead: Number(hours) * 60 + Number(`${hours[0]}${minutes}`),
  };
};

const checkTimestamp: Check = (text, { digits }) => {
  const read = readMoment(text, digits[0] ?? 6);
  if (typeof read === 'string') return read;
  return read.zone === undefined ? undefined : 'has a time zone, and the column has none';
};

/** The year in UTC can differ from the one in the text. */
const checkZonedTimestamp: Check = (text, { digits, zone }) => {
  const read = readMoment(text, digits[0] ?? 6);
  if (typeof read === 'string') return read;
  const { day, time = '00:00', ahead } = read;
  if (read.zone === undefined) {
    if (!zone) return withoutZone;
    const found = zone.minutesAhead(day, time);
    return typeof found === 'string' ? found : undefined;
  }
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const year = new Date(Date.parse(`${day}T00:00Z`) + (hour * 60 + minute - ahead) * 60_000).getUTCFullYear();
  if (year < 1) return 'lies before the year 1 in UTC';
  return year > 9999 ? 'lies after the year 9999 in UTC' : undefined;
};

/** The words of booleans. A source can declare others. */
export const booleanWords = { true: ['true', 't', '1'], false: ['false', 'f', '0'] } as const;
const allWords = new Set<string>(Object.values(booleanWords).flat());

const checkBoolean: Check = (text) =>
  allWords.has(text.toLowerCase()) ? undefined : 'is neither true nor false: a source can declare other words';

const checkText: Check = (text) => {
  if (text.includes('\0')) return 'holds a NUL';
  return isWellFormed(text) ? undefined : 'has half of a surrogate pair';
};

const checkVarying: Check = (text, context) => {
  const [most = Number.POSITIVE_INFINITY] = context.digits;
  return checkText(text, context) ?? ([...text].length > most ? `has more than ${most} characters` : undefined);
};

/** Checks by the name of an SQL type. Each kind of the catalogue must have one, or the code does not compile. */
const checks: Readonly<Record<string, Check>> = {
  smallint: integerBetween(16n),
  integer: integerBetween(32n),
  bigint: integerBetween(64n),
  numeric: checkNumeric,
  real: checkFloat,
  'double precision': checkFloat,
  boolean: checkBoolean,
  date: checkDate,
  timestamptz: checkZonedTimestamp,
  'timestamp with time zone': checkZonedTimestamp,
  'timestamp without time zone': checkTimestamp,
  text: checkText,
  'character varying': checkVarying,
  character: checkVarying,
} satisfies Record<TypeName, Check> & Record<string, Check>;

/** The name of a type without its digits, such as `numeric` or `timestamp with time zone`. */
export const typeName = (type: string): string => type.replace(/ ?\(.*?\)/, '');

const digitsOf = (type: string): readonly number[] => /\((.*?)\)/.exec(type)?.[1]?.split(',').map(Number) ?? [];

/** The check of a type for texts that are not empty. It returns the error of a text, or undefined. */
export const typeCheck = (type: string, zone: ZonedDays | undefined): ((text: string) => string | undefined) => {
  const context = { digits: digitsOf(type), zone };
  // Types that only tables of one customer have are left to PostgreSQL.
  const check = checks[typeName(type)] ?? checkText;
  return (text) => check(text, context);
};

/** A check for all values of a column. It returns the error of a value, or undefined. */
export type ValueCheck = (text: string | null) => ErrorText | undefined;

/** `zone` is the zone of times that state none. */
export const valueCheck = ({ type, required }: TargetColumn, zone: ZonedDays | undefined): ValueCheck => {
  const check = typeCheck(type, zone);
  const known = checks[typeName(type)];
  const isText = known === undefined || known === checkText || known === checkVarying;
  return (text) => {
    if (text === null) return required ? 'a value is required' : undefined;
    if (text === '' && !isText) return 'is empty text in quotes: a missing value has no quotes';
    const defect = check(text);
    if (defect === undefined) return undefined;
    if (!isText && text.trim() !== text && check(text.trim()) === undefined) return `${quoted(text)} has blanks around the value`;
    const remedy = defect === withoutZone ? zoneRemedy : '';
    return onEachSurface((surface) => `${quoted(text)} ${defect}${textFor(surface, remedy)}`);
  };
};
