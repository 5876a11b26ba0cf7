/**
 * Refuses loads that would lose much of a table (contract: losses in loads). A delivery that is cut off, filtered or lacks a column has the
 * form of a right one, so its effect on the table is compared.
 */
import { quote } from '../database/identifier.ts';
import { OperatorError } from '../errors.ts';
import type { RawChange } from './changes/raw-changes.ts';
import type { Load } from './request.ts';

/** A load may delete this share of a table's rows, or this number of them. */
const deletedShare = 0.2;
const fewDeleted = 10;

const number = (value: number): string => value.toLocaleString('en');

/** The words for too many deletions; undefined if the load may delete them. */
const tooManyDeleted = (rows: number, { inserted, deleted }: RawChange['counts']): string | undefined => {
  if (deleted === 0) return undefined;
  const left = rows - deleted + inserted;
  const words = `would delete ${number(deleted)} of ${number(rows)} rows, and the table would have ${number(left)}`;
  const isMuch = deleted > rows * deletedShare && deleted > fewDeleted;
  return isMuch || deleted === rows || left < rows / 2 ? words : undefined;
};

/** The columns that have values and would have none. */
const emptiedColumns = async ({ session: { client }, request }: Load, { staged, comparison }: RawChange): Promise<string[]> => {
  const { target, columns, source, emptyColumns } = staged;
  if (request.mode !== 'full' || !comparison || !source || target.isNew) return [];
  // A required column has a value in every row: from the file, or the time of the load.
  const optional = [...target.columns].filter(([, { required }]) => !required).map(([column]) => column);
  const candidates = optional.filter((column) => !columns.includes(column) || emptyColumns.includes(column));
  if (candidates.length === 0) return [];
  const { rows } = await client.query<{ values: boolean[] | null }>(
    `select array[${candidates.map((column) => `coalesce(bool_or(${quote(column)} is not null), false)`).join(', ')}] as values
     from ${comparison.current}`,
  );
  return candidates.filter((_, index) => rows[0]?.values?.[index]);
};

/** Throws an `OperatorError` that names the losses of each table, with their figures and the option that allows them. */
export const refuseLosses = async (load: Load, changes: readonly RawChange[]): Promise<void> => {
  const { session, request } = load;
  const losses: string[] = [];
  for (const change of changes) {
    const { table, isNew } = change.staged.target;
    if (!change.comparison || isNew) continue;
    if (change.counts.deleted > 0 && !request.allowDeletes?.includes(table)) {
      const { rows } = await session.client.query<{ rows: number }>(`select count(*) as rows from ${change.comparison.current}`);
      const words = tooManyDeleted(rows[0]?.rows ?? 0, change.counts);
      if (words !== undefined) losses.push(`${table}: the load ${words}. To allow it: --allow-deletes ${table}`);
    }
    if (request.allowEmptyColumns?.includes(table)) continue;
    const emptied = await emptiedColumns(load, change);
    if (emptied.length > 0)
      losses.push(
        `${table}: the load has no values for ${emptied.join(', ')}, and the table has. To allow it: --allow-empty-columns ${table}`,
      );
  }
  if (losses.length > 0) throw new OperatorError(losses.join('\n'));
};
