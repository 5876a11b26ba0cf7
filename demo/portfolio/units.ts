/** The units of a property: flats, shops and offices building by building, then parking, some of it let with a flat. */
import type { Customer } from '../customer.ts';
import { unitCount } from '../scale.ts';
import { type Cents, equalParts } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Building, Property } from './property.ts';

type Dwelling = 'apartment';
type Commercial = 'office' | 'retail' | 'restaurant' | 'medical' | 'storage' | 'workshop';
type Parking = 'parking_space' | 'garage';
export type Usage = Dwelling | Commercial | Parking;

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
  /** The unit that a parking space is let together with. */
  readonly letWith: Unit | null;
  /** Merged with its neighbour: no longer exists. */
  readonly isRetired: boolean;
}

const shops: readonly Commercial[] = ['retail', 'office', 'restaurant', 'medical'];
const offices: readonly Commercial[] = ['office', 'office', 'retail', 'medical', 'workshop', 'storage', 'restaurant'];

export const planUnits = (customer: Customer, property: Property): Unit[] => {
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

const numberOf = (index: number): string => String(index + 1).padStart(4, '0');

const planUnit = (property: Property, random: Random, index: number, count: number): Unit => {
  const perBuilding = Math.ceil(count / property.buildings.length);
  const building = property.buildings[Math.floor(index / perBuilding)]!;
  const floor = Math.floor(((index % perBuilding) * building.storeys) / perBuilding);
  const usage = usageOf(property, random, floor);
  const isCommercial = usage !== 'apartment';
  const rooms = isCommercial
    ? random.int(2, 8)
    : random.weighted([
        [1, 12],
        [2, 33],
        [3, 35],
        [4, 16],
        [5, 4],
      ]);
  const area = isCommercial ? random.int(5500, 38000) : 2200 + rooms * 1750 + random.int(-600, 900);
  const isRentControlled = !isCommercial && property.kind === 'residential' && property.index % 4 === 3;
  const level = property.place.rentLevel * (isCommercial ? 1.35 : 0.92) * (isRentControlled ? 0.7 : 1) * (0.88 + random.next() * 0.24);
  return {
    id: `${property.id}-${numberOf(index)}`,
    number: numberOf(index),
    building,
    usage,
    floor,
    area,
    rooms,
    rent: property.kind === 'condominium' ? Math.round(area * 4.2) : Math.round((area * level) / 100),
    isParking: false,
    isCommercial,
    isRentControlled,
    vatOption: isCommercial && usage !== 'medical',
    ownership: null,
    letWith: null,
    isRetired: false,
  };
};

const planParking = (property: Property, random: Random, index: number, letWith: Unit | null): Unit => {
  const isGarage = random.chance(0.3);
  return {
    id: `${property.id}-${numberOf(index)}`,
    number: numberOf(index),
    building: property.buildings[index % property.buildings.length]!,
    usage: isGarage ? 'garage' : 'parking_space',
    floor: isGarage ? 0 : -1,
    area: 0,
    rooms: 0,
    rent: isGarage ? random.int(60, 110) * 100 : random.int(30, 70) * 100,
    isParking: true,
    isCommercial: false,
    isRentControlled: false,
    vatOption: false,
    ownership: null,
    letWith,
    isRetired: false,
  };
};

const retiredUnit = (property: Property, index: number): Unit => ({
  id: `${property.id}-${numberOf(index)}`,
  number: numberOf(index),
  building: property.buildings[0]!,
  usage: 'storage',
  floor: 0,
  area: 1850,
  rooms: 1,
  rent: 12000,
  isParking: false,
  isCommercial: true,
  isRentControlled: false,
  vatOption: false,
  ownership: null,
  letWith: null,
  isRetired: true,
});
