/**
 * Batches single rows by key. Fields that read the same columns of a table share one statement. Rows with lists get their own batch for
 * each field, so that a list is read only for its own rows.
 */
import DataLoader from 'dataloader';
import type { Plan } from '../../plan/plan.ts';
import type { ByteRows } from '../../wire/byte-rows.ts';
import type { RowField, RowSelection } from '../selection/selection.ts';
import { type ConnectionRows, type LevelRows, levelOf, type Reading } from './levels.ts';
import type { SingleRow } from './plan.ts';

/** Whether one statement reads the complete row. */
const isWhole = (places: Reading['places'], fields: readonly RowField[]): boolean =>
  fields.every((field) => {
    if (field.is === 'one') return places.has(field) && isWhole(places, field.fields);
    return field.is !== 'many';
  });

/** The columns that a plan reads, without the key of the row. */
const shapeOf = ({ columns, joinedRows }: Plan): unknown => [
  columns,
  joinedRows.map(({ on, link, plan }) => [on, link.column, plan.source.name, shapeOf(plan)]),
];

interface Loaded {
  readonly rows: ByteRows;
  /** Only for rows with lists. */
  readonly level: LevelRows | undefined;
  readonly from: number;
  readonly count: number;
}
type Loader = DataLoader<string, Loaded>;

/** Reads single rows for one document. Rows that are requested in the same turn of the event loop share a batch. */
export const createSingleRows = (reading: Reading): ((asked: SingleRow) => Promise<ConnectionRows>) => {
  const loaders = new Map<unknown, Loader>();
  let last: Promise<unknown> = Promise.resolve();
  /** Sequential, because a document has one connection. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  };
  const loaderOf = ({ level, fields }: RowSelection): Loader => {
    const { table } = level;
    const plan = reading.plans.get(level)!;
    const whole = isWhole(reading.places, fields);
    const name = whole ? JSON.stringify([table.name, shapeOf(plan)]) : level;
    const known = loaders.get(name);
    if (known) return known;
    const link = { column: table.key, kind: table.columns[table.key]!.kind, isUnique: true };
    const readAll = async (values: readonly string[]): Promise<readonly Loaded[]> => {
      const rows = await reading.reader.rowsOf({ link, values }, plan, 1);
      const found = new Map(Array.from({ length: rows.count }, (_, row) => [rows.text(row, 0), row] as const));
      const there = whole ? undefined : await levelOf(reading, fields, rows, 1);
      return values.map((value) => ({ rows, level: there, from: found.get(value) ?? 0, count: found.has(value) ? 1 : 0 }));
    };
    const loader: Loader = new DataLoader((values) => inTurn(() => readAll(values)));
    loaders.set(name, loader);
    return loader;
  };
  return async ({ row, key }) => {
    const { rows, level, from, count } = await loaderOf(row).load(key);
    return { level: level ?? (await levelOf(reading, row.fields, rows, 1)), from, count, total: 0 };
  };
};
