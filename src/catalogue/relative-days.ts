/** Addresses with days relative to a day: `{day}`, `{day+90}`, `{month-11}`, `{month_end}`, `{year}`, `{year_end-1}`, `{year_number}`. */

/** A day in ISO 8601. Months begin at 0, and a day beyond its month is one of another month. */
export const isoDay = (year: number, month: number, day: number): string => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** The names of days, each with the day that is so many days, months or years away. Years are those of the calendar. */
const names = {
  day: (year, month, day, away) => isoDay(year, month, day + away),
  month: (year, month, _day, away) => isoDay(year, month + away, 1),
  month_end: (year, month, _day, away) => isoDay(year, month + away + 1, 0),
  year: (year, _month, _day, away) => isoDay(year + away, 0, 1),
  year_end: (year, _month, _day, away) => isoDay(year + away, 11, 31),
  year_number: (year, _month, _day, away) => String(year + away),
} as const satisfies Readonly<Record<string, (year: number, month: number, day: number, away: number) => string>>;

/** The year, the month from 0, and the day of the month of `YYYY-MM-DD`. */
export const partsOfDay = (day: string): readonly [year: number, month: number, day: number] => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return [year, month - 1, date];
};

/** The text at a day, `YYYY-MM-DD`. Throws for a name that is not one of those above. */
export const atDay = (text: string, day: string): string =>
  text.replaceAll(/\{([a-z_]+)([+-]\d+)?\}/g, (_, name, away) => {
    if (!Object.hasOwn(names, name)) throw new Error(`{${name}} is no day`);
    return names[name as keyof typeof names](...partsOfDay(day), Number(away ?? 0));
  });

/** The same day some months before. The last day of a month stays the last one. */
export const monthsBefore = (day: string, months: number): string => {
  const [year, month, date] = partsOfDay(day);
  const last = (of: number) => Number(isoDay(year, of + 1, 0).slice(8));
  return isoDay(year, month - months, date === last(month) ? last(month - months) : Math.min(date, last(month - months)));
};

/** Whether a text is a day of the calendar between 1900 and 2199, `YYYY-MM-DD`. */
export const isReportDay = (text: string): boolean => /^(?:19|2[01])\d\d-\d\d-\d\d$/.test(text) && isoDay(...partsOfDay(text)) === text;
