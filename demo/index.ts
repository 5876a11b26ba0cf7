/**
 * Demo source data: a German property manager with its portfolio, invented from a seed.
 *
 * The rows satisfy every integrity fact of the dictionary. Properties are written one after the other and batches handed on
 * as they fill, so memory stays with one property however large the scale. Same options, same rows, byte for byte.
 */

import type { Batch } from '../src/sync/copy-text.ts';
import { writeChart } from './company/chart.ts';
import { writeCodeLists } from './company/code-lists.ts';
import { writeCreditors } from './company/creditors.ts';
import { writeMapping } from './company/mapping.ts';
import { writeOwners } from './company/owners.ts';
import { writePriceIndices } from './company/price-indices.ts';
import { writeStaff } from './company/staff.ts';
import type { Customer } from './customer.ts';
import { writeEstate } from './estate.ts';
import { Journal } from './ledger/journal.ts';
import { type Scale, volumes } from './scale.ts';
import type { Setting } from './setting.ts';
import { addMonths, monthOf, parseDay } from './source/calendar.ts';
import { Random } from './source/random.ts';
import { Batches } from './writer/batches.ts';
import { Ids } from './writer/ids.ts';

export type { Scale } from './scale.ts';

export interface DemoOptions {
  readonly scale: Scale;
  /** 1 when left out. */
  readonly seed?: number;
  /** Snapshot date as YYYY-MM-DD. */
  readonly asOf?: string;
  /** Years of debit and payment runs, when fewer than the scale has. */
  readonly bookingYears?: number;
}

export const defaultAsOf = '2026-10-31';

/** Batches of rows, tables in an order of the generator's choice; a table comes in several batches. */
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

/** The master data that all properties share. */
const foundCompany = (setting: Setting): Customer => {
  writeCodeLists(setting);
  const chart = writeChart(setting);
  writeMapping(setting, chart);
  const staff = writeStaff(setting);
  const creditors = writeCreditors(setting, chart);
  const owners = writeOwners(setting);
  const indices = writePriceIndices(setting);
  return { ...setting, chart, staff, creditors, owners, indices, journal: new Journal(setting) };
};
