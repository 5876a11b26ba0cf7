/** Writes projects once their orders are known, whose sums they carry. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { addMonths, type Day, date, dateOrNull, yearOf } from '../source/calendar.ts';
import { euro, euroOrNull, percent, share, vatOn } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import { vatRate } from './order.ts';
import type { Project } from './project.ts';

const isUndecided = ({ status }: Project): boolean => status === 'planned' || status === 'in_approval';

export const writeProjects = (customer: Customer, property: Property, projects: readonly Project[]): void => {
  const random = customer.random('project rows', property.index);
  for (const project of projects) {
    const approved = isUndecided(project) ? null : Math.min(project.begin - 30, customer.asOf - 5);
    customer.batches.put(
      'project_hdr',
      {
        project_hdr_id: project.id,
        property_id: property.id,
        creditor_id: project.tally.creditor,
        offer_hdr_id: project.tally.offer,
        to_hdr_id: project.equipment?.id ?? null,
        project_no: `P-${yearOf(project.begin)}-${String(project.id).padStart(5, '0')}`,
        project_type_key: project.program.type,
        status_key: project.status,
        parent_project_hdr_id: project.parent?.id ?? null,
        project_name: `${project.program.name} ${property.street}${project.parent ? ', Abschnitt 1' : ''}`,
        description: `${project.program.levels[1]} an ${property.street} ${property.buildings[0]!.houseNo}`,
        floor_area_id: project.unit?.id ?? null,
        cost_center_id: property.maintenanceCostCenter,
        cost_account_id: customer.chart.id('805200'),
        cost_group_key: project.program.costGroup,
        project_manager_id: customer.staff.pick('project_manager', random),
        approved_by_employee_id: approved === null ? null : customer.staff.head,
        ...progressColumns(customer.asOf, random, project, approved),
        ...budgetColumns(project),
        ...tallyColumns(project),
        ...hierarchyColumns(project),
      },
      (approved ?? Math.min(project.begin, customer.asOf)) - 60,
      Math.min(project.end, customer.asOf - random.int(1, 40)),
    );
  }
};

const progressColumns = (asOf: Day, random: Random, project: Project, approved: Day | null) => {
  const { status, begin, end } = project;
  const hasBegun = begin + 5 < asOf && !isUndecided(project);
  const finished = status === 'completed' ? end - random.int(0, 9) : null;
  return {
    percentage_completed: percent(percentageOf(asOf, project)),
    project_begin_date: date(begin),
    project_end_date: date(end),
    approval_date: dateOrNull(approved),
    actual_begin_date: hasBegun ? date(begin + 5) : null,
    actual_end_date: dateOrNull(finished),
    warranty_end_date: dateOrNull(finished === null ? null : addMonths(finished, 60)),
  } satisfies Columns<'project_hdr'>;
};

/** Under way, the share of the term that has passed; a cancelled project stopped at a quarter. */
const percentageOf = (asOf: Day, { status, begin, end }: Project): number => {
  if (status === 'completed') return 100;
  if (status === 'cancelled') return 25;
  if (status !== 'in_progress' && status !== 'on_hold') return 0;
  return Math.max(1, Math.min(95, Math.round(((asOf - begin) * 100) / (end - begin))));
};

const budgetColumns = ({ budgetNet, program }: Project) => {
  const vat = vatOn(budgetNet, vatRate);
  return {
    budget_net: euro(budgetNet),
    budget_vat: euro(vat),
    budget_gross: euro(budgetNet + vat),
    contingency_amount: euro(share(budgetNet, 10, 100)),
    funding_program: program.funding,
    funding_amount: euroOrNull(program.funding === null ? null : share(budgetNet, 15, 100)),
    capitalizable_percent: program.isCapex ? '80.00' : '0.00',
  } satisfies Columns<'project_hdr'>;
};

const tallyColumns = ({ tally, budgetNet }: Project) =>
  ({
    estimated_cost_net: euro(Math.max(tally.orderedNet, share(budgetNet, 96, 100))),
    order_count: tally.orders,
    ordered_net: euro(tally.orderedNet),
    ordered_gross: euro(tally.orderedGross),
    invoiced_net: euro(tally.invoicedNet),
    invoiced_gross: euro(tally.invoicedGross),
    paid_amount: euro(tally.paid),
    remaining_net: euro(tally.remainingNet),
  }) satisfies Columns<'project_hdr'>;

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;

const hierarchyColumns = ({ hierarchy }: Project): { [L in Level as `hierarchy_${L}`]?: string } =>
  Object.fromEntries(hierarchy.map((level, i) => [`hierarchy_${i + 1}`, level]));
