/**
 * Batches single rows by key. Fields that read the same columns of a table share one statement. Rows with lists get their own batch for
 * each field, so that a list is read only for its own rows.
 */
import DataLoader from 'dataloader';
import type { Plan } from '../../plan/plan.ts';
import type { ByteRows } from '../../wire/byte-rows.ts';
import type { RowField } from '../selection/selection.ts';
import { type LevelRows, type LevelsReading, readLevel } from './levels.ts';
import type { LevelPlan, OperationPlan, SingleRow } from './plan.ts';

/** Whether one statement reads the complete row. A list is never part of its parent's statement. */
const isWhole = ({ relations }: LevelPlan): boolean => relations.every((relation) => relation.position !== undefined && isWhole(relation));

/** The columns that a plan reads, without the key of the row. */
const shapeOf = ({ columns, joinedRows }: Plan): unknown => [
  columns,
  joinedRows.map(({ on, link, plan }) => [on, link.column, plan.source.name, shapeOf(plan)]),
];

/** A row that was requested by key. */
export interface LoadedRow {
  /** The rows of its batch. */
  readonly level: LevelRows;
  /** The index of the row; -1 if there is none. */
  readonly row: number;
  /** The fields of the response. */
  readonly fields: readonly RowField[];
}

/** The rows that a root field requests by key. */
export interface SingleRows {
  readonly singles: readonly (LoadedRow | undefined)[];
}

interface Batched {
  readonly rows: ByteRows;
  readonly row: number;
  /** The level with the lists of the row; undefined for rows without lists. */
  readonly level: LevelRows | undefined;
}
type Loader = DataLoader<string, Batched>;

/** Loads single rows for one document. Rows that are requested in the same turn of the event loop share a batch. */
const createLoaders = (reading: LevelsReading): ((requested: SingleRow) => Promise<LoadedRow>) => {
  const loaders = new Map<unknown, Loader>();
  let last: Promise<unknown> = Promise.resolve();
  /** Sequential, because a document has one connection. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  };
  const loaderOf = ({ selection, levelPlan }: SingleRow): Loader => {
    const { table } = selection.level;
    const { plan } = levelPlan;
    const whole = isWhole(levelPlan);
    const name = whole ? JSON.stringify([table.name, shapeOf(plan)]) : levelPlan;
    const known = loaders.get(name);
    if (known) return known;
    const link = { column: table.key, kind: table.columns[table.key]!.kind, isUnique: true };
    const readAll = async (values: readonly string[]): Promise<readonly Batched[]> => {
      const rows = await reading.reader.rowsOf({ link, values }, plan, 1);
      const found = new Map(Array.from({ length: rows.count }, (_, row) => [rows.text(row, 0), row] as const));
      const level = whole ? undefined : await readLevel(reading, selection.level, levelPlan, rows, 1);
      return values.map((value) => ({ rows, level, row: found.get(value) ?? -1 }));
    };
    const loader: Loader = new DataLoader((values) => inTurn(() => readAll(values)));
    loaders.set(name, loader);
    return loader;
  };
  return async (requested) => {
    const { rows, level, row } = await loaderOf(requested).load(requested.key);
    const { level: selected, fields } = requested.selection;
    return { level: level ?? (await readLevel(reading, selected, requested.levelPlan, rows, 1)), row, fields };
  };
};

/** Reads the root fields that are single rows. All rows are requested at once, so that they share batches. */
export const readSingleRows = (reading: LevelsReading, roots: OperationPlan['roots']): readonly (Promise<SingleRows> | undefined)[] => {
  const load = createLoaders(reading);
  const readRoot = async (rows: readonly (SingleRow | undefined)[]): Promise<SingleRows> => ({
    singles: await Promise.all(rows.map((row) => row && load(row))),
  });
  return roots.map((root) => (root?.is === 'rows' ? readRoot(root.rows) : undefined));
};
