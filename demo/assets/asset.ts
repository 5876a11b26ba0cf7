/** What a fixed asset is: its kind and cost, what it stands for, and the terms on which it is depreciated. */
import type { Project } from '../maintenance/project.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import type { Unit } from '../portfolio/units.ts';
import type { Day } from '../source/calendar.ts';
import type { Cents } from '../source/money.ts';
import type { AssetKind } from './kinds.ts';
import type { Terms } from './schedule.ts';

export interface Asset {
  readonly id: number;
  readonly kind: AssetKind;
  readonly cost: Cents;
  readonly subsidy: Cents;
  /** Not depreciated: all of it where the method is none. */
  readonly residual: Cents;
  readonly acquired: Day;
  readonly equipment: Equipment | null;
  readonly unit: Unit | null;
  readonly project: Project | null;
  /** Null where the method is none. */
  readonly terms: Terms | null;
}
