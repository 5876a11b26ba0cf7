/** The raw table that a table of a source fills. */
import { partsOf } from '../catalogue/raw-table.ts';
import type { Target } from '../sync/target.ts';
import { isLoadTime } from '../sync/values/load-times.ts';
import { rawTableOf } from './keys/key-type.ts';
import type { TableRule } from './source-file.ts';

export type TargetTable = Pick<Target, 'table' | 'key' | 'columns'>;

/** A table of the catalogue. */
export const catalogueTarget = (table: string): TargetTable | undefined => {
  const known = rawTableOf(table);
  if (!known) return undefined;
  return {
    table,
    key: known.key,
    columns: new Map(Object.entries(known.columns).map(([name, column]) => [name, partsOf(column)])),
  };
};

/** Whether each row needs a value. The load gives its time to rows without one of the load times. */
export const needsValue = (name: string, { columns }: TargetTable): boolean => columns.get(name)?.required === true && !isLoadTime(name);

/** The required columns that a table of the source does not fill. */
export const requiredWithout = ({ columns }: TableRule, target: TargetTable): string[] =>
  [...target.columns.keys()].filter((name) => name !== target.key && !(name in columns) && needsValue(name, target));
