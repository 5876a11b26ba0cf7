/**
 * The monthly debit run, payments of tenants, and the yearly settlement of operating costs, which charges or refunds the difference to the
 * advances.
 *
 * Every posting on a tenant account also changes the balance of its tenancy, so balance and positions agree.
 */
import type { Company } from '../company/company.ts';
import type { Condition, DebitLine, Tenancy } from '../lettings/tenancy.ts';
import { type Property, type Site, siteOf } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { type Cents, type Day, date, dayOf, firstOf, lastOf, type Month, monthInYear, monthOf, share, yearOfMonth } from '../values.ts';
import { cleared, type Line, transfer } from './journal.ts';

/** A tenancy, and the day from which it has not paid, if any. */
interface Payer {
  readonly tenancy: Tenancy;
  readonly stopsPaying: Day;
}

const settlementMonth = 6;

export const bookRents = (customer: Company, property: Property, tenancies: readonly Tenancy[]): void => {
  const site = siteOf(customer, property, 'rents');
  const { random } = site;
  const payers = tenancies.map((tenancy) => ({ tenancy, stopsPaying: drawStop(random, tenancy, customer.asOf) }));
  for (let month = customer.bookingsFrom; firstOf(month) <= customer.asOf; month++) {
    for (const payer of payers) billMonth(site, payer, month);
    if (monthInYear(month) !== settlementMonth) continue;
    for (const { tenancy } of payers) bookSettlement(site, tenancy, month);
  }
};

/** Four percent fall behind, always towards the end of the history. */
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
  const [year, number] = [yearOfMonth(month), String(monthInYear(month)).padStart(2, '0')];
  const clearing = `AZ-${tenancy.account}-${year}${number}`;
  const first = customer.chart.id(due[0]!.line.revenueAccount);
  const more = { floor_area_id: tenancy.unit.id, contra_account_id: first, ...cleared(clearing, paidOn) };
  const credits = due.flatMap(({ line, condition }) => creditLines(customer, tenancy, line, condition, month));
  customer.journal.book(property, {
    type: 'debit_posting',
    date: day,
    lines: [{ account: tenancy.account, side: 'debit', amount: gross, more }, ...credits],
    text: `Sollstellung ${number}/${year}`,
    more: { account_id: tenancy.account, due_date: date(day + 2) },
  });
  tenancy.balance += gross;
  if (paidOn !== null) bookPayment(customer, property, tenancy, gross, paidOn, clearing);
};

/** The net amount with its debit, and VAT on a separate line. */
const creditLines = ({ chart }: Company, tenancy: Tenancy, line: DebitLine, condition: Condition, month: Month): Line[] => {
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

const daysToPay = 30;

/** Settles the year before `month`, if the tenancy paid advances in it. */
const bookSettlement = ({ customer, property, random }: Site, tenancy: Tenancy, month: Month): void => {
  const { account, start, end } = tenancy;
  const advance = tenancy.debits.find((line) => line.isAdvance);
  const year = yearOfMonth(month) - 1;
  const wasThere = start < dayOf(year + 1, 1) && (end === null || end >= dayOf(year, 1));
  const day = firstOf(month) + 14;
  if (!advance || !wasThere || day > customer.asOf) return;
  // The amount that the tenant owes. A refund is negative.
  const difference = share(advance.conditions[0]!.net, random.int(-90, 150), 100);
  if (difference === 0) return;
  const due = day + daysToPay;
  const paidOn = due <= customer.asOf ? due : null;
  const clearing = `AZ-${account}-BKA${year}`;
  const revenue = customer.chart.id('601100');
  const claim = { floor_area_id: tenancy.unit.id, ...cleared(clearing, paidOn) };
  const period = { service_period_from: date(dayOf(year, 1)), service_period_to: date(dayOf(year, 12, 31)) };
  customer.journal.book(property, {
    type: 'settlement',
    date: day,
    lines:
      difference > 0
        ? transfer(account, revenue, difference, claim, period)
        : transfer(revenue, account, -difference, period, claim).reverse(),
    text: `Betriebskostenabrechnung ${year}`,
    more: { account_id: account, due_date: date(due) },
  });
  tenancy.balance += difference;
  if (paidOn !== null) bookPayment(customer, property, tenancy, difference, paidOn, clearing);
};

/** A payment from a tenant, or to a tenant if the amount is negative. */
const bookPayment = (customer: Company, property: Property, tenancy: Tenancy, amount: Cents, day: Day, clearing: string): void => {
  const { account } = tenancy;
  const bank = customer.chart.id('274100');
  const own = cleared(clearing, day);
  const month = monthOf(day);
  const document =
    amount > 0
      ? ({
          type: 'incoming_payment',
          lines: transfer(bank, account, amount, {}, own),
          text: `Zahlungseingang ${monthInYear(month)}/${yearOfMonth(month)}`,
        } as const)
      : ({
          type: 'outgoing_payment',
          lines: transfer(account, bank, -amount, own),
          text: 'Guthaben aus Betriebskostenabrechnung',
        } as const);
  customer.journal.book(property, { ...document, date: day, more: { account_id: account } });
  tenancy.balance -= amount;
};
