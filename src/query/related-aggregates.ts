/** Aggregates of related rows as columns of rows, such as `open:count(orders,status!=closed)` (contract: aggregates of related rows). */
import { needsDay } from '../plan/condition.ts';
import type { RowsExpression } from '../plan/groups/groups.ts';
import type { Fail, GroupableTable } from '../plan/groups/request.ts';
import { resolveToMany, resolveValue } from '../plan/groups/resolving.ts';
import { relationStep } from '../plan/paths.ts';
import type { AggregateColumn } from '../plan/plan.ts';
import { quotedValue } from '../plan/validation-errors.ts';
import type { Item } from './grammar.ts';
import { conditionOf, functions } from './named-values.ts';

type Called = Extract<Item, { is: 'called' }>;

/** The aggregate of a call. Its first argument is a relation to many rows, with a column of them unless they are counted. Otherwise calls `fail`. */
export const relatedAggregateOf = (
  { text, call, of = [] }: Called,
  groupable: GroupableTable,
  fail: Fail,
): Omit<AggregateColumn, 'name'> | undefined => {
  const isCount = call === 'count';
  const [first, percent] = of;
  const names = first?.is === 'plain' ? first.value.split('.') : [];
  const column = isCount ? '' : (names.pop() ?? '');
  if (names.length === 0)
    return fail({
      is: 'invalid',
      reason: `${quotedValue(text)} begins with no relation, as ${isCount ? 'count(orders)' : `${call}(orders.total_net)`}`,
    });
  const found = resolveToMany(groupable, names, fail);
  if (!found) return undefined;
  const { steps, relation, target } = found;
  const within = { ...groupable, table: target };
  // Arguments of counts come after the relation.
  const where = conditionOf(of.slice(isCount ? 1 : functions[call]), within, fail);
  if (needsDay(where)) return fail({ is: 'invalid', reason: 'some_valid and none_valid need groups with a series' });
  const is = call as RowsExpression['is'];
  const given = is === 'percentile' ? { percent: Number(percent?.text) } : {};
  const aggregate = resolveValue(within, { is, of: column, where, ...given }, fail) as RowsExpression | undefined;
  return aggregate && { via: steps, ...relationStep(relation), aggregate };
};
