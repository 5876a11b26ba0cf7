/**
 * Depreciation schedules. Each year takes its share of the remaining value over the remaining months. So the last line always ends at the
 * residual value, even after an unscheduled write-down.
 */
import { addMonths, type Cents, type Day, dayOf, decimal, monthInYear, monthOf, share, yearOf } from '../values.ts';

export interface Terms {
  readonly start: Day;
  readonly years: number;
  /** Cost less subsidy. */
  readonly opening: Cents;
  readonly residual: Cents;
  /** An unscheduled write-down, in per mille of the book value of that year. */
  readonly impairment: { readonly year: number; readonly perMille: number } | null;
}

export interface ScheduleLine {
  readonly year: number;
  readonly from: Day;
  readonly to: Day;
  readonly months: number;
  readonly opening: Cents;
  readonly scheduled: Cents;
  readonly unscheduled: Cents;
  readonly closing: Cents;
}

export const lastDayOf = ({ start, years }: Pick<Terms, 'start' | 'years'>): Day => addMonths(start, years * 12) - 1;

export const planSchedule = (terms: Terms): ScheduleLine[] => {
  const end = lastDayOf(terms);
  const lines: ScheduleLine[] = [];
  let book = terms.opening;
  let monthsLeft = terms.years * 12;
  for (let year = yearOf(terms.start); year <= yearOf(end); year++) {
    const from = Math.max(terms.start, dayOf(year, 1));
    const to = Math.min(end, dayOf(year, 12, 31));
    const months = monthInYear(monthOf(to)) - monthInYear(monthOf(from)) + 1;
    const scheduled = share(book - terms.residual, months, monthsLeft);
    const isImpaired = terms.impairment?.year === year && months < monthsLeft;
    const unscheduled = isImpaired ? share(book - scheduled - terms.residual, terms.impairment!.perMille, 1000) : 0;
    const closing = book - scheduled - unscheduled;
    lines.push({ year, from, to, months, opening: book, scheduled, unscheduled, closing });
    book = closing;
    monthsLeft -= months;
  }
  return lines;
};

/** Four digits, as `numeric(7,4)`. */
export const ratePercent = (years: number): string => decimal(Math.round(1_000_000 / years), 4);
