/** What the accountant enters by hand: the opening balance, a wrong transfer and its reversal, the accrual at the end of a year. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Day, date, dayOf, firstOf, yearOf } from '../source/calendar.ts';
import type { Cents } from '../source/money.ts';
import type { Line } from './journal.ts';

export const bookManualEntries = (customer: Customer, property: Property): void => {
  const from = firstOf(customer.bookingsFrom);
  if (from > customer.asOf) return;
  const random = customer.random('manual', property.index);
  bookOpening(customer, property, from, random.int(20_000, 300_000) * 100);
  for (let year = yearOf(from); year <= yearOf(customer.asOf); year++) {
    const wrong = dayOf(year, random.int(1, 12), random.int(1, 25));
    if (wrong >= from && wrong + 3 <= customer.asOf) bookCorrection(customer, property, wrong, random.int(5_000, 90_000));
    const close = dayOf(year, 12, 31);
    if (close <= customer.asOf) bookAccrual(customer, property, close, random.int(80_000, 600_000));
  }
};

const pair = ({ chart }: Customer, debit: string, credit: string, amount: Cents): Line[] => [
  { account: chart.id(debit), side: 'debit', amount, more: { contra_account_id: chart.id(credit) } },
  { account: chart.id(credit), side: 'credit', amount, more: { contra_account_id: chart.id(debit) } },
];

const bookOpening = (customer: Customer, property: Property, day: Day, amount: Cents): void => {
  const lines = pair(customer, '274100', '300100', amount);
  customer.journal.book(property, { type: 'opening_balance', date: day, lines, text: 'Saldovortrag' });
};

const bookCorrection = (customer: Customer, property: Property, day: Day, amount: Cents): void => {
  const wrong = pair(customer, '805100', '803900', amount);
  const undone = pair(customer, '803900', '805100', amount);
  const id = customer.journal.book(property, {
    type: 'transfer',
    date: day,
    lines: wrong,
    text: 'Umbuchung Instandhaltung',
    isReversed: true,
  });
  const more = { reversed_booking_hdr_id: id };
  customer.journal.book(property, { type: 'reversal', date: day + 3, lines: undone, text: 'Storno Umbuchung', more });
};

/** Insurance paid this year for the next. */
const bookAccrual = (customer: Customer, property: Property, day: Day, amount: Cents): void => {
  const next = yearOf(day) + 1;
  const period = { service_period_from: date(dayOf(next, 1)), service_period_to: date(dayOf(next, 6, 30)) };
  const lines = pair(customer, '290100', '803100', amount).map((line) => ({ ...line, more: { ...line.more, ...period } }));
  customer.journal.book(property, { type: 'accrual', date: day, isClosing: true, lines, text: `Abgrenzung Versicherung ${next}` });
};
