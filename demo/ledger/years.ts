/**
 * Postings of a fiscal year: the opening balance, a wrong transfer and its reversal, the accrual at its end. Also the business plan with
 * its forecasts: a line per month on income and expense accounts, and one per project.
 */
import type { Company } from '../company/company.ts';
import { heatingYear, planned } from '../data/accounts.ts';
import type { Project } from '../maintenance/projects.ts';
import type { Property, Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { type Cents, type Day, date, dayOf, equalParts, euro, firstOf, share, sum, yearOf } from '../values.ts';
import { transfer } from './journal.ts';

export const bookManualEntries = (customer: Company, property: Property): void => {
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

const bookOpening = ({ chart, journal }: Company, property: Property, day: Day, amount: Cents): void => {
  const lines = transfer(chart.id('274100'), chart.id('300100'), amount);
  journal.book(property, { type: 'opening_balance', date: day, lines, text: 'Saldovortrag' });
};

const bookCorrection = ({ chart, journal }: Company, property: Property, day: Day, amount: Cents): void => {
  const [debit, credit] = [chart.id('805100'), chart.id('803900')];
  const wrong = { lines: transfer(debit, credit, amount), text: 'Umbuchung Instandhaltung', isReversed: true };
  const id = journal.book(property, { type: 'transfer', date: day, ...wrong });
  const undone = { lines: transfer(credit, debit, amount), text: 'Storno Umbuchung', more: { reversed_booking_hdr_id: id } };
  journal.book(property, { type: 'reversal', date: day + 3, ...undone });
};

/** Insurance paid this year for the next. */
const bookAccrual = ({ chart, journal }: Company, property: Property, day: Day, amount: Cents): void => {
  const next = yearOf(day) + 1;
  const period = { service_period_from: date(dayOf(next, 1)), service_period_to: date(dayOf(next, 6, 30)) };
  const lines = transfer(chart.id('290100'), chart.id('803100'), amount, period, period);
  journal.book(property, { type: 'accrual', date: day, isClosing: true, lines, text: `Abgrenzung Versicherung ${next}` });
};

const versions = ['plan', 'forecast_1', 'forecast_2'] as const;

interface Budget {
  readonly account: string;
  readonly year: number;
  readonly version: (typeof versions)[number];
  readonly months: readonly Cents[];
  readonly project: Project | null;
}

export const writeBudgets = (customer: Company, property: Property, units: readonly Unit[], projects: readonly Project[]): void => {
  const { budgetYears, propertiesPerBudget } = customer.volume;
  if (property.index % propertiesPerBudget !== 0) return;
  const random = customer.random('budgets', property.index);
  const rents = sum(units.map(({ rent }) => rent)) * 12;
  const next = yearOf(customer.asOf) + 1;
  for (const account of planned) {
    const level = share(rents, random.int(4, 120), 1000);
    for (let year = next - budgetYears + 1; year <= next; year++) {
      // Next year's plan is a draft without forecasts.
      for (const version of year === next ? versions.slice(0, 1) : versions) {
        writeBudget(customer, property, { account, year, version, months: drawMonths(random, account, level), project: null });
      }
    }
  }
  for (const project of projects) {
    const year = Math.min(yearOf(project.begin), next);
    writeBudget(customer, property, { account: '805200', year, version: 'plan', months: equalParts(project.budgetNet, 12), project });
  }
};

const drawMonths = (random: Random, account: string, level: Cents): Cents[] => {
  const annual = share(level, random.int(92, 112), 100);
  if (!account.startsWith('801')) return equalParts(annual, 12);
  const months = heatingYear.map((part) => Math.floor((annual * part) / 1000));
  return months.map((amount, i) => (i === 0 ? amount + annual - sum(months) : amount));
};

const writeBudget = (customer: Company, property: Property, { account, year, version, months, project }: Budget): void => {
  const approved = dayOf(version === 'plan' ? year - 1 : year, version === 'plan' ? 11 : version === 'forecast_1' ? 4 : 9, 20);
  const isPending = year > yearOf(customer.asOf) || approved >= customer.asOf;
  const shared = {
    property_id: property.id,
    account_id: customer.chart.id(account),
    fiscal_year: year,
    budget_version_key: version,
    annual_amount: euro(sum(months)),
    cost_center_id: account.startsWith('805') ? property.maintenanceCostCenter : property.operatingCostCenter,
    project_hdr_id: project?.id ?? null,
    is_allocable: account.startsWith('80') && account < '804',
    planning_basis_key: project ? 'project' : account.startsWith('600') ? 'contract' : 'previous_year',
    comment: project ? `laut Projekt ${project.id}` : null,
    status_key: isPending ? 'draft' : year < yearOf(customer.asOf) ? 'locked' : 'approved',
    approved_by_employee_id: isPending ? null : customer.staff.head,
    approved_date: isPending ? null : date(approved),
  };
  months.forEach((amount, i) => {
    const row = { budget_pos_id: customer.ids.next('budget_pos'), fiscal_period: i + 1, amount: euro(amount) };
    customer.batches.put('budget_pos', { ...shared, ...row }, approved - 30, approved);
  });
};
