/** Days of the Gregorian calendar, as PostgreSQL has them in all years. */

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Whether the calendar has this day. Months and days are counted from 1. */
export const isDayOfCalendar = (year: number, month: number, day: number): boolean =>
  day >= 1 && (day <= (daysOfMonths[month - 1] ?? 0) || (month === 2 && day === 29 && isLeapYear(year)));
