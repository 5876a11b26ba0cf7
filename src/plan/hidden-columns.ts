/**
 * Refuses plans that use a hidden column in a condition, an order or a group, because its values could be guessed from the answers
 * (contract: personal columns). Rows may have hidden columns: they are null there.
 */
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Plan } from './plan.ts';
import { type Referring, referencesOf } from './references.ts';

type Checked = Referring & Pick<Plan, 'source'>;

/**
 * Throws `invalidParameter` if a plan of a caller with a data scope uses a hidden column. `tables` are those of the caller's catalogue.
 * `messageFor` returns the message about a column.
 */
export const refuseHidden = (
  plan: Checked,
  tables: ReadonlyMap<string, Pick<Table, 'columns'>>,
  messageFor: (column: string, violation: string) => string,
): void => {
  if (!plan.source.scope) return;
  for (const { table, column } of referencesOf(plan)) {
    const { isHidden, personal } = tables.get(table)?.columns[column] ?? {};
    if (isHidden)
      throw new ApiError(
        'invalidParameter',
        messageFor(column, `Personal data (${personal}) that the key may not read; no filter, order or group can use it`),
      );
  }
};
