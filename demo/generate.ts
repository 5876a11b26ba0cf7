/**
 * Demo source data: a German property manager with its portfolio, generated from a seed.
 *
 * The rows satisfy every integrity fact of the dictionary. Properties are written one by one in batches, so memory holds one property at
 * any scale. Equal options give equal rows, byte for byte.
 */
import type { Batch } from '../src/sync/first-load.ts';
import { type Company, foundCompany } from './company/company.ts';
import { writeAssets } from './ledger/assets.ts';
import { bookServiceBills } from './ledger/payables.ts';
import { bookRents } from './ledger/rents.ts';
import { bookManualEntries, writeBudgets } from './ledger/years.ts';
import { writeContractEnds, writeTenancies } from './lettings/contracts.ts';
import { planTenancies } from './lettings/plan.ts';
import { planProjects, writeProjects } from './maintenance/projects.ts';
import { writeWorks } from './maintenance/works.ts';
import { writeEquipment } from './portfolio/equipment.ts';
import { planProperty, planUnits } from './portfolio/property.ts';
import { writeProperty, writeUnits } from './portfolio/register.ts';
import { writeServices } from './portfolio/services.ts';
import { Random } from './random.ts';
import { propertyCounts, type Scale, volumes } from './scale.ts';
import { Batches, Ids, type Setting } from './setting.ts';
import { addMonths, monthOf, parseDay } from './values.ts';

export interface DemoOptions {
  readonly scale: Scale;
  /** 1 by default. */
  readonly seed?: number;
  /** Snapshot date as YYYY-MM-DD. */
  readonly asOf?: string;
  /** Years of debit and payment runs, if fewer than in the scale. */
  readonly bookingYears?: number;
}

export const defaultAsOf = '2026-10-31';

/** Batches of rows. A table comes in several batches, and tables have no fixed order. */
export function* generateDemo(options: DemoOptions): Iterable<Batch> {
  const setting = settle(options);
  const customer = foundCompany(setting);
  for (let index = 0; index < setting.volume.properties; index++) {
    writeEstate(customer, index);
    yield* setting.batches.full();
  }
  yield* setting.batches.rest();
}

const settle = ({ scale, seed = 1, asOf = defaultAsOf, bookingYears }: DemoOptions): Setting => {
  const volume = volumes[scale];
  const day = parseDay(asOf);
  return {
    volume,
    asOf: day,
    lettingsFrom: addMonths(day, -12 * volume.lettingYears),
    maintenanceFrom: addMonths(day, -12 * volume.years),
    bookingsFrom: monthOf(day) + 1 - Math.round(12 * Math.min(bookingYears ?? volume.bookingYears, volume.bookingYears)),
    batches: new Batches(day),
    ids: new Ids(),
    random: (...path) => Random.of(seed, ...path),
  };
};

/** One property from its plan to its rows. Lettings and work are planned first, because units, ends and balances depend on them. */
const writeEstate = (customer: Company, index: number): void => {
  const counts = propertyCounts(customer.volume, index);
  const property = planProperty(customer, index);
  const units = planUnits(customer, property);
  const tenancies = planTenancies(customer, property, units);
  const contracts = writeServices(customer, property);
  const equipment = writeEquipment(customer, property, units, contracts, counts.equipment);
  const projects = planProjects(customer, property, units, equipment, counts.projects);
  const stock = { units, equipment, tenancies, projects };
  const works = writeWorks(customer, property, stock, contracts, counts);
  writeProjects(customer, property, projects);
  writeAssets(customer, property, stock, works.projectOrders);
  writeBudgets(customer, property, units, projects);
  bookManualEntries(customer, property);
  bookServiceBills(customer, property, contracts);
  bookRents(customer, property, tenancies);
  writeTenancies(customer, property, tenancies);
  writeContractEnds(customer, property, tenancies, works.refurbishments);
  writeUnits(customer, property, units, tenancies);
  writeProperty(customer, property, units);
};
