/** A property as everything else sees it: where it is, what kind it is, who looks after it. */
import type { Customer } from '../customer.ts';
import { unitCount } from '../scale.ts';
import { addMonths, type Day, dayOf, firstOf, monthOf, yearOf } from '../source/calendar.ts';
import { type Place, places, streets } from '../source/places.ts';
import type { Random } from '../source/random.ts';

/** Repeats over the portfolio, so that three properties already show the main kinds. */
const kinds = [
  'residential',
  'mixed_use',
  'condominium',
  'residential',
  'commercial',
  'residential',
  'mixed_use',
  'residential',
  'residential',
  'mixed_use',
  'residential',
  'residential',
] as const;
export type PropertyKind = (typeof kinds)[number];
type Management = 'own_portfolio' | 'third_party' | 'condominium' | 'individual_unit';

const companies: Readonly<Record<Management, string>> = {
  own_portfolio: '10',
  third_party: '20',
  condominium: '30',
  individual_unit: '20',
};

export interface Building {
  readonly id: number;
  readonly number: string;
  readonly name: string;
  readonly houseNo: string;
  readonly storeys: number;
  readonly hasElevator: boolean;
}

export interface Property {
  readonly id: number;
  readonly index: number;
  readonly kind: PropertyKind;
  readonly management: Management;
  readonly company: string;
  readonly place: Place;
  readonly street: string;
  readonly buildings: readonly Building[];
  readonly builtIn: number;
  /** First day under this management. */
  readonly since: Day;
  /** Null for condominiums, whose owners are on the units. */
  readonly owner: number | null;
  readonly manager: number;
  readonly technician: number;
  readonly accountant: number;
  readonly maintenanceCostCenter: string;
  readonly operatingCostCenter: string;
}

const unitsPerBuilding = 16;

export const planProperty = (customer: Customer, index: number): Property => {
  const random = customer.random('property', index);
  const id = customer.ids.next('property_hdr');
  const kind = kinds[index % kinds.length]!;
  const management = managementOf(kind, index);
  const builtIn = random.int(1895, Math.min(2015, yearOf(customer.lettingsFrom) - 8));
  return {
    id,
    index,
    kind,
    management,
    company: companies[management],
    place: random.pick(places),
    street: random.pick(streets),
    buildings: planBuildings(customer, random, Math.max(1, Math.round(unitCount(customer.volume, index) / unitsPerBuilding))),
    builtIn,
    since: managedSince(customer, random, builtIn),
    owner: kind === 'condominium' ? null : customer.owners.pickInvestor(random),
    manager: customer.staff.pick('property_manager', random),
    technician: customer.staff.pick('technical_manager', random),
    accountant: customer.staff.pick('accountant', random),
    maintenanceCostCenter: `${id}-80`,
    operatingCostCenter: `${id}-10`,
  };
};

const managementOf = (kind: PropertyKind, index: number): Management => {
  if (kind === 'condominium') return 'condominium';
  if (index % 11 === 7) return 'individual_unit';
  return index % 4 === 1 ? 'third_party' : 'own_portfolio';
};

/** One to nine years before the first letting that is told, never before the building stood. */
const managedSince = (customer: Customer, random: Random, builtIn: number): Day =>
  Math.max(firstOf(monthOf(addMonths(customer.lettingsFrom, -random.int(12, 108)))), dayOf(builtIn + 1, 1));

const planBuildings = (customer: Customer, random: Random, count: number): Building[] => {
  const firstNumber = random.int(1, 80);
  const storeys = random.int(3, 7);
  return Array.from({ length: count }, (_, i) => ({
    id: customer.ids.next('building'),
    number: String(i + 1).padStart(2, '0'),
    name: count === 1 ? 'Wohn- und Geschäftshaus' : (['Vorderhaus', 'Seitenflügel', 'Gartenhaus', 'Quergebäude'][i] ?? `Haus ${i + 1}`),
    houseNo: String(firstNumber + 2 * i),
    storeys,
    hasElevator: storeys > 4,
  }));
};
