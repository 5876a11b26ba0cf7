/**
 * Single rows by key, gathered: fields that ask for the same columns of a table become one statement, however many of them a
 * document has. Fields that lead on to lists are read by themselves, so that each reads no more than its own.
 */
import DataLoader from 'dataloader';
import type { Plan } from '../read/plan.ts';
import { type ConnectionRows, levelOf, type Reading, type RowRoot, readRow } from './levels.ts';
import type { RowField } from './selection.ts';

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

type Load = (key: string) => Promise<Pick<ConnectionRows, 'from' | 'count'> & { readonly rows: Parameters<typeof levelOf>[2] }>;

/** Reads single rows for one document; those that are asked for before the first is awaited go together. */
export const createSingleRows = (reading: Reading): ((root: RowRoot) => Promise<ConnectionRows>) => {
  const loads = new Map<string, Load>();
  const loadOf = ({ level: { table } }: RowRoot, plan: Plan): Load => {
    const name = JSON.stringify([table.name, shapeOf(plan)]);
    const known = loads.get(name);
    if (known) return known;
    const link = { column: table.key, kind: table.columns[table.key]!.kind, isUnique: true };
    const loader = new DataLoader(async (values: readonly string[]) => {
      const rows = await reading.reader.rowsOf({ link, values }, { ...plan, where: undefined }, 1);
      const found = new Map(Array.from({ length: rows.count }, (_, row) => [rows.text(row, 0), row] as const));
      return values.map((value) => ({ rows, from: found.get(value) ?? 0, count: found.has(value) ? 1 : 0 }));
    });
    const load: Load = (key) => loader.load(key);
    loads.set(name, load);
    return load;
  };
  return async (root) => {
    const plan = reading.plans.get(root.level)!;
    const { where } = plan;
    if (where?.is !== 'compared' || !isWhole(reading.places, root.fields)) return readRow(reading, root);
    const { rows, from, count } = await loadOf(root, plan)(where.value);
    return { level: await levelOf(reading, root.fields, rows, 1), from, count, total: 0 };
  };
};
