/**
 * The strict forms of values (contract: values in loads).
 *
 * PostgreSQL accepts more: `31.12.24` and `now` are dates to it, and `1.234` fits a column of two decimals. So each value is checked before
 * it is sent. `accept-bytes.ts` accepts ordinary values faster; this file decides about all others.
 */
import type { TypeName } from '../../catalogue/kinds.ts';
import { shown } from '../files/defects.ts';
import { isWellFormed } from '../files/json-line.ts';
import type { TargetColumn } from '../target.ts';
import { isDay } from './days.ts';
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
    const value = BigInt(text.replace(/^\+/, ''));
    const max = 2n ** (bits - 1n);
    return value < -max || value >= max ? `is beyond ${bits} bits` : undefined;
  };

const decimal = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Numbers with a decimal comma or with group signs. */
const foreignNumber = /^[+-]?\d{1,3}(?:[.,' \u00a0\u202f]\d{3})*(?:[.,]\d+)?-?$/;

/** Values of numbers, dates and times that are not finite (contract: values in loads). */
const notFinite = 'is not finite';

const isNumber = (text: string): boolean => decimal.test(text) && /^[+-]?\.?\d/.test(text);

const checkFloat: Check = (text) => {
  if (/^\s*(?:nan|[+-]?inf(?:inity)?)\s*$/i.test(text)) return notFinite;
  if (isNumber(text)) return undefined;
  return foreignNumber.test(text) ? 'is no number such as 1234.56: a source can declare the decimal and group signs' : 'is no number';
};

/** The number of digits before the point, without leading zeros, and of decimals. */
const extentOf = (text: string): { readonly before: number; readonly after: number } => {
  const [, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const shift = Number(exponent);
  const digits = `${whole}${fraction}`;
  const first = digits.search(/[1-9]/);
  return {
    before: first < 0 ? 0 : Math.max(0, whole.length + shift - first),
    after: Math.max(0, fraction.length - shift),
  };
};

const checkNumeric: Check = (text, context) => {
  const defect = checkFloat(text, context);
  if (defect !== undefined || context.digits.length === 0) return defect;
  const [precision = 0, scale = 0] = context.digits;
  const { before, after } = extentOf(text);
  if (after > scale) return `has ${after} decimals, and the column has ${scale}`;
  return before > precision - scale ? `has more than ${precision - scale} digits before the point` : undefined;
};

/** `text` has the form of a day. */
const isDayText = (text: string): boolean => isDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));

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

const moment =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d|24:00)(?::([0-5]\d)(?:\.(\d+))?)?)?\s?(Z|([+-]\d{2})(?::?([0-5]\d))?)?$/i;

const timeWords = 'is no time such as 2024-12-31T23:59:59Z';

interface Moment {
  readonly day: string;
  readonly time: string | undefined;
  readonly zone: string | undefined;
  /** Minutes ahead of UTC. */
  readonly ahead: number;
}

/** The parts of a time, or its error. */
const readMoment = (text: string, decimals: number): Moment | string => {
  if (isInfinite(text)) return notFinite;
  const defect = yearDefect(text);
  if (defect !== undefined) return defect;
  const [, day, time, seconds = '00', fraction = '', zone, hours = '+00', minutes = '00'] = moment.exec(text) ?? [];
  if (day === undefined || !isDayText(day)) return `${timeWords}${ofSource(text)}`;
  if (time === undefined && zone !== undefined) return timeWords;
  if (time === '24:00' && Number(`${seconds}${fraction}`) > 0) return timeWords;
  if (Math.abs(Number(hours)) > 15) return `${timeWords}: the zone is more than 15 hours from UTC`;
  if (fraction.length > decimals) return `has ${fraction.length} decimals of a second, and the column has ${decimals}`;
  return { day, time, zone, ahead: Number(hours) * 60 + Number(`${hours[0]}${minutes}`) };
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
    if (!zone) return 'has no time zone: add Z or an offset, or state the zone with --time-zone';
    return zone.check(day, text);
  }
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const year = new Date(Date.parse(`${day}T00:00Z`) + (hour * 60 + minute - ahead) * 60_000).getUTCFullYear();
  if (year < 1) return 'lies before the year 1 in UTC';
  return year > 9999 ? 'lies after the year 9999 in UTC' : undefined;
};

const checkBoolean: Check = (text) => (/^(?:t|true|f|false|y|yes|n|no|on|off|1|0)$/i.test(text) ? undefined : 'is neither true nor false');

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

/** A check for all values of a column. It returns the error of a value, or undefined. */
export type ValueCheck = (text: string | null) => string | undefined;

/** `zone` is the zone of times that state none. */
export const valueCheck = ({ type, required }: TargetColumn, zone: ZonedDays | undefined): ValueCheck => {
  const context = { digits: digitsOf(type), zone };
  // Types that only tables of one customer have are left to PostgreSQL.
  const name = typeName(type);
  const check = checks[name] ?? checkText;
  const isText = check === checkText || check === checkVarying;
  return (text) => {
    if (text === null) return required ? 'a value is required' : undefined;
    if (text === '' && !isText) return 'is empty text in quotes: a missing value has no quotes';
    const defect = check(text, context) ?? undefined;
    if (defect === undefined) return undefined;
    return `${shown(text)} ${!isText && text.trim() !== text && check(text.trim(), context) === undefined ? 'has blanks around the value' : defect}`;
  };
};
