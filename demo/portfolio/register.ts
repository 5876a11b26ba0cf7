/**
 * Writes a property with its cost centres, buildings and units. The state of a unit follows from its lettings: let, vacant since a date,
 * owner-occupied, or merged. Areas and counts are sums over existing units.
 */
import type { Company } from '../company/company.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import { addMonths, type Day, date, dateOrNull, dayOf, decimal, euro, share, sum, yearOf } from '../values.ts';
import { type Property, type Site, siteOf, type Unit } from './property.ts';

export const writeProperty = (customer: Company, property: Property, units: readonly Unit[]): void => {
  const { asOf, batches } = customer;
  const { place, street, buildings } = property;
  const random = customer.random('register', property.index);
  const existing = units.filter((unit) => !unit.isRetired);
  const parking = existing.filter((unit) => unit.isParking).length;
  const lettable = areaOf(existing);
  const residential = areaOf(existing.filter((unit) => unit.usage === 'apartment'));
  // One property in 25 is sold at the start of the next year, and its management ends then.
  const sold = property.index % 25 === 21;
  const newYear = dayOf(yearOf(asOf) + 1, 1);
  const rents = sum(units.map(({ rent }) => rent));
  batches.put(
    'property_hdr',
    {
      property_id: property.id,
      property_name: `${street} ${buildings[0]!.houseNo}, ${place.city}`,
      short_name: `${place.city.slice(0, 3).toUpperCase()}${property.id}`,
      company_number: property.company,
      property_type_key: property.kind,
      management_type_key: property.management,
      owner_hdr_id: property.owner,
      property_manager_id: property.manager,
      technical_manager_id: property.technician,
      accountant_id: property.accountant,
      country_code: 'DE',
      federal_state: place.state,
      latitude: decimal(Math.round((place.latitude + random.next() * 0.03 - 0.015) * 1e6), 6),
      longitude: decimal(Math.round((place.longitude + random.next() * 0.04 - 0.02) * 1e6), 6),
      street,
      house_no: buildings[0]!.houseNo,
      postal_code: place.postalCode,
      city: place.city,
      status_key: sold ? 'sold' : 'active',
      construction_year: property.builtIn,
      refurbishment_year: property.builtIn < 1990 && random.chance(0.7) ? random.int(1995, yearOf(asOf) - 2) : null,
      acquisition_date: property.management === 'own_portfolio' ? date(property.since) : null,
      disposal_date: sold ? date(newYear) : null,
      management_start_date: date(property.since),
      management_end_date: sold ? date(newYear - 1) : null,
      plot_area_sqm: decimal(Math.round(lettable * 0.8), 2),
      lettable_area_sqm: decimal(lettable, 2),
      residential_area_sqm: decimal(residential, 2),
      commercial_area_sqm: decimal(lettable - residential, 2),
      unit_count: existing.length - parking,
      parking_count: parking,
      heating_type_key: random.weighted({ gas_central: 50, district_heating: 25, oil_central: 10, heat_pump: 9, pellet: 3, gas_floor: 3 }),
      energy_certificate_class_key: random.weighted({ A: 3, B: 9, C: 18, D: 27, E: 21, F: 13, G: 6, H: 3 }),
      energy_certificate_valid_until: date(addMonths(asOf, random.int(6, 110))),
      // About 21 annual target rents, at the end of last year.
      market_value: euro(Math.round((rents * 12 * 21) / 1_000_000) * 1_000_000),
      market_value_date: date(dayOf(yearOf(asOf) - 1, 12, 31)),
    },
    property.since,
    addMonths(asOf, -random.int(1, 30)),
  );
  writeCostCenters(customer, property);
  writeBuildings(customer, property);
};

const areaOf = (units: readonly Unit[]): number => sum(units.map(({ area }) => area));

const writeCostCenters = ({ batches, ids }: Company, property: Property): void => {
  const centers = [
    [property.operatingCostCenter, 'Bewirtschaftung'],
    [property.maintenanceCostCenter, 'Instandhaltung'],
  ] as const;
  for (const [code, name] of centers) {
    const row = { cost_center_hdr_id: ids.next('cost_center'), cost_center_id: code, cost_center_name: name, property_id: property.id };
    batches.put('cost_center', { ...row, is_active: true }, property.since);
  }
};

const writeBuildings = ({ batches }: Company, property: Property): void => {
  for (const building of property.buildings) {
    batches.put(
      'building',
      {
        building_id: building.id,
        property_id: property.id,
        building_no: building.number,
        building_name: building.name,
        street: property.street,
        house_no: building.houseNo,
        postal_code: property.place.postalCode,
        city: property.place.city,
        construction_year: property.builtIn,
        storey_count: building.storeys,
        has_elevator: building.hasElevator,
      },
      property.since,
    );
  }
};

const usageNames: Readonly<Record<Exclude<Unit['usage'], 'apartment'>, string>> = {
  office: 'Bürofläche',
  retail: 'Ladenfläche',
  restaurant: 'Gaststätte',
  medical: 'Praxis',
  storage: 'Lager',
  workshop: 'Werkstatt',
  parking_space: 'Stellplatz',
  garage: 'Garage',
};

export const writeUnits = (customer: Company, property: Property, units: readonly Unit[], tenancies: readonly Tenancy[]): void => {
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

const writeUnit = ({ customer: { asOf, batches, ids }, property, random }: Site, unit: Unit, occupancy: Occupancy): void => {
  const { usage, floor, area, ownership, isParking } = unit;
  const retiredOn = addMonths(asOf, -20);
  batches.put(
    'floor_area',
    {
      fa_hdr_id: ids.next('floor_area'),
      floor_area_id: unit.id,
      property_id: property.id,
      building_id: unit.building.id,
      unit_number: unit.number,
      usage_type_key: usage,
      occupancy_status_key: occupancy.status,
      vacant_since: dateOrNull(occupancy.vacantSince),
      available_from: dateOrNull(occupancy.availableFrom),
      current_account_id: occupancy.account,
      co_ownership_share: ownership && decimal(ownership.share, 4),
      owner_hdr_id: ownership?.owner ?? null,
      description: usage === 'apartment' ? `${unit.rooms}-Zimmer-Wohnung` : usageNames[usage],
      floor: floor < 0 ? 'TG' : floor === 0 ? 'EG' : `${floor}. OG`,
      floor_number: floor,
      location: isParking ? null : random.pick(['links', 'Mitte', 'rechts']),
      area_sqm: decimal(area, 2),
      heated_area_sqm: isParking ? null : decimal(share(area, 97, 100), 2),
      balcony_area_sqm: usage === 'apartment' && random.chance(0.6) ? decimal(random.int(250, 900), 2) : null,
      room_count: isParking ? null : decimal(unit.rooms * 10, 1),
      target_rent_net: ownership ? null : euro(unit.rent),
      market_rent_per_sqm: isParking ? null : euro(share(property.place.rentLevel, unit.isCommercial ? 140 : 100, 100)),
      vat_option: unit.vatOption,
      is_rent_controlled: unit.isRentControlled,
      is_barrier_free: floor === 0 && random.chance(0.2),
      cost_center_id: property.operatingCostCenter,
      valid_from: date(property.since),
      valid_to: unit.isRetired ? date(retiredOn) : null,
      is_active: !unit.isRetired,
    },
    property.since,
    unit.isRetired ? retiredOn : (occupancy.vacantSince ?? addMonths(asOf, -random.int(1, 24))),
  );
};
