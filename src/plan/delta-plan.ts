/** The plan of one page of a delta (contract: deltas). */
import type { Plan } from './plan.ts';
import type { DeltaPosition, LogRange } from './question.ts';

export interface DeltaPlan {
  /** The plan of the rows; its limit counts keys. */
  readonly rows: Plan;
  readonly key: LogRange['key'];
  readonly since: number;
  /** Undefined on the first page. */
  readonly after: DeltaPosition | undefined;
}
