/**
 * Refuses plans that use a hidden column in a condition, an order or a group, because its values could be guessed from the answers
 * (contract: personal columns). Rows may have hidden columns: they are null there.
 */
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import type { GroupValue } from './groups.ts';
import type { Path } from './paths.ts';
import type { Plan } from './plan.ts';

/** A column of a table that a plan uses. */
type Use = readonly [table: string, column: string];

const usesOfCondition = (table: string, condition: Condition): readonly Use[] => {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.of.flatMap((part) => usesOfCondition(table, part));
    case 'not':
      return usesOfCondition(table, condition.of);
    case 'related':
      return [[table, condition.column], [condition.target, condition.targetColumn], ...usesOfCondition(condition.target, condition.of)];
    case 'unknown':
      return [];
    default:
      return [[table, condition.column]];
  }
};

const usesOfPath = (table: string, { via, column }: Path): readonly Use[] => {
  const tables = [table, ...via.map(({ target }) => target)];
  return [...via.map((step, index): Use => [tables[index]!, step.column]), [tables.at(-1)!, column]];
};

const usesOfValue = (table: string, value: GroupValue): readonly Use[] =>
  value.is === 'measure'
    ? value.formula.flatMap((part) => (typeof part === 'string' ? [] : usesOfPath(table, part)))
    : [[table, value.column]];

type Checked = Pick<Plan, 'source' | 'where' | 'order' | 'relatedColumns' | 'groups'>;

const usesOf = ({ source: { name }, where, order, relatedColumns = [], groups }: Checked): readonly Use[] => [
  ...(where ? usesOfCondition(name, where) : []),
  ...relatedColumns.flatMap((path) => usesOfPath(name, path)),
  // Groups are ordered by their own keys and values.
  ...(groups
    ? [...groups.keys.flatMap((key) => usesOfPath(name, key)), ...groups.values.flatMap((value) => usesOfValue(name, value))]
    : order.map(({ column }): Use => [name, column])),
];

/**
 * Throws `invalidParameter` if a plan of a caller with a data scope uses a hidden column. `tables` are those of the caller's catalogue.
 * `tell` builds the message about a column.
 */
export const refuseHidden = (
  plan: Checked,
  tables: ReadonlyMap<string, Pick<Table, 'columns'>>,
  tell: (column: string, violation: string) => string,
): void => {
  if (!plan.source.scope) return;
  for (const [table, column] of usesOf(plan)) {
    const { isHidden, personal } = tables.get(table)?.columns[column] ?? {};
    if (isHidden)
      throw new ApiError(
        'invalidParameter',
        tell(column, `Personal data (${personal}) that the key may not read; no filter, order or group can use it`),
      );
  }
};
