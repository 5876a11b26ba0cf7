/** A property for all other generators: its location, its managers, its buildings and units. */
import type { Company } from '../company/company.ts';
import { type Place, places, streets } from '../data/names.ts';
import type { Random } from '../random.ts';
import { unitCount } from '../scale.ts';
import { addMonths, type Cents, type Day, dayOf, equalParts, firstOf, monthOf, yearOf } from '../values.ts';

/** The cycle of kinds, so that three properties already include the main ones. */
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
type PropertyKind = (typeof kinds)[number];
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
  /** Null for condominiums, whose owners belong to the units. */
  readonly owner: number | null;
  readonly manager: number;
  readonly technician: number;
  readonly accountant: number;
  readonly maintenanceCostCenter: string;
  readonly operatingCostCenter: string;
}

const unitsPerBuilding = 16;

export const planProperty = (customer: Company, index: number): Property => {
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

/** One to nine years before the first generated letting, but not before the construction. */
const managedSince = (customer: Company, random: Random, builtIn: number): Day =>
  Math.max(firstOf(monthOf(addMonths(customer.lettingsFrom, -random.int(12, 108)))), dayOf(builtIn + 1, 1));

const planBuildings = (customer: Company, random: Random, count: number): Building[] => {
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

/** The context of a subject: the customer, the property, and the subject's own random stream. */
export interface Site {
  readonly customer: Company;
  readonly property: Property;
  readonly random: Random;
}

export const siteOf = (customer: Company, property: Property, subject: string): Site => ({
  customer,
  property,
  random: customer.random(subject, property.index),
});

type Dwelling = 'apartment';
type Commercial = 'office' | 'retail' | 'restaurant' | 'medical' | 'storage' | 'workshop';
type Parking = 'parking_space' | 'garage';
type Usage = Dwelling | Commercial | Parking;

export interface Unit {
  readonly id: string;
  readonly number: string;
  readonly building: Building;
  readonly usage: Usage;
  readonly floor: number;
  /** In hundredths of a square metre; 0 for parking. */
  readonly area: number;
  readonly rooms: number;
  /** Target rent a month. */
  readonly rent: Cents;
  readonly isParking: boolean;
  readonly isCommercial: boolean;
  readonly isRentControlled: boolean;
  /** Let with VAT. */
  readonly vatOption: boolean;
  /** In condominiums only: the owner, and the share in ten-thousandths of a thousandth. */
  readonly ownership: { readonly owner: number; readonly share: number } | null;
  /** The unit with which a parking space is let. */
  readonly letWith: Unit | null;
  /** Merged with its neighbour; it no longer exists. */
  readonly isRetired: boolean;
}

const shops: readonly Commercial[] = ['retail', 'office', 'restaurant', 'medical'];
const offices: readonly Commercial[] = ['office', 'office', 'retail', 'medical', 'workshop', 'storage', 'restaurant'];

export const planUnits = (customer: Company, property: Property): Unit[] => {
  const random = customer.random('units', property.index);
  const count = unitCount(customer.volume, property.index);
  const shares = property.kind === 'condominium' ? equalParts(10_000_000, count) : null;
  const units: Unit[] = [];
  for (let i = 0; i < count; i++) {
    const unit = planUnit(property, random, i, count);
    const ownership = shares ? { owner: customer.owners.pickPrivate(random).id, share: shares[i]! } : null;
    units.push({ ...unit, ownership });
  }
  if (property.kind === 'condominium') return units;
  const spaces = Math.round(count * customer.volume.parkingPerUnit);
  for (let i = 0; i < spaces; i++) units.push(planParking(property, random, count + i, random.chance(0.75) ? units[i]! : null));
  if (property.index % 6 === 1 && spaces > 0) units.push(retiredUnit(property, units.length));
  return units;
};

const usageOf = (property: Property, random: Random, floor: number): Usage => {
  if (property.kind === 'commercial') return random.pick(offices);
  return property.kind === 'mixed_use' && floor === 0 ? random.pick(shops) : 'apartment';
};

const planUnit = (property: Property, random: Random, index: number, count: number): Unit => {
  const perBuilding = Math.ceil(count / property.buildings.length);
  const building = property.buildings[Math.floor(index / perBuilding)]!;
  const floor = Math.floor(((index % perBuilding) * building.storeys) / perBuilding);
  const usage = usageOf(property, random, floor);
  const isCommercial = usage !== 'apartment';
  const rooms = isCommercial ? random.int(2, 8) : Number(random.weighted({ 1: 12, 2: 33, 3: 35, 4: 16, 5: 4 }));
  const area = isCommercial ? random.int(5500, 38000) : 2200 + rooms * 1750 + random.int(-600, 900);
  const isRentControlled = !isCommercial && property.kind === 'residential' && property.index % 4 === 3;
  const level = property.place.rentLevel * (isCommercial ? 1.35 : 0.92) * (isRentControlled ? 0.7 : 1) * (0.88 + random.next() * 0.24);
  const rent = property.kind === 'condominium' ? Math.round(area * 4.2) : Math.round((area * level) / 100);
  const vatOption = isCommercial && usage !== 'medical';
  return { ...plainUnit(property, index), building, usage, floor, area, rooms, rent, isCommercial, isRentControlled, vatOption };
};

const planParking = (property: Property, random: Random, index: number, letWith: Unit | null): Unit => {
  const isGarage = random.chance(0.3);
  return {
    ...plainUnit(property, index),
    building: property.buildings[index % property.buildings.length]!,
    usage: isGarage ? 'garage' : 'parking_space',
    floor: isGarage ? 0 : -1,
    rent: isGarage ? random.int(60, 110) * 100 : random.int(30, 70) * 100,
    isParking: true,
    letWith,
  };
};

const retiredUnit = (property: Property, index: number): Unit => {
  const merged = { usage: 'storage', area: 1850, rooms: 1, rent: 12000, isCommercial: true, isRetired: true } as const;
  return { ...plainUnit(property, index), ...merged };
};

/** A unit of which only the number is known. */
const plainUnit = (property: Property, index: number): Unit => {
  const number = String(index + 1).padStart(4, '0');
  return {
    id: `${property.id}-${number}`,
    number,
    building: property.buildings[0]!,
    usage: 'apartment',
    floor: 0,
    area: 0,
    rooms: 0,
    rent: 0,
    isParking: false,
    isCommercial: false,
    isRentControlled: false,
    vatOption: false,
    ownership: null,
    letWith: null,
    isRetired: false,
  };
};
