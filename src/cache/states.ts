/** States of one customer's tables, as a value that is read at once. */
import type { DatasetKind } from '../catalogue/table.ts';
import type { DatasetState } from '../database/control/datasets.ts';

export interface States {
  get(kind: DatasetKind, name: string): DatasetState | undefined;
}
