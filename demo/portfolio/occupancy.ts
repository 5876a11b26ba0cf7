/** Writes the units with what the lettings make of them: let, vacant since when, lived in by their owner, or gone. */
import type { Customer } from '../customer.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import { addMonths, type Day, date, dateOrNull } from '../source/calendar.ts';
import { decimal, euro, share } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import type { Property } from './property.ts';
import { type Site, siteOf } from './site.ts';
import type { Unit } from './units.ts';

const usageNames: Readonly<Record<Unit['usage'], string>> = {
  apartment: 'Wohnung',
  office: 'Bürofläche',
  retail: 'Ladenfläche',
  restaurant: 'Gaststätte',
  medical: 'Praxis',
  storage: 'Lager',
  workshop: 'Werkstatt',
  parking_space: 'Stellplatz',
  garage: 'Garage',
};

export const writeUnits = (customer: Customer, property: Property, units: readonly Unit[], tenancies: readonly Tenancy[]): void => {
  const site = siteOf(customer, property, 'occupancy');
  const current = new Map<Unit, Tenancy>();
  const lastEnd = new Map<Unit, Day>();
  for (const tenancy of tenancies) {
    for (const unit of [tenancy.unit, ...tenancy.extras]) {
      if (tenancy.status === 'active' || tenancy.status === 'terminated') current.set(unit, tenancy);
      if (tenancy.status === 'former') lastEnd.set(unit, Math.max(tenancy.end!, lastEnd.get(unit) ?? 0));
    }
  }
  for (const unit of units) writeUnit(site, unit, occupancyOf(property, unit, current.get(unit), lastEnd.get(unit)));
};

interface Occupancy {
  readonly status: 'let' | 'vacant' | 'owner_occupied' | 'not_lettable';
  readonly account: number | null;
  readonly vacantSince: Day | null;
  readonly availableFrom: Day | null;
}

const occupancyOf = (property: Property, unit: Unit, tenancy: Tenancy | undefined, lastEnd: Day | undefined): Occupancy => {
  const none = { account: null, vacantSince: null, availableFrom: null };
  if (unit.isRetired) return { ...none, status: 'not_lettable' };
  if (unit.ownership) return { ...none, status: 'owner_occupied' };
  if (tenancy) return { ...none, status: 'let', account: tenancy.account, availableFrom: tenancy.end === null ? null : tenancy.end + 1 };
  const vacantSince = lastEnd === undefined ? property.since : lastEnd + 1;
  return { ...none, status: 'vacant', vacantSince, availableFrom: addMonths(vacantSince, 1) };
};

const writeUnit = ({ customer, property, random }: Site, unit: Unit, occupancy: Occupancy): void => {
  const retiredOn = addMonths(customer.asOf, -20);
  customer.batches.put(
    'floor_area',
    {
      fa_hdr_id: customer.ids.next('floor_area'),
      floor_area_id: unit.id,
      property_id: property.id,
      building_id: unit.building.id,
      unit_number: unit.number,
      usage_type_key: unit.usage,
      occupancy_status_key: occupancy.status,
      vacant_since: dateOrNull(occupancy.vacantSince),
      available_from: dateOrNull(occupancy.availableFrom),
      current_account_id: occupancy.account,
      co_ownership_share: unit.ownership ? decimal(unit.ownership.share, 4) : null,
      owner_hdr_id: unit.ownership?.owner ?? null,
      ...placeColumns(unit, random),
      ...areaColumns(unit, random),
      ...rentColumns(property, unit),
      is_barrier_free: unit.floor === 0 && random.chance(0.2),
      cost_center_id: property.operatingCostCenter,
      valid_from: date(property.since),
      valid_to: unit.isRetired ? date(retiredOn) : null,
      is_active: !unit.isRetired,
    },
    property.since,
    unit.isRetired ? retiredOn : (occupancy.vacantSince ?? addMonths(customer.asOf, -random.int(1, 24))),
  );
};

const placeColumns = (unit: Unit, random: Random) =>
  ({
    description: unit.usage === 'apartment' ? `${unit.rooms}-Zimmer-Wohnung` : usageNames[unit.usage],
    floor: unit.floor < 0 ? 'TG' : unit.floor === 0 ? 'EG' : `${unit.floor}. OG`,
    floor_number: unit.floor,
    location: unit.isParking ? null : random.pick(['links', 'Mitte', 'rechts']),
  }) satisfies Columns<'floor_area'>;

const areaColumns = (unit: Unit, random: Random) =>
  ({
    area_sqm: decimal(unit.area, 2),
    heated_area_sqm: unit.isParking ? null : decimal(share(unit.area, 97, 100), 2),
    balcony_area_sqm: unit.usage === 'apartment' && random.chance(0.6) ? decimal(random.int(250, 900), 2) : null,
    room_count: unit.isParking ? null : decimal(unit.rooms * 10, 1),
  }) satisfies Columns<'floor_area'>;

const rentColumns = (property: Property, unit: Unit) =>
  ({
    target_rent_net: unit.ownership ? null : euro(unit.rent),
    market_rent_per_sqm: unit.isParking ? null : euro(share(property.place.rentLevel, unit.isCommercial ? 140 : 100, 100)),
    vat_option: unit.vatOption,
    is_rent_controlled: unit.isRentControlled,
  }) satisfies Columns<'floor_area'>;
