/**
 * Values of groups with a name and conditions of their own in REST, such as `value=open_net:sum(remaining_net,status=open)` (contract:
 * named values).
 */
import type { Condition } from '../condition.ts';
import { allOf } from '../condition.ts';
import { identifierPattern } from '../parameters.ts';
import { quoted } from '../validation-errors.ts';
import { aggregates } from './groups.ts';
import { rowCondition, statementOf } from './item-conditions.ts';
import type { Item } from './list-grammar.ts';
import type { Fail, GroupableTable, RequestedValue } from './resolve.ts';

export interface NamedValue {
  readonly name: string;
  readonly value: RequestedValue;
}

/** The functions, each with the number of its arguments before the conditions. */
const functions: Readonly<Record<string, number>> = { count: 0, ...Object.fromEntries(aggregates.map((is) => [is, 1])), percentile: 2 };

const conditionOf = (items: readonly Item[], groupable: GroupableTable, fail: Fail): Condition | undefined => {
  const conditions = items.map((item) => {
    const statement = statementOf(item);
    if (typeof statement !== 'string') return rowCondition(statement, groupable, fail);
    return fail({ is: 'invalid', reason: `${quoted(item.text)} ${statement}` });
  });
  const found = conditions.filter((condition) => condition !== undefined);
  return found.length > 0 ? allOf(found) : undefined;
};

/** The value of an item. Calls `fail` for each of its errors. Undefined if it has no name or no function. */
export const namedValueOf = (item: Item, groupable: GroupableTable, fail: Fail): NamedValue | undefined => {
  if (item.is === 'invalid') return fail({ is: 'invalid', reason: `${quoted(item.text)} ${item.reason}` });
  if (item.is !== 'called' || !item.of || !identifierPattern.test(item.name))
    return fail({ is: 'invalid', reason: `${quoted(item.text)} is no named value such as open_net:sum(total_net,status=open)` });
  const { name, call, of } = item;
  const taken = Object.hasOwn(functions, call) ? functions[call] : undefined;
  if (taken === undefined) return fail({ is: 'unknown', name: call, among: 'functions', names: () => Object.keys(functions) });
  const [column, percent] = of.slice(0, taken);
  const where = conditionOf(of.slice(taken), groupable, fail);
  const value = {
    is: call as RequestedValue['is'],
    of: column?.text ?? '',
    where,
    ...(call === 'percentile' && { percent: Number(percent?.text) }),
  };
  return { name, value };
};
