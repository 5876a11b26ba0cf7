/** Technical objects: the equipment of every building, then smoke detectors by flat until the property has its number. */
import type { Company } from '../company/company.ts';
import { buildingModels, type Model, smokeDetector } from '../data/works.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, dayOf, decimal, euro, yearOf } from '../values.ts';
import { type Building, type Property, type Site, siteOf, type Unit } from './property.ts';
import type { ServiceContract } from './services.ts';

export interface Equipment {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly building: Building;
  readonly unit: Unit | null;
  readonly installed: Day;
  readonly cost: Cents;
  readonly lifeYears: number;
  readonly isInUse: boolean;
}

export const writeEquipment = (
  customer: Company,
  property: Property,
  units: readonly Unit[],
  contracts: readonly ServiceContract[],
  count: number,
): Equipment[] => {
  const site = siteOf(customer, property, 'equipment');
  const shared = property.buildings.flatMap((building) => modelsOf(building).map((one) => ({ one, building, unit: null as Unit | null })));
  const flats = units.filter((unit) => !unit.isParking && !unit.isRetired);
  const equipment: Equipment[] = [];
  let heating: Equipment | null = null;
  for (let i = 0; i < count; i++) {
    const unit = flats[i % flats.length]!;
    const place = shared[i] ?? { one: smokeDetector, building: unit.building, unit };
    const parent = place.one.isPartOfHeating ? heating : null;
    const object = writeObject(site, { ...place, parent, contract: contracts.find(({ trade }) => trade === place.one.trade) });
    if (object.type === 'heating_system') heating = object;
    equipment.push(object);
  }
  return equipment;
};

/** Only tall buildings have an elevator. */
const modelsOf = (building: Building): readonly Model[] =>
  building.hasElevator ? buildingModels : buildingModels.filter(({ type }) => type !== 'elevator');

interface Installation {
  readonly one: Model;
  readonly building: Building;
  readonly unit: Unit | null;
  readonly parent: Equipment | null;
  readonly contract: ServiceContract | undefined;
}

const makers = ['Musterwerke', 'Nordtherm', 'Hansa Technik', 'Süddeutsche Anlagenbau', 'Elbe Systeme'];

const writeObject = ({ customer, property, random }: Site, { one, building, unit, parent, contract }: Installation): Equipment => {
  const { asOf, creditors } = customer;
  const { maintenanceMonths, inspectionMonths, lifeYears } = one;
  const id = customer.ids.next('to_hdr');
  const ageMonths = random.int(8, lifeYears * 11);
  const installed = Math.max(addMonths(asOf, -ageMonths), dayOf(property.builtIn, 6));
  const status = random.weighted({ active: 955, out_of_order: 20, decommissioned: 15, removed: 10 });
  const isInUse = status === 'active' || status === 'out_of_order';
  const retired = isInUse ? null : Math.max(installed, asOf - random.int(20, 700));
  const series = `${random.pick(['BW', 'KT', 'PX', 'AR'])} ${random.int(1, 40) * 10}`;
  const maker = random.pick(makers);
  const tenthsLeft = Math.max(0, Math.round(lifeYears * 10 - ((asOf - installed) * 10) / 365.25));
  const maintained = asOf - random.int(1, (maintenanceMonths ?? 1) * 31);
  const inspected = asOf - random.int(1, (inspectionMonths ?? 1) * 31);
  customer.batches.put(
    'to_hdr',
    {
      to_hdr_id: id,
      to_no: `TO-${property.id}-${id}`,
      to_name: one.name,
      to_type_key: one.type,
      property_id: property.id,
      building_id: building.id,
      floor_area_id: unit?.id ?? null,
      parent_to_hdr_id: parent?.id ?? null,
      location_description: unit ? 'Wohnungsflur' : one.location,
      cost_group_key: one.costGroup,
      manufacturer: maker,
      model: series,
      serial_number: `${series.replace(' ', '')}-${id}`,
      year_built: yearOf(installed),
      installation_date: date(installed),
      warranty_end_date: date(addMonths(installed, 60)),
      decommissioning_date: dateOrNull(retired),
      status_key: status,
      // The condition declines with age.
      condition_rating: Math.max(1, Math.min(5, 5 - Math.floor((tenthsLeft * 5) / (lifeYears * 10)))),
      remaining_life_years: decimal(tenthsLeft, 1),
      maintenance_required: maintenanceMonths !== null,
      maintenance_interval_months: maintenanceMonths,
      last_maintenance_date: isInUse && maintenanceMonths !== null ? date(maintained) : null,
      next_maintenance_date: isInUse && maintenanceMonths !== null ? date(addMonths(maintained, maintenanceMonths)) : null,
      inspection_required: inspectionMonths !== null,
      inspection_interval_months: inspectionMonths,
      last_inspection_date: isInUse && inspectionMonths !== null ? date(inspected) : null,
      next_inspection_date: isInUse && inspectionMonths !== null ? date(addMonths(inspected, inspectionMonths)) : null,
      service_contract_hdr_id: contract?.id ?? null,
      creditor_id: contract?.creditor.id ?? (random.chance(0.5) ? creditors.pick(one.trade, random).id : null),
      responsible_employee_id: property.technician,
      replacement_cost: euro(one.cost * 100),
    },
    installed,
    retired ?? asOf - random.int(1, 400),
  );
  return { id, type: one.type, name: one.name, building, unit, installed, cost: one.cost * 100, lifeYears, isInUse };
};
