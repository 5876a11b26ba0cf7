/** Projects: what is planned, how far it has come, and the hierarchy of cost levels that its orders carry on. */
import type { Customer } from '../customer.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import type { Unit } from '../portfolio/units.ts';
import { addMonths, type Day, firstOf, monthOf, yearOf } from '../source/calendar.ts';
import type { Cents } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import { type Program, programs } from './programs.ts';

type ProjectStatus = 'planned' | 'in_approval' | 'approved' | 'in_progress' | 'on_hold' | 'completed' | 'cancelled';

/** Sums over the orders of a project, without rejected and cancelled ones. */
export interface Tally {
  orders: number;
  orderedNet: Cents;
  orderedGross: Cents;
  invoicedNet: Cents;
  invoicedGross: Cents;
  paid: Cents;
  remainingNet: Cents;
  /** Of the first orders: the accepted offer and the creditor. */
  offer: number | null;
  creditor: number | null;
}

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
  readonly tally: Tally;
}

export const planProjects = (
  customer: Customer,
  property: Property,
  units: readonly Unit[],
  equipment: readonly Equipment[],
  count: number,
): Project[] => {
  const site = siteOf(customer, property, 'projects');
  const projects: Project[] = [];
  for (let i = 0; i < count; i++) {
    // Every second project of a property is a part of the one before it.
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
    tally: emptyTally(),
  };
};

const emptyTally = (): Tally => ({
  orders: 0,
  orderedNet: 0,
  orderedGross: 0,
  invoicedNet: 0,
  invoicedGross: 0,
  paid: 0,
  remainingNet: 0,
  offer: null,
  creditor: null,
});

const drawDates = ({ asOf, maintenanceFrom }: Customer, random: Random, parent: Project | null): { begin: Day; end: Day } => {
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

/** The levels below the first two: three by DIN 276, then place, lot and reporting keys; few sub-projects go all the way down. */
const subLevels = (property: Property, { program, hierarchy, begin }: Project, id: number): string[] => {
  const place = `${property.street} ${property.buildings[0]!.houseNo}`;
  const lower = [
    place,
    'Heizraum',
    'Los 2',
    'Titel 02',
    'Abschnitt 02.01',
    'Positionsgruppe A',
    'Position 02.01.0010',
    'Bauabschnitt 1',
    `Budgetzeile ${id}`,
    program.funding ?? 'Ohne Förderung',
    'Umlageschlüssel 1',
    'Anlagengruppe 2',
    'Berichtszeile 7',
    `Geschäftsjahr ${yearOf(begin)}`,
    'Freigabe Portfolio',
  ];
  const depth = id % 7 === 2 ? lower.length : id % 4;
  return [...hierarchy, ...program.levels, ...lower.slice(0, depth)];
};
