/**
 * Single rows by key, gathered: fields that ask for the same columns of a table become one statement, however many of them a
 * document has. Those that lead on to lists are gathered by themselves, so that each list is read for its own rows.
 */
import DataLoader from 'dataloader';
import type { ByteRows } from '../read/byte-rows.ts';
import type { Plan } from '../read/plan.ts';
import { type ConnectionRows, type LevelRows, levelOf, type Reading } from './levels.ts';
import type { SingleRow } from './plan.ts';
import type { RowField, RowSelection } from './selection.ts';

/** Whether all of a row comes with its own statement. */
const isWhole = (places: Reading['places'], fields: readonly RowField[]): boolean =>
  fields.every((field) => {
    if (field.is === 'one') return places.has(field) && isWhole(places, field.fields);
    return field.is !== 'many';
  });

/** What a plan reads, whatever the row. */
const shapeOf = ({ columns, along }: Plan): unknown => [
  columns,
  along.map(({ on, link, plan }) => [on, link.column, plan.source.name, shapeOf(plan)]),
];

interface Loaded {
  readonly rows: ByteRows;
  /** Of rows that lead on to lists. */
  readonly level: LevelRows | undefined;
  readonly from: number;
  readonly count: number;
}
type Loader = DataLoader<string, Loaded>;

/** Reads single rows for one document; those that are asked for before the first is awaited go together. */
export const createSingleRows = (reading: Reading): ((asked: SingleRow) => Promise<ConnectionRows>) => {
  const loaders = new Map<unknown, Loader>();
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: a document has one connection. */
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
