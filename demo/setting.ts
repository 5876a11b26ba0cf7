/** What is settled before a row is written: dates, amounts, where rows go and where chance comes from. */
import type { Volume } from './scale.ts';
import type { Day, Month } from './source/calendar.ts';
import type { Random } from './source/random.ts';
import type { Batches } from './writer/batches.ts';
import type { Ids } from './writer/ids.ts';

export interface Setting {
  readonly volume: Volume;
  /** Snapshot date: nothing is known that happened later. */
  readonly asOf: Day;
  readonly lettingsFrom: Day;
  readonly maintenanceFrom: Day;
  /** First month of the debit runs; after `asOf` when there are none. */
  readonly bookingsFrom: Month;
  readonly batches: Batches;
  readonly ids: Ids;
  /** A stream of chance of its own for a subject, such as ('lettings', 17). */
  random(...path: readonly (string | number)[]): Random;
}
