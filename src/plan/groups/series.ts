/**
 * Series of days: a row belongs to the group of each day on which it is valid (contract: state over time). The catalogue declares the first
 * and the last day of a row's validity.
 */
import { isCalendarDay } from '../../catalogue/instant.ts';
import type { Table } from '../../catalogue/table.ts';
import { periods, type SeriesPeriod, seriesPeriods } from '../vocabulary/keys.ts';

/** A series as a caller writes it. */
export interface RequestedSeries {
  readonly every: string;
  readonly from: string;
  readonly to: string;
}

export interface DaySeries {
  readonly every: SeriesPeriod;
  readonly days: readonly string[];
  /** The columns with the first and the last day of a row's validity. Null is no limit. */
  readonly validity: NonNullable<Table['validity']>;
}

/** What an error says if a series is missing. */
export const seriesHint = 'a series of days, such as as_of:month(2025-01-01,2025-12-31)';

/** The maximum number of days of a series, because each row is counted for each of its days. */
const maxDays = 240;

/** The last days of the periods from the one that contains `from` to the one that contains `to`. */
const lastDays = (every: DaySeries['every'], from: string, to: string): readonly string[] => {
  const step = periods[every].months;
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const periodOf = (day: string) => Math.floor(monthOf(day) / step);
  const days: string[] = [];
  for (let period = periodOf(from); period <= periodOf(to) && days.length <= maxDays; period++) {
    const next = (period + 1) * step;
    const last = new Date(0);
    last.setUTCFullYear(Math.floor(next / 12), next % 12, 0);
    days.push(last.toISOString().slice(0, 10));
  }
  return days;
};

/** The series for rows of a table, or the reason why it is not valid. */
export const resolveSeries = ({ every, from, to }: RequestedSeries, { name, validity }: Table): DaySeries | string => {
  if (!validity) return `rows of ${name} have no validity, so they have no state at a day`;
  const period = seriesPeriods.find((each) => each === every);
  if (!period) return `a series has a day every ${seriesPeriods.join(', ')}`;
  if (!isCalendarDay(from) || !isCalendarDay(to)) return 'a series has a first and a last day, such as 2025-01-01 and 2025-12-31';
  const days = lastDays(period, from, to);
  if (days.length === 0) return 'the first day of a series is not after its last day';
  return days.length > maxDays ? `a series has at most ${maxDays} days` : { every: period, days, validity };
};
