/**
 * Exact values. Dates are day numbers since 1970-01-01 and months `year * 12 + month - 1`. These integers compare and add without time
 * zones. Money is whole cents, other decimals are integers of their last digit. Text is created last, and once for each day, because
 * millions of rows share a few thousand days.
 *
 * Rounding is half up on non-negative amounts, like `round(numeric, 2)` in the integrity facts.
 */

export type Day = number;
export type Month = number;

/** The Gregorian calendar in closed form (Howard Hinnant's days_from_civil). */
export const dayOf = (year: number, month: number, date = 1): Day => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1;
  return era * 146097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719468;
};

const civilOf = (day: Day): readonly [year: number, month: number, date: number] => {
  const shifted = day + 719468;
  const era = Math.floor(shifted / 146097);
  const ofEra = shifted - era * 146097;
  const years = Math.floor((ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36524) - Math.floor(ofEra / 146096)) / 365);
  const ofYear = ofEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return [years + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1];
};

export const yearOf = (day: Day): number => civilOf(day)[0];
export const monthOf = (day: Day): Month => {
  const [year, month] = civilOf(day);
  return year * 12 + month - 1;
};
export const firstOf = (month: Month): Day => dayOf(Math.floor(month / 12), (month % 12) + 1);
export const lastOf = (month: Month): Day => firstOf(month + 1) - 1;
export const yearOfMonth = (month: Month): number => Math.floor(month / 12);
/** 1 for January to 12 for December. */
export const monthInYear = (month: Month): number => (month % 12) + 1;

/** Like PostgreSQL adds an interval of months: a missing day becomes the last day of the month. */
export const addMonths = (day: Day, months: number): Day => {
  const month = monthOf(day) + months;
  return Math.min(firstOf(month) + civilOf(day)[2] - 1, lastOf(month));
};

const texts = new Map<Day, string>();

/** `YYYY-MM-DD`. */
export const date = (day: Day): string => {
  let text = texts.get(day);
  if (text === undefined) {
    const [y, m, d] = civilOf(day);
    text = `${y}-${m < 10 ? '0' : ''}${m}-${d < 10 ? '0' : ''}${d}`;
    texts.set(day, text);
  }
  return text;
};

export const dateOrNull = (day: Day | null): string | null => (day === null ? null : date(day));

/** The day of a `YYYY-MM-DD` text. */
export const parseDay = (text: string): Day => {
  const [year, month, dateInMonth] = text.split('-').map(Number);
  const day = dayOf(year!, month!, dateInMonth!);
  if (Number.isNaN(day) || date(day) !== text) throw new RangeError(`not a date: ${text}`);
  return day;
};

export type Cents = number;

/** `decimal(1234, 2)` is '12.34'. */
export const decimal = (scaled: number, digits: number): string => {
  const text = String(Math.abs(scaled)).padStart(digits + 1, '0');
  return `${scaled < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** A fast path for two digits, because most values are money. */
export const euro = (cents: Cents): string => {
  if (cents < 0) return decimal(cents, 2);
  const rest = cents % 100;
  return `${(cents - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
};

export const euroOrNull = (cents: Cents | null): string | null => (cents === null ? null : euro(cents));

/** A whole percentage as `numeric(5,2)` text. */
export const percent = (whole: number): string => `${whole}.00`;

/** `amount * part / whole`, rounded half up. */
export const share = (amount: Cents, part: number, whole: number): Cents => Math.floor((2 * amount * part + whole) / (2 * whole));

export const vatOn = (net: Cents, rate: number): Cents => share(net, rate, 100);

/** Splits an amount into `count` parts that differ by at most a cent and add up to it. */
export const equalParts = (amount: Cents, count: number): Cents[] =>
  Array.from({ length: count }, (_, i) => Math.floor((amount * (i + 1)) / count) - Math.floor((amount * i) / count));

export const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0);

/** Percent. */
export const vatRate = 19;
