/**
 * Checks delivered values like PostgreSQL does, so that one message can name all errors.
 *
 * Only refused files are checked. An error that these checks do not find is reported with PostgreSQL's message.
 */
import type { TypeName } from '../../catalogue/kinds.ts';
import type { TargetColumn } from './target.ts';

type Check = (text: string, argument: string) => string | undefined;

const integerBetween =
  (bits: bigint): Check =>
  (text) => {
    if (!/^\s*[+-]?\d+\s*$/.test(text)) return 'is no integer';
    const value = BigInt(text.trim().replace(/^\+/, ''));
    const max = 2n ** (bits - 1n);
    return value < -max || value >= max ? `is beyond ${bits} bits` : undefined;
  };

const decimal = /^\s*[+-]?(?:(\d+)\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Values of numbers, dates and times that are not finite (contract: values in loads). */
const notFinite = 'is not finite';

const checkFloat: Check = (text) => {
  if (/^\s*(?:nan|[+-]?inf(?:inity)?)\s*$/i.test(text)) return notFinite;
  return decimal.test(text) ? undefined : 'is no number';
};

const checkNumeric: Check = (text, digits) => {
  const defect = checkFloat(text, digits);
  if (defect !== undefined) return defect;
  const [precision = 1000, scale = 0] = digits.split(',').map(Number);
  const max = precision - scale;
  return Math.abs(Number(text)) >= 10 ** max ? `has more than ${max} digits before the point` : undefined;
};

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/** Years that PostgreSQL accepts and that need more than four digits. */
const yearDefect = (text: string): string | undefined => {
  if (/\bBC\s*$/i.test(text)) return 'lies before the year 1';
  return /^\s*\d{5,}-/.test(text) ? 'lies after the year 9999' : undefined;
};

const isInfinite = (text: string): boolean => /^\s*[+-]?infinity\s*$/i.test(text);

const checkDate: Check = (text) => (isInfinite(text) ? notFinite : (yearDefect(text) ?? dayDefect(text)));

const dayDefect = (text: string): string | undefined =>
  /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) && isDay(text.trim()) ? undefined : 'is no date such as 2024-12-31';

const moment = /^\s*(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-4]):[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?\s*(?:Z|([+-]\d{2})(?::?(\d{2}))?)?)?\s*$/i;

const checkTimestamp: Check = (text) => {
  if (isInfinite(text)) return notFinite;
  const defect = yearDefect(text);
  if (defect !== undefined) return defect;
  const day = moment.exec(text)?.[1];
  return day !== undefined && isDay(day) ? undefined : 'is no time such as 2024-12-31T23:59:59Z';
};

/** The year in UTC can differ from the one in the text. */
const checkZonedTimestamp: Check = (text) => {
  const defect = checkTimestamp(text, '');
  if (defect !== undefined) return defect;
  const [, day, time = '00:00', hours = '+00', minutes = '00'] = moment.exec(text) ?? [];
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const ahead = Number(hours) * 60 + Number(`${hours[0]}${minutes}`);
  const year = new Date(Date.parse(`${day}T00:00Z`) + (hour * 60 + minute - ahead) * 60_000).getUTCFullYear();
  if (year < 1) return 'lies before the year 1 in UTC';
  return year > 9999 ? 'lies after the year 9999 in UTC' : undefined;
};

const checkBoolean: Check = (text) =>
  /^\s*(t|true|f|false|y|yes|n|no|on|off|1|0)\s*$/i.test(text) ? undefined : 'is neither true nor false';

/** U+FFFD replaces bytes that are not UTF-8. */
const checkText: Check = (text) => {
  if (text.includes('\0')) return 'holds a NUL';
  return text.includes('\uFFFD') ? 'is not UTF-8' : undefined;
};

/** Checks by the name of an SQL type. Each kind of the catalogue must have one, or the code does not compile. */
const checks: Readonly<Record<string, Check>> = {
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
} satisfies Record<TypeName, Check> & Record<string, Check>;

const longestShown = 40;
const show = (text: string) => JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);

/** The error of a value, or undefined. */
export const checkValue = (text: string | null, { type, required }: TargetColumn): string | undefined => {
  if (text === null) return required ? 'a value is required' : undefined;
  const [, argument = ''] = /\((.*)\)/.exec(type) ?? [];
  const defect = checks[type.replace(/\(.*\)/, '')]?.(text, argument);
  return defect === undefined ? undefined : `${show(text)} ${defect}`;
};
