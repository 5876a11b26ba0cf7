/** Points in time in the formats of clients (contract: since). */

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

const minuteMs = 60_000;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is an existing calendar day, `YYYY-MM-DD`. */
export const isCalendarDay = (text: string): boolean => dayPattern.test(text) && parseInstant(text) !== undefined;

/**
 * Parses a date, or a date and time with `T` or a space between them: in UTC without a zone, otherwise with `Z` or an offset. Undefined for
 * anything else, including days that do not exist. Fractions are truncated to milliseconds.
 */
export const parseInstant = (text: string): Date | undefined => {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', , sign, offsetHours = '0', offsetMinutes = '0'] =
    match;
  const [h, m, s, oh, om] = [hour, minute, second, offsetHours, offsetMinutes].map(Number) as [number, number, number, number, number];
  if (h > 23 || m > 59 || s > 59 || oh > 23 || om > 59 || year === '0000') return undefined;
  const local = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date converts 30 February to 1 March.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(8, 10) !== day) return undefined;
  return new Date(local.getTime() - (sign === '-' ? -1 : 1) * (oh * 60 + om) * minuteMs);
};

/**
 * A point in time as `parseInstant` reads it, in UTC and with up to six decimals of a second: `2024-12-31T23:59:59.5Z`. Undefined for anything
 * else.
 */
export const parseTimestamp = (text: string): string | undefined => {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const instant = fraction.length <= 6 ? parseInstant(text) : undefined;
  return instant && `${instant.toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`;
};

/** The present day in UTC, `YYYY-MM-DD`. */
export const utcToday = (): string => new Date().toISOString().slice(0, 10);
