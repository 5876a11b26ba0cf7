/** Technical objects: what every building has, then smoke detectors flat by flat until the property has its number. */
import type { Customer } from '../company/company.ts';
import type { Creditors, Trade } from '../company/partners.ts';
import { buildingModels, type Model, smokeDetector } from '../data/works.ts';
import type { Random } from '../random.ts';
import type { Columns } from '../setting.ts';
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
  customer: Customer,
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

const statuses = [
  ['active', 955],
  ['out_of_order', 20],
  ['decommissioned', 15],
  ['removed', 10],
] as const;

const writeObject = ({ customer, property, random }: Site, installation: Installation): Equipment => {
  const { one, building, unit, parent, contract } = installation;
  const id = customer.ids.next('to_hdr');
  const ageMonths = random.int(8, one.lifeYears * 11);
  const installed = Math.max(addMonths(customer.asOf, -ageMonths), dayOf(property.builtIn, 6));
  const status = random.weighted(statuses);
  const isInUse = status === 'active' || status === 'out_of_order';
  const retired = isInUse ? null : Math.max(installed, customer.asOf - random.int(20, 700));
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
      ...makeColumns(random, id, installed),
      decommissioning_date: dateOrNull(retired),
      status_key: status,
      ...conditionColumns(customer.asOf, one, installed),
      ...maintenanceColumns(customer.asOf, random, one, isInUse),
      ...inspectionColumns(customer.asOf, random, one, isInUse),
      service_contract_hdr_id: contract?.id ?? null,
      creditor_id: contract?.creditor.id ?? drawCreditor(customer.creditors, random, one.trade),
      responsible_employee_id: property.technician,
      replacement_cost: euro(one.cost * 100),
    },
    installed,
    retired ?? customer.asOf - random.int(1, 400),
  );
  return { id, type: one.type, name: one.name, building, unit, installed, cost: one.cost * 100, lifeYears: one.lifeYears, isInUse };
};

const drawCreditor = (creditors: Creditors, random: Random, trade: Trade): number | null =>
  random.chance(0.5) ? creditors.pick(trade, random).id : null;

const makers = ['Musterwerke', 'Nordtherm', 'Hansa Technik', 'Süddeutsche Anlagenbau', 'Elbe Systeme'];

const makeColumns = (random: Random, id: number, installed: Day) => {
  const series = `${random.pick(['BW', 'KT', 'PX', 'AR'])} ${random.int(1, 40) * 10}`;
  return {
    manufacturer: random.pick(makers),
    model: series,
    serial_number: `${series.replace(' ', '')}-${id}`,
    year_built: yearOf(installed),
    installation_date: date(installed),
    warranty_end_date: date(addMonths(installed, 60)),
  } satisfies Columns<'to_hdr'>;
};

/** The older within its life, the worse. */
const conditionColumns = (asOf: Day, { lifeYears }: Model, installed: Day) => {
  const tenths = Math.max(0, Math.round(lifeYears * 10 - ((asOf - installed) * 10) / 365.25));
  return {
    condition_rating: Math.max(1, Math.min(5, 5 - Math.floor((tenths * 5) / (lifeYears * 10)))),
    remaining_life_years: decimal(tenths, 1),
  } satisfies Columns<'to_hdr'>;
};

const maintenanceColumns = (asOf: Day, random: Random, { maintenanceMonths: months }: Model, isInUse: boolean) => {
  const last = asOf - random.int(1, (months ?? 1) * 31);
  const dates =
    months === null || !isInUse ? null : { last_maintenance_date: date(last), next_maintenance_date: date(addMonths(last, months)) };
  return { maintenance_required: months !== null, maintenance_interval_months: months, ...dates } satisfies Columns<'to_hdr'>;
};

const inspectionColumns = (asOf: Day, random: Random, { inspectionMonths: months }: Model, isInUse: boolean) => {
  const last = asOf - random.int(1, (months ?? 1) * 31);
  const dates =
    months === null || !isInUse ? null : { last_inspection_date: date(last), next_inspection_date: date(addMonths(last, months)) };
  return { inspection_required: months !== null, inspection_interval_months: months, ...dates } satisfies Columns<'to_hdr'>;
};
