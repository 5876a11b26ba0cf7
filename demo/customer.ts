/** What every property of a customer draws on: the setting and the master data of the company. */
import type { Chart } from './company/chart.ts';
import type { Creditors } from './company/creditors.ts';
import type { Owners } from './company/owners.ts';
import type { PriceIndices } from './company/price-indices.ts';
import type { Staff } from './company/staff.ts';
import type { Journal } from './ledger/journal.ts';
import type { Setting } from './setting.ts';

export interface Customer extends Setting {
  readonly chart: Chart;
  readonly staff: Staff;
  readonly creditors: Creditors;
  readonly owners: Owners;
  readonly indices: PriceIndices;
  readonly journal: Journal;
}
