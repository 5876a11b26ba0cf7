/** Projects with their plan and progress. Their rows contain the sums of their orders, so they are written after these. */
import type { Company } from '../company/company.ts';
import { type Program, programs } from '../data/works.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import { type Property, type Site, siteOf, type Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import {
  addMonths,
  type Cents,
  type Day,
  date,
  dateOrNull,
  euro,
  firstOf,
  monthOf,
  percent,
  share,
  vatOn,
  vatRate,
  yearOf,
} from '../values.ts';

type ProjectStatus = 'planned' | 'in_approval' | 'approved' | 'in_progress' | 'on_hold' | 'completed' | 'cancelled';

/** Sums over the orders of a project, without rejected and cancelled ones. */
export interface OrderSums {
  orders: number;
  orderedNet: Cents;
  orderedGross: Cents;
  invoicedNet: Cents;
  invoicedGross: Cents;
  paid: Cents;
  remainingNet: Cents;
  /** The accepted offer and the creditor, from the first orders. */
  offer: number | null;
  creditor: number | null;
}

const noOrders: Readonly<OrderSums> = {
  orders: 0,
  orderedNet: 0,
  orderedGross: 0,
  invoicedNet: 0,
  invoicedGross: 0,
  paid: 0,
  remainingNet: 0,
  offer: null,
  creditor: null,
};

export interface Project {
  readonly id: number;
  readonly program: Program;
  readonly parent: Project | null;
  readonly status: ProjectStatus;
  readonly begin: Day;
  readonly end: Day;
  readonly budgetNet: Cents;
  readonly hierarchy: readonly string[];
  readonly equipment: Equipment | null;
  readonly unit: Unit | null;
  readonly tally: OrderSums;
}

export const planProjects = (
  customer: Company,
  property: Property,
  units: readonly Unit[],
  equipment: readonly Equipment[],
  count: number,
): Project[] => {
  const site = siteOf(customer, property, 'projects');
  const projects: Project[] = [];
  for (let i = 0; i < count; i++) {
    // Every second project of a property is a part of the previous one.
    const parent = i % 2 === 1 ? projects[i - 1]! : null;
    projects.push(planProject(site, parent, units, equipment));
  }
  return projects;
};

const planProject = (
  { customer, property, random }: Site,
  parent: Project | null,
  units: readonly Unit[],
  equipment: readonly Equipment[],
): Project => {
  const program = parent?.program ?? random.pick(programs);
  const { begin, end } = drawDates(customer, random, parent);
  const id = customer.ids.next('project_hdr');
  return {
    id,
    program,
    parent,
    status: statusOf(customer.asOf, random, begin, end),
    begin,
    end,
    budgetNet: parent ? Math.round(parent.budgetNet * 0.4) : random.int(25, 480) * 100_000,
    hierarchy: parent ? subLevels(property, parent, id) : [program.isCapex ? 'Capex' : 'Opex', `${program.name} ${yearOf(begin)}`],
    equipment: equipment.find(({ type, isInUse }) => type === program.equipment && isInUse) ?? null,
    unit: program.type === 'tenant_fit_out' ? (units.find(({ isCommercial }) => isCommercial) ?? units[0]!) : null,
    tally: { ...noOrders },
  };
};

const drawDates = ({ asOf, maintenanceFrom }: Company, random: Random, parent: Project | null): { begin: Day; end: Day } => {
  if (parent) return { begin: parent.begin + 20, end: parent.end - random.int(10, 40) };
  const begin = firstOf(monthOf(random.int(maintenanceFrom, addMonths(asOf, 9))));
  return { begin, end: addMonths(begin, random.int(5, 20)) - 1 };
};

const statusOf = (asOf: Day, random: Random, begin: Day, end: Day): ProjectStatus => {
  if (begin > addMonths(asOf, 3)) return random.pick(['planned', 'in_approval'] as const);
  if (begin > asOf) return 'approved';
  if (end < asOf) return random.chance(0.06) ? 'cancelled' : 'completed';
  return random.chance(0.08) ? 'on_hold' : 'in_progress';
};

/** The levels below the first two: three by DIN 276, then keys of place, lot and reporting. Few sub-projects have all of them. */
const subLevels = (property: Property, { program, hierarchy, begin }: Project, id: number): string[] => {
  const place = `${property.street} ${property.buildings[0]!.houseNo}`;
  const lots = ['Los 2', 'Titel 02', 'Abschnitt 02.01', 'Positionsgruppe A', 'Position 02.01.0010', 'Bauabschnitt 1'];
  const keys = ['Umlageschlüssel 1', 'Anlagengruppe 2', 'Berichtszeile 7', `Geschäftsjahr ${yearOf(begin)}`, 'Freigabe Portfolio'];
  const lower = [place, 'Heizraum', ...lots, `Budgetzeile ${id}`, program.funding ?? 'Ohne Förderung', ...keys];
  const depth = id % 7 === 2 ? lower.length : id % 4;
  return [...hierarchy, ...program.levels, ...lower.slice(0, depth)];
};

const isUndecided = ({ status }: Project): boolean => status === 'planned' || status === 'in_approval';

export const writeProjects = (customer: Company, property: Property, projects: readonly Project[]): void => {
  const { asOf, batches, chart, staff } = customer;
  const random = customer.random('project rows', property.index);
  for (const project of projects) {
    const { program, parent, begin, end, budgetNet, tally } = project;
    const approved = isUndecided(project) ? null : Math.min(begin - 30, asOf - 5);
    const manager = staff.pick('project_manager', random);
    const hasBegun = begin + 5 < asOf && !isUndecided(project);
    const finished = project.status === 'completed' ? end - random.int(0, 9) : null;
    const vat = vatOn(budgetNet, vatRate);
    batches.put(
      'project_hdr',
      {
        project_hdr_id: project.id,
        property_id: property.id,
        creditor_id: tally.creditor,
        offer_hdr_id: tally.offer,
        to_hdr_id: project.equipment?.id ?? null,
        project_no: `P-${yearOf(begin)}-${String(project.id).padStart(5, '0')}`,
        project_type_key: program.type,
        status_key: project.status,
        parent_project_hdr_id: parent?.id ?? null,
        project_name: `${program.name} ${property.street}${parent ? ', Abschnitt 1' : ''}`,
        description: `${program.levels[1]} an ${property.street} ${property.buildings[0]!.houseNo}`,
        floor_area_id: project.unit?.id ?? null,
        cost_center_id: property.maintenanceCostCenter,
        cost_account_id: chart.id('805200'),
        cost_group_key: program.levels[0].slice(0, 3),
        project_manager_id: manager,
        approved_by_employee_id: approved === null ? null : staff.head,
        percentage_completed: percent(percentageOf(asOf, project)),
        project_begin_date: date(begin),
        project_end_date: date(end),
        approval_date: dateOrNull(approved),
        actual_begin_date: hasBegun ? date(begin + 5) : null,
        actual_end_date: dateOrNull(finished),
        warranty_end_date: finished === null ? null : date(addMonths(finished, 60)),
        budget_net: euro(budgetNet),
        budget_vat: euro(vat),
        budget_gross: euro(budgetNet + vat),
        contingency_amount: euro(share(budgetNet, 10, 100)),
        funding_program: program.funding,
        funding_amount: program.funding && euro(share(budgetNet, 15, 100)),
        capitalizable_percent: program.isCapex ? '80.00' : '0.00',
        estimated_cost_net: euro(Math.max(tally.orderedNet, share(budgetNet, 96, 100))),
        order_count: tally.orders,
        ordered_net: euro(tally.orderedNet),
        ordered_gross: euro(tally.orderedGross),
        invoiced_net: euro(tally.invoicedNet),
        invoiced_gross: euro(tally.invoicedGross),
        paid_amount: euro(tally.paid),
        remaining_net: euro(tally.remainingNet),
        ...hierarchyColumns(project),
      },
      (approved ?? Math.min(begin, asOf)) - 60,
      Math.min(end, asOf - random.int(1, 40)),
    );
  }
};

/** For an active project, the elapsed share of its term. A cancelled project stopped at a quarter. */
const percentageOf = (asOf: Day, { status, begin, end }: Project): number => {
  if (status === 'completed') return 100;
  if (status === 'cancelled') return 25;
  if (status !== 'in_progress' && status !== 'on_hold') return 0;
  return Math.max(1, Math.min(95, Math.round(((asOf - begin) * 100) / (end - begin))));
};

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;

const hierarchyColumns = ({ hierarchy }: Project): { [L in Level as `hierarchy_${L}`]?: string } =>
  Object.fromEntries(hierarchy.map((level, i) => [`hierarchy_${i + 1}`, level]));
