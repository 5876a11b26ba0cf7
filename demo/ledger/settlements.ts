/** The yearly settlement of operating costs: tenants pay what the advances did not cover, or get back what they overpaid. */
import type { Customer } from '../customer.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Property } from '../portfolio/property.ts';
import type { Site } from '../portfolio/site.ts';
import { type Day, date, dayOf, firstOf, type Month, yearOfMonth } from '../source/calendar.ts';
import { type Cents, share } from '../source/money.ts';
import { cleared } from './journal.ts';
import { bookPayment, bookRefund } from './tenant-payments.ts';

const daysToPay = 30;

/** Settles the year before `month`, if the tenancy paid advances in it. */
export const bookSettlement = ({ customer, property, random }: Site, tenancy: Tenancy, month: Month): void => {
  const advance = tenancy.debits.find((line) => line.isAdvance);
  const year = yearOfMonth(month) - 1;
  const wasThere = tenancy.start < dayOf(year + 1, 1) && (tenancy.end === null || tenancy.end >= dayOf(year, 1));
  const day = firstOf(month) + 14;
  if (!advance || !wasThere || day > customer.asOf) return;
  const difference = share(advance.conditions[0]!.net, random.int(-90, 150), 100);
  if (difference === 0) return;
  const paidOn = day + daysToPay <= customer.asOf ? day + daysToPay : null;
  const clearing = `AZ-${tenancy.account}-BKA${year}`;
  bookResult(customer, property, tenancy, { year, day, difference, paidOn, clearing });
  if (paidOn === null) return;
  if (difference > 0) bookPayment(customer, property, tenancy, difference, paidOn, clearing);
  else bookRefund(customer, property, tenancy, -difference, paidOn, clearing);
};

interface Result {
  readonly year: number;
  readonly day: Day;
  /** Positive when the tenant has to pay. */
  readonly difference: Cents;
  readonly paidOn: Day | null;
  readonly clearing: string;
}

const bookResult = (
  customer: Customer,
  property: Property,
  tenancy: Tenancy,
  { year, day, difference, paidOn, clearing }: Result,
): void => {
  const amount = Math.abs(difference);
  const revenue = customer.chart.id('601100');
  const period = { service_period_from: date(dayOf(year, 1)), service_period_to: date(dayOf(year, 12, 31)) };
  const tenantSide = difference > 0 ? 'debit' : 'credit';
  customer.journal.book(property, {
    type: 'settlement',
    date: day,
    lines: [
      {
        account: tenancy.account,
        side: tenantSide,
        amount,
        more: { contra_account_id: revenue, floor_area_id: tenancy.unit.id, ...cleared(clearing, paidOn) },
      },
      { account: revenue, side: difference > 0 ? 'credit' : 'debit', amount, more: { contra_account_id: tenancy.account, ...period } },
    ],
    text: `Betriebskostenabrechnung ${year}`,
    more: { account_id: tenancy.account, due_date: date(day + daysToPay) },
  });
  tenancy.balance += difference;
};
