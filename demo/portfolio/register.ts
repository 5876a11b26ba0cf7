/** Writes a property with its cost centres and buildings; areas and counts are the sums over the units that exist. */
import type { Customer } from '../customer.ts';
import { addMonths, date, dayOf, yearOf } from '../source/calendar.ts';
import { decimal, euro } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import type { Property } from './property.ts';
import { type Site, siteOf } from './site.ts';
import type { Unit } from './units.ts';

export const writeProperty = (customer: Customer, property: Property, units: readonly Unit[]): void => {
  const site = siteOf(customer, property, 'register');
  const { random } = site;
  customer.batches.put(
    'property_hdr',
    {
      property_id: property.id,
      property_name: `${property.street} ${property.buildings[0]!.houseNo}, ${property.place.city}`,
      short_name: `${property.place.city.slice(0, 3).toUpperCase()}${property.id}`,
      company_number: property.company,
      property_type_key: property.kind,
      management_type_key: property.management,
      owner_hdr_id: property.owner,
      property_manager_id: property.manager,
      technical_manager_id: property.technician,
      accountant_id: property.accountant,
      ...locationColumns(property, random),
      ...historyColumns(site),
      ...areaColumns(units),
      ...energyColumns(customer, random),
      ...valueColumns(customer, units),
    },
    property.since,
    addMonths(customer.asOf, -random.int(1, 30)),
  );
  writeCostCenters(customer, property);
  writeBuildings(customer, property);
};

const locationColumns = ({ place, street, buildings }: Property, random: Random) =>
  ({
    country_code: 'DE',
    federal_state: place.state,
    latitude: decimal(Math.round((place.latitude + random.next() * 0.03 - 0.015) * 1e6), 6),
    longitude: decimal(Math.round((place.longitude + random.next() * 0.04 - 0.02) * 1e6), 6),
    street,
    house_no: buildings[0]!.houseNo,
    postal_code: place.postalCode,
    city: place.city,
  }) satisfies Columns<'property_hdr'>;

/** One property in 25 is sold with effect from the next new year, and its management ends then. */
const historyColumns = ({ customer, property, random }: Site) => {
  const sold = property.index % 25 === 21;
  const newYear = dayOf(yearOf(customer.asOf) + 1, 1);
  return {
    status_key: sold ? 'sold' : 'active',
    construction_year: property.builtIn,
    refurbishment_year: property.builtIn < 1990 && random.chance(0.7) ? random.int(1995, yearOf(customer.asOf) - 2) : null,
    acquisition_date: property.management === 'own_portfolio' ? date(property.since) : null,
    disposal_date: sold ? date(newYear) : null,
    management_start_date: date(property.since),
    management_end_date: sold ? date(newYear - 1) : null,
  } satisfies Columns<'property_hdr'>;
};

const areaColumns = (units: readonly Unit[]) => {
  const existing = units.filter((unit) => !unit.isRetired);
  const parking = existing.filter((unit) => unit.isParking).length;
  const residential = areaOf(existing.filter((unit) => unit.usage === 'apartment'));
  const lettable = areaOf(existing);
  return {
    plot_area_sqm: decimal(Math.round(lettable * 0.8), 2),
    lettable_area_sqm: decimal(lettable, 2),
    residential_area_sqm: decimal(residential, 2),
    commercial_area_sqm: decimal(lettable - residential, 2),
    unit_count: existing.length - parking,
    parking_count: parking,
  } satisfies Columns<'property_hdr'>;
};

const areaOf = (units: readonly Unit[]): number => units.reduce((total, unit) => total + unit.area, 0);

const energyColumns = ({ asOf }: Customer, random: Random) =>
  ({
    heating_type_key: random.weighted([
      ['gas_central', 50],
      ['district_heating', 25],
      ['oil_central', 10],
      ['heat_pump', 9],
      ['pellet', 3],
      ['gas_floor', 3],
    ]),
    energy_certificate_class_key: random.weighted([
      ['A', 3],
      ['B', 9],
      ['C', 18],
      ['D', 27],
      ['E', 21],
      ['F', 13],
      ['G', 6],
      ['H', 3],
    ]),
    energy_certificate_valid_until: date(addMonths(asOf, random.int(6, 110))),
  }) satisfies Columns<'property_hdr'>;

/** About 21 annual target rents, as of the last year end. */
const valueColumns = ({ asOf }: Customer, units: readonly Unit[]) => {
  const rents = units.reduce((total, unit) => total + unit.rent, 0);
  return {
    market_value: euro(Math.round((rents * 12 * 21) / 1_000_000) * 1_000_000),
    market_value_date: date(dayOf(yearOf(asOf) - 1, 12, 31)),
  } satisfies Columns<'property_hdr'>;
};

const writeCostCenters = ({ batches, ids }: Customer, property: Property): void => {
  const centers = [
    [property.operatingCostCenter, 'Bewirtschaftung'],
    [property.maintenanceCostCenter, 'Instandhaltung'],
  ] as const;
  for (const [code, name] of centers) {
    const row = { cost_center_hdr_id: ids.next('cost_center'), cost_center_id: code, cost_center_name: name, property_id: property.id };
    batches.put('cost_center', { ...row, is_active: true }, property.since);
  }
};

const writeBuildings = ({ batches }: Customer, property: Property): void => {
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
