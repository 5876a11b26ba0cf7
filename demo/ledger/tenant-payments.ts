/** Money to and from tenants; each booking moves the balance of the tenancy with it. */
import type { Customer } from '../customer.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Property } from '../portfolio/property.ts';
import { type Day, monthInYear, monthOf, yearOfMonth } from '../source/calendar.ts';
import type { Cents } from '../source/money.ts';
import { cleared } from './journal.ts';

export const bookPayment = (customer: Customer, property: Property, tenancy: Tenancy, amount: Cents, day: Day, clearing: string): void => {
  const bank = customer.chart.id('274100');
  customer.journal.book(property, {
    type: 'incoming_payment',
    date: day,
    lines: [
      { account: bank, side: 'debit', amount, more: { contra_account_id: tenancy.account } },
      { account: tenancy.account, side: 'credit', amount, more: { contra_account_id: bank, ...cleared(clearing, day) } },
    ],
    text: `Zahlungseingang ${monthInYear(monthOf(day))}/${yearOfMonth(monthOf(day))}`,
    more: { account_id: tenancy.account },
  });
  tenancy.balance -= amount;
};

export const bookRefund = (customer: Customer, property: Property, tenancy: Tenancy, amount: Cents, day: Day, clearing: string): void => {
  const bank = customer.chart.id('274100');
  customer.journal.book(property, {
    type: 'outgoing_payment',
    date: day,
    lines: [
      { account: tenancy.account, side: 'debit', amount, more: { contra_account_id: bank, ...cleared(clearing, day) } },
      { account: bank, side: 'credit', amount, more: { contra_account_id: tenancy.account } },
    ],
    text: 'Guthaben aus Betriebskostenabrechnung',
    more: { account_id: tenancy.account },
  });
  tenancy.balance += amount;
};
