/** The business plan of a property and its forecasts: month by month on income and expense accounts, and one line per project. */
import type { Customer } from './customer.ts';
import type { Project } from './maintenance/project.ts';
import type { Property } from './portfolio/property.ts';
import type { Unit } from './portfolio/units.ts';
import { date, dayOf, yearOf } from './source/calendar.ts';
import { type Cents, equalParts, euro, share, sum } from './source/money.ts';
import type { Random } from './source/random.ts';

const planned: readonly string[] = [
  '600100',
  '600200',
  '600300',
  '601100',
  '601200',
  '602200',
  '800100',
  '800200',
  '800300',
  '801100',
  '801200',
  '802100',
  '802200',
  '802300',
  '802400',
  '802500',
  '803100',
  '803200',
  '803300',
  '804100',
  '805100',
  '805200',
  '806100',
];
const versions = ['plan', 'forecast_1', 'forecast_2'] as const;

/** Parts of a thousand by month for what is burnt in winter. */
const heatingYear = [165, 145, 125, 85, 40, 15, 12, 12, 30, 85, 125, 161];

interface Budget {
  readonly account: string;
  readonly year: number;
  readonly version: (typeof versions)[number];
  readonly months: readonly Cents[];
  readonly project: Project | null;
}

export const writeBudgets = (customer: Customer, property: Property, units: readonly Unit[], projects: readonly Project[]): void => {
  const { budgetYears } = customer.volume;
  if (budgetYears === 0) return;
  const random = customer.random('budgets', property.index);
  const rents = sum(units.map(({ rent }) => rent)) * 12;
  const next = yearOf(customer.asOf) + 1;
  for (const account of planned) {
    const level = share(rents, random.int(4, 120), 1000);
    for (let year = next - budgetYears + 1; year <= next; year++) {
      // Next year's plan is a draft that no forecast has touched yet.
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

const writeBudget = (customer: Customer, property: Property, { account, year, version, months, project }: Budget): void => {
  const isDraft = year > yearOf(customer.asOf);
  const annual = euro(sum(months));
  const approved = dayOf(version === 'plan' ? year - 1 : year, version === 'plan' ? 11 : version === 'forecast_1' ? 4 : 9, 20);
  const isPending = isDraft || approved >= customer.asOf;
  const shared = {
    property_id: property.id,
    account_id: customer.chart.id(account),
    fiscal_year: year,
    budget_version_key: version,
    annual_amount: annual,
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
