/** Who follows whom in a unit: tenancy periods drawn month by month, with the gaps that make about four percent vacancy. */
import type { Customer } from '../customer.ts';
import { type Day, firstOf, lastOf, type Month, monthOf } from '../source/calendar.ts';
import type { Random } from '../source/random.ts';

export interface Period {
  readonly start: Day;
  readonly end: Day | null;
}

const monthlyTurnover = 0.1 / 12;
/** Notices are known and successors signed up to three months ahead. */
const monthsAhead = 3;
const shortestMonths = 11;
const neverLet = 0.018;

export const drawPeriods = (customer: Customer, random: Random, since: Day): Period[] => {
  if (random.chance(neverLet)) return [];
  const horizon = monthOf(customer.asOf) + monthsAhead;
  const from = monthOf(customer.lettingsFrom);
  const periods: Period[] = [];
  let start = firstTenancy(random, monthOf(since), from);
  while (start <= horizon) {
    const end = drawEnd(random, Math.max(start + shortestMonths, from));
    const isOpen = end > horizon || firstOf(start) > customer.asOf;
    periods.push({ start: firstOf(start), end: isOpen ? null : lastOf(end) });
    if (isOpen) break;
    start = end + 1 + drawGap(random);
  }
  return periods;
};

/** Later starts are likelier than earlier ones, since people move on. */
const firstTenancy = (random: Random, since: Month, from: Month): Month =>
  since + Math.floor(Math.max(random.next(), random.next()) * (from - since));

/** Geometric: every month carries the same risk of being the last. */
const drawEnd = (random: Random, earliest: Month): Month =>
  earliest + Math.floor(Math.log(1 - random.next()) / Math.log(1 - monthlyTurnover));

const drawGap = (random: Random): number => {
  const kind = random.next();
  if (kind < 0.5) return 0;
  return kind < 0.7 ? random.int(1, 2) : random.int(3, 20);
};
