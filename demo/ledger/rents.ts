/**
 * The monthly debit run and what tenants pay: one debit posting a tenancy and month, mostly cleared within the week.
 *
 * Every booking on a tenant account also moves the balance of its tenancy, so balance and positions cannot part.
 */
import type { Customer } from '../customer.ts';
import type { Condition, DebitLine, Tenancy } from '../lettings/tenancy.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import { type Day, date, firstOf, lastOf, type Month, monthInYear, yearOfMonth } from '../source/calendar.ts';
import type { Cents } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import { cleared, type Line } from './journal.ts';
import { bookSettlement } from './settlements.ts';
import { bookPayment } from './tenant-payments.ts';

/** A tenancy with the day from which it has stopped paying, if it has. */
interface Payer {
  readonly tenancy: Tenancy;
  readonly stopsPaying: Day;
}

const settlementMonth = 6;

export const bookRents = (customer: Customer, property: Property, tenancies: readonly Tenancy[]): void => {
  const site = siteOf(customer, property, 'rents');
  const { random } = site;
  const payers = tenancies.map((tenancy) => ({ tenancy, stopsPaying: drawStop(random, tenancy, customer.asOf) }));
  for (let month = customer.bookingsFrom; firstOf(month) <= customer.asOf; month++) {
    for (const payer of payers) billMonth(site, payer, month);
    if (monthInYear(month) !== settlementMonth) continue;
    for (const { tenancy } of payers) bookSettlement(site, tenancy, month);
  }
};

/** Four in a hundred fall behind, always towards the end of what is told. */
const drawStop = (random: Random, tenancy: Tenancy, asOf: Day): Day => {
  const inArrears = random.chance(tenancy.status === 'former' ? 0.02 : 0.045);
  return inArrears ? Math.min(tenancy.end ?? asOf, asOf) - random.int(10, 95) : Number.POSITIVE_INFINITY;
};

const inForce = (line: DebitLine, day: Day): Condition | undefined =>
  line.conditions.find((condition) => condition.from <= day && (condition.to === null || condition.to >= day));

const billMonth = ({ customer, property, random }: Site, payer: Payer, month: Month): void => {
  const { tenancy } = payer;
  const day = firstOf(month);
  if (tenancy.start > day || (tenancy.end !== null && tenancy.end < day)) return;
  const due = tenancy.debits.flatMap((line) => {
    const condition = inForce(line, day);
    return condition ? [{ line, condition }] : [];
  });
  const gross = due.reduce((total, { condition }) => total + condition.net + condition.vat, 0);
  const expected = day + (random.chance(0.015) ? random.int(15, 40) : random.int(2, 5));
  const paidOn = day >= payer.stopsPaying || expected > customer.asOf ? null : expected;
  const clearing = `AZ-${tenancy.account}-${yearOfMonth(month)}${String(monthInYear(month)).padStart(2, '0')}`;
  const text = `Sollstellung ${String(monthInYear(month)).padStart(2, '0')}/${yearOfMonth(month)}`;
  const claim = claimLine(customer, tenancy, due[0]!.line, gross, cleared(clearing, paidOn));
  const lines = [claim, ...due.flatMap(({ line, condition }) => creditLines(customer, tenancy, line, condition, month))];
  customer.journal.book(property, {
    type: 'debit_posting',
    date: day,
    lines,
    text,
    more: { account_id: tenancy.account, due_date: date(day + 2) },
  });
  tenancy.balance += gross;
  if (paidOn !== null) bookPayment(customer, property, tenancy, gross, paidOn, clearing);
};

const claimLine = ({ chart }: Customer, tenancy: Tenancy, first: DebitLine, gross: Cents, clearing: NonNullable<Line['more']>): Line => ({
  account: tenancy.account,
  side: 'debit',
  amount: gross,
  more: { floor_area_id: tenancy.unit.id, contra_account_id: chart.id(first.revenueAccount), ...clearing },
});

/** The net amount with the debit it comes from, and its VAT on a line of its own. */
const creditLines = ({ chart }: Customer, tenancy: Tenancy, line: DebitLine, condition: Condition, month: Month): Line[] => {
  const net: Line = {
    account: chart.id(line.revenueAccount),
    side: 'credit',
    amount: condition.net,
    more: {
      floor_area_id: line.unit.id,
      contra_account_id: tenancy.account,
      condition_id: condition.id,
      service_period_from: date(firstOf(month)),
      service_period_to: date(lastOf(month)),
    },
  };
  if (line.vatRate === 0) return [net];
  const vat = { code: 'U19', rate: line.vatRate, base: condition.net } as const;
  return [net, { account: chart.id('455100'), side: 'credit', amount: condition.vat, vat, more: { contra_account_id: tenancy.account } }];
};
