/**
 * Dates as day numbers since 1970-01-01 and months as `year * 12 + month - 1`: whole numbers compare, add and never know a
 * time zone. Text is made once per day and kept, since millions of rows share a few thousand days.
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

/** As PostgreSQL adds an interval of months: the last day of a shorter month stands in for a missing one. */
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
